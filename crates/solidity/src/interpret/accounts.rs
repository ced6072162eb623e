//! Several contracts: creating them, going from one to another, and what is
//! left after a call that failed.

use std::collections::BTreeMap;

use dashu_int::IBig;

use super::data::{Key, Path, Step, Value};
use super::effects::Touched;
use super::keccak::created_address;
use super::machine::{Machine, Order, Reason, Stop};
use super::messages::NO_ADDRESS;
use crate::ast::{
    ContractId, ExpressionId, FunctionId, FunctionName, GetterResults, Invocation, Member,
    VariableId,
};

/// A contract that is not the one whose code runs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Account {
    pub(super) line: Vec<ContractId>,
    pub(super) storage: BTreeMap<VariableId, Value>,
    created: u64,
    pub(super) is_under_construction: bool,
}

/// What a call that fails takes back.
#[derive(Clone, Debug)]
pub struct Snapshot {
    storage: BTreeMap<VariableId, Value>,
    others: BTreeMap<IBig, Account>,
    balances: BTreeMap<IBig, IBig>,
    created: u64,
    events: usize,
}

impl Machine<'_> {
    /// Everything that a transaction can change.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            storage: self.run.storage.clone(),
            others: self.run.others.clone(),
            balances: self.run.balances.clone(),
            created: self.run.created,
            events: self.run.events.len(),
        }
    }

    /// True if all that transactions can change is the same in both.
    pub fn has_state_of(&self, other: &Machine<'_>) -> bool {
        let (own, other) = (&self.run, &other.run);
        own.storage == other.storage
            && own.others == other.others
            && own.balances == other.balances
            && own.created == other.created
    }

    /// Makes everything as it was.
    pub fn take_back(&mut self, before: Snapshot) {
        self.run.storage = before.storage;
        self.run.others = before.others;
        self.run.balances = before.balances;
        self.run.created = before.created;
        self.run.events.truncate(before.events);
    }

    /// Puts another contract in the place of the one whose code runs.
    fn swap(&mut self, account: Account) -> Account {
        Account {
            line: std::mem::replace(&mut self.run.line, account.line),
            storage: std::mem::replace(&mut self.run.storage, account.storage),
            created: std::mem::replace(&mut self.run.created, account.created),
            is_under_construction: std::mem::replace(
                &mut self.run.is_under_construction,
                account.is_under_construction,
            ),
        }
    }

    /// Runs something as the code of another contract.
    pub(super) fn within<T>(
        &mut self,
        address: &IBig,
        run: impl FnOnce(&mut Self) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        let own_address = self.run.world.this.clone().ok_or(NO_ADDRESS)?;
        let account = self.run.others.remove(address).ok_or(NO_ADDRESS)?;
        let own = self.swap(account);
        self.run.others.insert(own_address.clone(), own);
        let sender = self.run.world.sender.replace(own_address.clone());
        self.run.world.this = Some(address.clone());
        let done = run(self);
        let own = self.run.others.remove(&own_address);
        let own = own.expect("nobody destroys an account");
        let account = self.swap(own);
        self.run.others.insert(address.clone(), account);
        self.run.world.this = Some(own_address);
        self.run.world.sender = sender;
        done
    }

    /// `new C(…)` with whole arguments, and wei that are there.
    pub(super) fn create(
        &mut self,
        contract: ContractId,
        given: Vec<Value>,
        wei: IBig,
    ) -> Result<Value, Stop> {
        let values = match self.constructor(contract) {
            Some(constructor) => self.located(constructor, given),
            None => Vec::new(),
        };
        self.note_write(|| Touched::Chain);
        let creator = self.run.world.this.clone().ok_or(NO_ADDRESS)?;
        let address = created_address(&creator, self.run.created);
        self.run.created += 1;
        let line = self.types.ast.lineage(contract);
        let account = Account {
            storage: self.zeros(&line),
            line,
            created: 1,
            is_under_construction: true,
        };
        let before = self.snapshot();
        self.run.others.insert(address.clone(), account);
        let built = self.visit(Some(&address), wei, Some(Vec::new()), |machine| {
            machine.build(values)
        });
        if built.is_err() {
            self.take_back(before);
        }
        built.map(|()| Value::Word(address))
    }

    pub(super) fn constructor(&self, contract: ContractId) -> Option<FunctionId> {
        let mut members = self.types.ast[contract].members.iter();
        members.find_map(|member| match *member {
            Member::Function(id) if self.types.ast[id].name == FunctionName::Constructor => {
                Some(id)
            }
            _ => None,
        })
    }

    /// First values of state variables and constructors, most basic first.
    /// The two code generators differ in whether all variables come first.
    pub(super) fn build(&mut self, arguments: Vec<Value>) -> Result<(), Stop> {
        let ast = self.types.ast;
        let line = self.run.line.clone();
        self.set_constants(&line)?;
        let mut given: BTreeMap<FunctionId, Vec<Value>> = BTreeMap::new();
        if let Some(constructor) = line.first().and_then(|first| self.constructor(*first)) {
            given.insert(constructor, arguments);
        }
        // From the most derived on, each base gets its values from whoever
        // names it.
        for contract in line.iter().skip(1) {
            let Some(base) = self.constructor(*contract) else {
                continue;
            };
            let constructors = line.iter().filter_map(|at| self.constructor(*at));
            let passed = constructors.into_iter().find_map(|constructor| {
                let invoked = ast[constructor].modifiers.iter();
                let mut invoked = invoked.filter_map(|(invocation, arguments)| {
                    (*invocation == Invocation::Base(*contract)).then_some(arguments)
                });
                Some((constructor, invoked.next()?))
            });
            if let Some((constructor, arguments)) = passed {
                let own = given.entry(constructor).or_default().clone();
                let values = self.passed(constructor, &own, base, arguments)?;
                given.insert(base, values);
            }
        }
        let variables_first = self.run.order == Order::RightFirst;
        if variables_first {
            for contract in line.iter().rev() {
                self.initialize_all(*contract)?;
            }
        }
        for contract in line.iter().rev() {
            if !variables_first {
                self.initialize_all(*contract)?;
            }
            if let Some(constructor) = self.constructor(*contract) {
                let values = given.remove(&constructor).unwrap_or_default();
                self.invoke(constructor, values)?;
            }
        }
        self.run.is_under_construction = false;
        Ok(())
    }

    /// Constants have their values before anything runs. One may be made of
    /// others that come later, never of itself.
    fn set_constants(&mut self, line: &[ContractId]) -> Result<(), Stop> {
        let ast = self.types.ast;
        let members = line.iter().flat_map(|contract| {
            let of = |member: &Member| match *member {
                Member::Variable(id) if ast[id].is_constant() => Some((*contract, id)),
                _ => None,
            };
            ast[*contract].members.iter().filter_map(of)
        });
        let constants: Vec<(ContractId, VariableId)> = members.collect();
        for _ in &constants {
            let before = self.run.storage.clone();
            for (contract, id) in &constants {
                self.initialize(*contract, *id)?;
            }
            if self.run.storage == before {
                break;
            }
        }
        Ok(())
    }

    /// Values that a constructor passes to that of a base.
    fn passed(
        &mut self,
        constructor: FunctionId,
        own: &[Value],
        base: FunctionId,
        arguments: &[ExpressionId],
    ) -> Result<Vec<Value>, Stop> {
        let ast = self.types.ast;
        self.push_frame(constructor, own.to_vec());
        let mut values = Vec::new();
        for (parameter, argument) in ast[base].parameters.iter().zip(arguments) {
            match self.evaluate_for(*argument, *parameter) {
                Ok(value) => values.push(value),
                Err(stop) => {
                    self.run.frames.pop();
                    return Err(stop);
                }
            }
        }
        self.run.frames.pop();
        Ok(values)
    }

    /// A transaction that asks the getter of a state variable: what it returns,
    /// whole.
    pub fn ask(&mut self, variable: VariableId, keys: Vec<Value>) -> Result<Vec<Value>, Stop> {
        self.forget_transient();
        self.run.heap.clear();
        self.run.frames.clear();
        let values = self.got(variable, keys)?;
        values.iter().map(|value| self.whole(value)).collect()
    }

    /// What a getter returns: of a struct, its fields without arrays and
    /// mappings.
    pub(super) fn got(
        &mut self,
        variable: VariableId,
        keys: Vec<Value>,
    ) -> Result<Vec<Value>, Stop> {
        let mut path = Path::to(variable);
        for key in keys {
            let container = self.load(&path)?;
            let step = match (&container, self.whole(&key)?) {
                (Value::Map(_), Value::Word(word)) => Step::Key(Key::Word(word)),
                (Value::Map(_), Value::Bytes(bytes)) => Step::Key(Key::Bytes(bytes)),
                (Value::Parts(parts), Value::Word(at)) => {
                    let at = usize::try_from(&at).ok().filter(|at| *at < parts.len());
                    // How a getter refuses an index was another matter once.
                    Step::Part(at.ok_or(match self.run.arithmetic.checked {
                        true => Stop::Revert(Reason::Silent),
                        false => Stop::Unknown("an index that a getter refuses"),
                    })?)
                }
                _ => return Err(Stop::Unknown("a getter of another kind")),
            };
            path = path.then(step);
        }
        let value = self.load(&path)?;
        let kinds = self.types.ast.getter_results(variable);
        let values = match (value, kinds) {
            (Value::Parts(fields), GetterResults::Fields(shown)) => {
                let shown = shown.into_iter().map(|(at, _)| fields[at].clone());
                shown.collect()
            }
            (value, GetterResults::One(_)) => vec![value],
            _ => return Err(Stop::Unknown("a getter of another kind")),
        };
        Ok(values.into_iter().map(|it| self.in_memory(it)).collect())
    }
}
