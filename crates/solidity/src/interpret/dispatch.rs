//! Bare data: what the code of a contract does with it, and what a message
//! without types gets back.

use dashu_int::IBig;

use super::data::Value;
use super::effects::{After, Touched};
use super::encode::{SELECTOR, abi_decoded, abi_encoded, abi_name};
use super::expressions::{UNTYPED, word};
use super::keccak::{keccak256, number_of};
use super::machine::{Event, Machine, Reason, Stop};
use crate::ast::{
    ContractId, ExpressionId, FunctionId, FunctionName, GetterKey, Member, MessageKind, SignalId,
    TypeId, VariableId,
};
use crate::types::{Mutability, Visibility};
use crate::typing::Types;

/// Addresses below are contracts of the chain itself.
const BUILT_IN: u32 = 0x1000;

/// What data reaches.
enum Entry {
    Function(FunctionId),
    Getter(VariableId),
    /// `receive` or `fallback`.
    Nameless(FunctionId),
}

/// A message without types whose parts are computed.
pub(super) struct Message {
    pub kind: MessageKind,
    pub to: IBig,
    pub wei: IBig,
    pub data: Vec<u8>,
}

impl Machine<'_> {
    /// A transaction of any data: what comes back, and the events. After a
    /// failure everything is as before.
    pub fn transact_raw(
        &mut self,
        data: Vec<u8>,
        wei: &IBig,
    ) -> Result<(Vec<u8>, Vec<Event>), Stop> {
        self.transaction(wei, Some(data.clone()), |machine| machine.dispatched(&data))
    }

    /// The code of the contract runs on data: what it returns.
    fn dispatched(&mut self, data: &[u8]) -> Result<Vec<u8>, Stop> {
        const REFUSED: Stop = Stop::Revert(Reason::Silent);
        let entry = self.entry(data).ok_or(REFUSED)?;
        if self.run.world.value != IBig::ZERO && !self.is_payable(&entry) {
            return Err(REFUSED);
        }
        let (kinds, values) = match entry {
            Entry::Nameless(function) => {
                self.invoke(function, Vec::new())?;
                return Ok(Vec::new());
            }
            Entry::Function(function) => {
                let ast = self.types.ast;
                let given = self.argued(&kinds_of(self.types, &ast[function].parameters), data)?;
                let given = self.located(function, given);
                let values = self.invoke(function, given)?;
                (kinds_of(self.types, &ast[function].results), values)
            }
            Entry::Getter(variable) => {
                let keys = self.types.ast.getter_keys(variable);
                if !keys.is_empty() {
                    return Err(Stop::Unknown("a getter with keys, by its selector"));
                }
                let values = self.got(variable, Vec::new())?;
                (self.types.ast.getter_results(variable).kinds(), values)
            }
        };
        let values = values.iter().map(|value| self.whole(value));
        let values = values.collect::<Result<Vec<Value>, Stop>>()?;
        let encoded = abi_encoded(self.types, &kinds, &values);
        encoded.ok_or(Stop::Unknown("an encoding of another kind"))
    }

    /// Arguments from data, whole.
    fn argued(&self, kinds: &[TypeId], data: &[u8]) -> Result<Vec<Value>, Stop> {
        let decoded = abi_decoded(self.types, kinds, &data[SELECTOR..]);
        let are_words = kinds.iter().all(|kind| self.types.word(*kind).is_some());
        decoded.ok_or(match are_words && self.run.arithmetic.checked {
            true => Stop::Revert(Reason::Silent),
            false => Stop::Unknown("data that is no encoding"),
        })
    }

    /// What of the contract data reaches, most derived first.
    fn entry(&self, data: &[u8]) -> Option<Entry> {
        if let Some(selector) = data.get(..SELECTOR) {
            let named = self.named(&self.run.line, &number_of(selector));
            if named.is_some() {
                return named;
            }
        }
        let nameless = |name: FunctionName| {
            let mut members = self.members(&self.run.line);
            members.find_map(|member| match member {
                Member::Function(id) if self.types.ast[id].name == name => {
                    Some(Entry::Nameless(id))
                }
                _ => None,
            })
        };
        let received = match data.is_empty() {
            true => nameless(FunctionName::Receive),
            false => None,
        };
        received.or_else(|| nameless(FunctionName::Fallback))
    }

    fn members(&self, line: &[ContractId]) -> impl Iterator<Item = Member> {
        let ast = self.types.ast;
        line.iter()
            .flat_map(|contract| ast[*contract].members.iter().copied())
    }

    /// The function or getter of that selector in a line of contracts.
    fn named(&self, line: &[ContractId], selector: &IBig) -> Option<Entry> {
        let ast = self.types.ast;
        let open = [Visibility::Public.number(), Visibility::External.number()];
        let is_open = |visibility: Option<crate::qualify::Placeholder>| {
            visibility.is_some_and(|at| open.contains(&self.types.values[at.0 as usize]))
        };
        let mut members = self.members(line);
        members.find_map(|member| match member {
            Member::Function(id) if ast[id].body.is_some() && is_open(ast[id].visibility) => {
                let own = self.selector(id).ok()?;
                (number_of(&own) == *selector).then_some(Entry::Function(id))
            }
            Member::Variable(id) if is_open(ast[id].visibility) => {
                let own = keccak256(self.getter_signature(id)?.as_bytes());
                (number_of(&own[..SELECTOR]) == *selector).then_some(Entry::Getter(id))
            }
            _ => None,
        })
    }

    fn getter_signature(&self, variable: VariableId) -> Option<String> {
        let keys = self.types.ast.getter_keys(variable).into_iter();
        let keys = keys.map(|key| match key {
            GetterKey::Index => Some("uint256".to_string()),
            GetterKey::Key(kind) => abi_name(self.types, kind),
        });
        let keys = keys.collect::<Option<Vec<String>>>()?.join(",");
        Some(format!("v{}({keys})", variable.0))
    }

    /// The function of that selector that the contract at an address has.
    pub(super) fn function_of_selector(
        &self,
        to: Option<&IBig>,
        selector: &IBig,
    ) -> Option<FunctionId> {
        let line = match to {
            None => &self.run.line,
            Some(address) => &self.run.others.get(address)?.line,
        };
        match self.named(line, selector)? {
            Entry::Function(id) => Some(id),
            Entry::Getter(_) | Entry::Nameless(_) => None,
        }
    }

    fn is_payable(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Function(id) | Entry::Nameless(id) => {
                self.mutability(*id) == Some(Mutability::Payable.number())
            }
            Entry::Getter(_) => false,
        }
    }

    fn mutability(&self, id: FunctionId) -> Option<u8> {
        let at = self.types.ast[id].mutability?;
        Some(self.types.values[at.0 as usize])
    }

    /// The data of a call of a function, if that is known.
    pub(super) fn call_data(&self, function: FunctionId, values: &[Value]) -> Option<Vec<u8>> {
        if !self.run.world.has_own_names {
            return None;
        }
        let kinds = kinds_of(self.types, &self.types.ast[function].parameters);
        let mut data = self.selector(function).ok()?.to_vec();
        data.extend(abi_encoded(self.types, &kinds, values)?);
        Some(data)
    }

    /// `a.call{value: v}(data)` and the like.
    pub(super) fn message(
        &mut self,
        kind: MessageKind,
        to: ExpressionId,
        wei: Option<ExpressionId>,
        data: ExpressionId,
    ) -> Result<Value, Stop> {
        let members: Vec<ExpressionId> =
            [Some(to), wei, Some(data)].into_iter().flatten().collect();
        let mut values = self.list(&members, After::Copied)?;
        let data = values.pop().ok_or(UNTYPED)?;
        let Value::Bytes(data) = self.whole(&data)? else {
            return Err(UNTYPED);
        };
        let wei = match wei {
            Some(_) => word(values.pop().ok_or(UNTYPED)?)?,
            None => IBig::ZERO,
        };
        let to = word(values.pop().ok_or(UNTYPED)?)?;
        let message = Message {
            kind,
            to,
            wei,
            data,
        };
        let (went, returned) = self.deliver(message)?;
        let went = Value::Word(IBig::from(u8::from(went)));
        let returned = self.in_memory(Value::Bytes(returned));
        Ok(Value::Parts(vec![went, returned]))
    }

    /// Sends a message: whether it went through, and what came back.
    pub(super) fn deliver(&mut self, message: Message) -> Result<(bool, Vec<u8>), Stop> {
        let Message {
            kind,
            to,
            wei,
            data,
        } = message;
        self.note_write(|| Touched::Chain);
        let this = self.run.world.this.as_ref();
        if this.is_none() || to < IBig::from(BUILT_IN) {
            return Err(Stop::Unknown("who is at an address"));
        }
        if !self.can_pay(&wei)? {
            return Ok((false, Vec::new()));
        }
        let to = self.elsewhere(to);
        if !self.has_code(to.as_ref()) {
            if let Some(to) = &to {
                self.pay(to, &wei);
            }
            return Ok((true, Vec::new()));
        }
        let done = match kind {
            MessageKind::Call => {
                let known = Some(data.clone());
                self.visit(to.as_ref(), wei, known, |machine| machine.dispatched(&data))
            }
            MessageKind::Static => self.visit(to.as_ref(), wei, Some(data.clone()), |machine| {
                machine.only_reads(&data)?;
                machine.dispatched(&data)
            }),
            MessageKind::Delegate if to.is_none() => self.delegated(data),
            MessageKind::Delegate => return Err(Stop::Unknown("code of another contract")),
        };
        match done {
            Ok(returned) => Ok((true, returned)),
            Err(stop @ (Stop::Unknown(_) | Stop::TooLong)) => Err(stop),
            Err(stop) => {
                self.forget_failure();
                let returned = self.failure_data(&stop);
                Ok((false, returned.ok_or(Stop::Unknown("what a failure says"))?))
            }
        }
    }

    /// The own code on other data; sender and wei stay.
    fn delegated(&mut self, data: Vec<u8>) -> Result<Vec<u8>, Stop> {
        let before = self.snapshot();
        let outer = self.run.world.data.replace(data.clone());
        let done = self.dispatched(&data);
        self.run.world.data = outer;
        done.map_err(|stop| {
            self.take_back(before);
            self.returned_failure(stop)
        })
    }

    /// Who writes where that is not allowed loses all its gas.
    fn only_reads(&self, data: &[u8]) -> Result<(), Stop> {
        let reading = [Mutability::Pure.number(), Mutability::View.number()];
        let reads = match self.entry(data) {
            Some(Entry::Function(id)) => {
                let own = self.mutability(id);
                own.is_some_and(|own| reading.contains(&own))
            }
            Some(Entry::Nameless(_)) => false,
            Some(Entry::Getter(_)) | None => true,
        };
        match reads {
            true => Ok(()),
            false => Err(Stop::Unknown("a call that may only read")),
        }
    }

    /// The data of a failure.
    fn failure_data(&self, stop: &Stop) -> Option<Vec<u8>> {
        let with = |signature: &str, encoded: Vec<u8>| {
            let mut data = keccak256(signature.as_bytes())[..SELECTOR].to_vec();
            data.extend(encoded);
            data
        };
        match stop {
            Stop::Fault(fault) => {
                let code = super::keccak::big_endian(&IBig::from(fault.code()), 32);
                Some(with("Panic(uint256)", code))
            }
            Stop::Revert(Reason::Silent) => Some(Vec::new()),
            Stop::Revert(Reason::Text(text)) => {
                let text = super::encode::encoded_text(text.as_bytes());
                Some(with("Error(string)", text))
            }
            Stop::Revert(Reason::Signal(id, values)) => {
                let kinds = kinds_of(self.types, &self.types.ast[*id].parameters);
                let encoded = abi_encoded(self.types, &kinds, values)?;
                Some(with(&self.signal_signature(*id)?, encoded))
            }
            Stop::Unknown(_) | Stop::TooLong => None,
        }
    }

    fn signal_signature(&self, id: SignalId) -> Option<String> {
        let kinds = kinds_of(self.types, &self.types.ast[id].parameters);
        let names = kinds.into_iter().map(|kind| abi_name(self.types, kind));
        let names = names.collect::<Option<Vec<String>>>()?.join(",");
        Some(format!("R{}({names})", id.0))
    }

    /// `a.send(wei)`, `a.transfer(wei)`: whether it went through. Who has code
    /// gets so little gas that it matters how much it needs.
    pub(super) fn handed_over(&mut self, to: IBig, wei: IBig) -> Result<bool, Stop> {
        let elsewhere = self.elsewhere(to.clone());
        let line = match &elsewhere {
            _ if !self.has_code(elsewhere.as_ref()) => None,
            None => Some(&self.run.line),
            Some(address) => self.run.others.get(address).map(|other| &other.line),
        };
        if let Some(line) = line {
            let mut members = self.members(line);
            let takes = members.any(|member| match member {
                Member::Function(id) => matches!(
                    self.types.ast[id].name,
                    FunctionName::Receive | FunctionName::Fallback
                ),
                _ => false,
            });
            if takes {
                return Err(Stop::Unknown("a call with little gas"));
            }
        }
        let message = Message {
            kind: MessageKind::Call,
            to,
            wei,
            data: Vec::new(),
        };
        Ok(self.deliver(message)?.0)
    }
}

fn kinds_of(types: Types<'_>, variables: &[VariableId]) -> Vec<TypeId> {
    variables.iter().map(|id| types.ast[*id].kind).collect()
}
