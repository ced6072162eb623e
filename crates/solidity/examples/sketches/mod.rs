//! Small templates written by hand, those of the paper among them: every
//! combination of their qualifiers can be tried on a compiler.

use lydite_core::Program;
use lydite_core::version::Version;
use lydite_solidity::Maker;
use lydite_solidity::ast::{
    Ast, BinaryOp, Contract, ContractId, ContractKind, Expression, ExpressionId, Function,
    FunctionId, FunctionName, Item, Literal, Member, Owner, Role, Statement, Struct, StructId,
    Type, TypeId, Variable, VariableId, Via,
};
use lydite_solidity::generate::{Draft, Options};
use lydite_solidity::qualify::{ConstraintSet, Kind, Level, Placeholder};
use lydite_solidity::types::{Domain, Elementary, Location, Mutability, Visibility, values};
use lydite_solidity::version::{Dialect, OLDEST};

const MEMORY: Domain = Location::Memory.bit();
const LOCATIONS: Domain = MEMORY | Location::Storage.bit() | Location::Calldata.bit();
const PUBLIC: Domain = Visibility::Public.bit();
const EXTERNAL: Domain = Visibility::External.bit();
const OUTSIDE: Domain = PUBLIC | EXTERNAL;
const INTERNAL: Domain = Visibility::Internal.bit();
const VISIBILITIES: Domain = OUTSIDE | INTERNAL | Visibility::Private.bit();
const PURE: Domain = Mutability::Pure.bit();
const PLAIN: Domain = Mutability::NonPayable.bit();
const MUTABILITIES: Domain = PURE | PLAIN | Mutability::View.bit() | Mutability::Payable.bit();
const BOOL: Domain = Elementary::BOOL.bit();
const BYTE: Domain = Elementary::uint(8).bit();
const UINTS: Domain = BYTE | Elementary::uint(16).bit();
const NUMBERS: Domain = UINTS | Elementary::int(8).bit() | Elementary::int(16).bit();
const CONVERTED: Domain = Elementary::ADDRESS.bit()
    | Elementary::uint(160).bit()
    | Elementary::fixed_bytes(20).bit()
    | BYTE;

/// A template and its name.
pub(crate) struct Sketch {
    /// What it is about.
    pub(crate) name: &'static str,
    /// Before this version the rules leave out some of what the compiler
    /// takes, as the documentation lists it.
    exact_from: &'static str,
    draw: fn(&mut Drawing),
}

/// All of them.
pub(crate) const SKETCHES: [Sketch; 11] = [
    sketch("figure 2 of the paper, issue 9134", figure_two),
    sketch("listing 5 of the paper, issue 10105", listing_five),
    sketch("arms of a conditional", |drawing| {
        conditional(drawing, 1, INTERNAL)
    }),
    sketch("arms of nested arrays", |drawing| {
        conditional(drawing, 2, PUBLIC)
    }),
    sketch("explicit conversions", |drawing| {
        conversion(drawing, CONVERTED)
    }),
    Sketch {
        exact_from: "0.8.0",
        ..sketch("explicit conversions of payable addresses", |drawing| {
            conversion(drawing, Elementary::PAYABLE.bit());
        })
    },
    Sketch {
        exact_from: "0.8.2",
        ..sketch("a sum", sum)
    },
    sketch("a chain of calls", calls),
    sketch("an override", overriding),
    sketch("a pointer that is written through", pointer),
    sketch("a mapping and its getter", mapping),
];

const fn sketch(name: &'static str, draw: fn(&mut Drawing)) -> Sketch {
    Sketch {
        name,
        exact_from: OLDEST,
        draw,
    }
}

impl Sketch {
    /// Every combination of qualifiers, and whether we say that it is valid;
    /// where the rules are known to be narrow, only what is.
    pub(crate) fn combinations(&self, version: &str) -> Vec<(Program, bool)> {
        let dialect: Dialect = version.parse().expect("a version");
        let maker = Maker::new(dialect, Options::default());
        let mut drawing = Drawing::default();
        (self.draw)(&mut drawing);
        let domains: Vec<Vec<u8>> = (0..drawing.declared.len() as u32)
            .map(|number| values(drawing.declared.domain(Placeholder(number))).collect())
            .collect();
        let template = maker.template_of(Draft {
            witness: domains.iter().map(|domain| domain[0]).collect(),
            ast: drawing.ast,
            declared: drawing.declared,
        });
        let many: usize = domains.iter().map(Vec::len).product();
        let all = (0..many).map(|combination| {
            let mut rest = combination;
            let mut chosen = Vec::new();
            for domain in &domains {
                chosen.push(domain[rest % domain.len()]);
                rest /= domain.len();
            }
            let value = |placeholder: Placeholder| chosen[placeholder.0 as usize];
            let accepted = template.accepts(maker.theory(), value);
            (maker.fill(&template, value), accepted)
        });
        let exact = *maker.dialect().version() >= Version::new(self.exact_from);
        all.filter(|(_, accepted)| *accepted || exact).collect()
    }
}

/// A program in the making.
#[derive(Default)]
struct Drawing {
    ast: Ast,
    declared: ConstraintSet,
}

impl Drawing {
    fn open(&mut self, kind: Kind, domain: Domain) -> Placeholder {
        self.declared.add(kind, Level::Declaration, domain)
    }

    fn contract(&mut self, bases: Vec<ContractId>) -> ContractId {
        let id = ContractId(self.ast.contracts.len() as u32);
        self.ast.contracts.push(Contract {
            kind: ContractKind::Contract,
            bases,
            using: Vec::new(),
            members: Vec::new(),
        });
        self.ast.files.resize(1, Vec::new());
        self.ast.files[0].push(Item::Contract(id));
        id
    }

    fn elementary(&mut self, types: Domain) -> TypeId {
        let own = self.open(Kind::Type, types);
        self.ast.add_type(Type::Elementary(own))
    }

    /// `uint8[]`, `uint8[][]`, …
    fn array(&mut self, depth: usize) -> TypeId {
        let mut kind = self.elementary(BYTE);
        for _ in 0..depth {
            let element = kind;
            let length = None;
            kind = self.ast.add_type(Type::Array { element, length });
        }
        kind
    }

    fn variable(&mut self, role: Role, kind: TypeId, locations: Option<Domain>) -> VariableId {
        let location = locations.map(|domain| self.open(Kind::Location, domain));
        self.ast.add_variable(Variable {
            role,
            kind,
            location,
            visibility: None,
            value: None,
        })
    }

    fn state(&mut self, contract: ContractId, kind: TypeId, visibilities: Domain) -> VariableId {
        let id = self.variable(Role::State(contract), kind, None);
        self.ast[id].visibility = Some(self.open(Kind::Visibility, visibilities));
        self.ast[contract].members.push(Member::Variable(id));
        id
    }

    /// A function that does nothing yet.
    fn function(
        &mut self,
        contract: ContractId,
        parameters: Vec<VariableId>,
        results: Vec<VariableId>,
        [visibilities, mutabilities]: [Domain; 2],
    ) -> FunctionId {
        let id = FunctionId(self.ast.functions.len() as u32);
        let function = Function {
            name: FunctionName::Named(id.0),
            contract: Some(contract),
            parameters,
            results,
            visibility: Some(self.open(Kind::Visibility, visibilities)),
            mutability: Some(self.open(Kind::Mutability, mutabilities)),
            modifiers: Vec::new(),
            is_virtual: false,
            is_override: false,
            body: Some(Vec::new()),
        };
        self.ast.functions.push(function);
        self.ast[contract].members.push(Member::Function(id));
        id
    }

    fn expression(&mut self, owner: FunctionId, expression: Expression) -> ExpressionId {
        self.ast.add_expression(Owner::Function(owner), expression)
    }

    fn read(&mut self, owner: FunctionId, variable: VariableId) -> ExpressionId {
        self.expression(owner, Expression::Variable(variable))
    }

    fn number(&mut self, owner: FunctionId, value: u64) -> ExpressionId {
        let negative = false;
        let literal = Literal::Number { value, negative };
        self.expression(owner, Expression::Literal(literal))
    }

    fn say(&mut self, owner: FunctionId, statement: Statement) {
        let id = self.ast.add_statement(Owner::Function(owner), statement);
        let body = self.ast[owner].body.as_mut();
        body.expect("a function of ours has a body").push(id);
    }

    fn do_it(&mut self, owner: FunctionId, expression: Expression) {
        let value = self.expression(owner, expression);
        self.say(owner, Statement::Expression(value));
    }

    fn assign(&mut self, owner: FunctionId, target: ExpressionId, value: ExpressionId) {
        let op = None;
        self.do_it(owner, Expression::Assign { op, target, value });
    }

    fn declare(&mut self, owner: FunctionId, variable: VariableId, value: ExpressionId) {
        let (variables, value) = (vec![Some(variable)], Some(value));
        self.say(owner, Statement::Declare { variables, value });
    }
}

/// A parameter is assigned to itself and returned, and another function calls
/// this one through `this`.
fn figure_two(drawing: &mut Drawing) {
    let contract = drawing.contract(Vec::new());
    let kinds = [drawing.array(1), drawing.array(1), drawing.array(1)];
    let given = drawing.variable(Role::Parameter, kinds[0], Some(LOCATIONS));
    let result = drawing.variable(Role::Result, kinds[1], Some(LOCATIONS));
    let open = [VISIBILITIES, PURE | PLAIN];
    let called = drawing.function(contract, vec![given], vec![result], open);
    let (target, value) = (drawing.read(called, given), drawing.read(called, given));
    drawing.assign(called, target, value);
    let returned = drawing.read(called, given);
    drawing.say(called, Statement::Return(vec![returned]));
    let other = drawing.variable(Role::Parameter, kinds[2], Some(MEMORY));
    let caller = drawing.function(contract, vec![other], Vec::new(), [PUBLIC, PLAIN]);
    let argument = drawing.read(caller, other);
    let (function, via, arguments) = (called, Via::This, vec![argument]);
    let call = Expression::Call {
        function,
        via,
        arguments,
    };
    drawing.do_it(caller, call);
}

/// A struct with a nested array is given to a function, which copies it.
fn listing_five(drawing: &mut Drawing) {
    let contract = drawing.contract(Vec::new());
    let id = StructId(0);
    let nested = drawing.array(2);
    let field = drawing.variable(Role::Field(id), nested, None);
    drawing.ast.structs.push(Struct {
        contract: Some(contract),
        fields: vec![field],
    });
    drawing.ast[contract].members.push(Member::Struct(id));
    let kind = drawing.ast.add_type(Type::Struct(id));
    let given = drawing.variable(Role::Parameter, kind, Some(LOCATIONS));
    let local = drawing.variable(Role::Local, kind, Some(LOCATIONS));
    let function = drawing.function(contract, vec![given], Vec::new(), [OUTSIDE, PLAIN]);
    let value = drawing.read(function, given);
    drawing.declare(function, local, value);
}

/// One of two arrays becomes a local variable. An internal function that
/// nobody calls is not compiled, so only a public one shows what cannot be.
fn conditional(drawing: &mut Drawing, depth: usize, visibility: Domain) {
    let contract = drawing.contract(Vec::new());
    let boolean = drawing.elementary(BOOL);
    let condition = drawing.variable(Role::Parameter, boolean, None);
    let arms = [drawing.array(depth), drawing.array(depth)]
        .map(|kind| drawing.variable(Role::Parameter, kind, Some(LOCATIONS)));
    let kind = drawing.array(depth);
    let local = drawing.variable(Role::Local, kind, Some(LOCATIONS));
    let parameters = vec![condition, arms[0], arms[1]];
    let function = drawing.function(contract, parameters, Vec::new(), [visibility, PLAIN]);
    let [condition, yes, no] =
        [condition, arms[0], arms[1]].map(|variable| drawing.read(function, variable));
    let value = drawing.expression(function, Expression::Conditional { condition, yes, no });
    drawing.declare(function, local, value);
}

fn conversion(drawing: &mut Drawing, types: Domain) {
    let contract = drawing.contract(Vec::new());
    let kind = drawing.elementary(types);
    let given = drawing.variable(Role::Parameter, kind, None);
    let function = drawing.function(contract, vec![given], Vec::new(), [PUBLIC, PURE]);
    let operand = drawing.read(function, given);
    let kind = drawing.elementary(CONVERTED);
    drawing.do_it(function, Expression::Cast { kind, operand });
}

fn sum(drawing: &mut Drawing) {
    let contract = drawing.contract(Vec::new());
    let [left, right, local] = [Role::Parameter, Role::Parameter, Role::Local].map(|role| {
        let kind = drawing.elementary(NUMBERS);
        drawing.variable(role, kind, None)
    });
    let function = drawing.function(contract, vec![left, right], Vec::new(), [PUBLIC, PURE]);
    let [left, right] = [left, right].map(|variable| drawing.read(function, variable));
    let op = BinaryOp::Add;
    let value = drawing.expression(function, Expression::Binary { op, left, right });
    drawing.declare(function, local, value);
}

/// A function reads a state variable, and another calls it by its name.
fn calls(drawing: &mut Drawing) {
    let contract = drawing.contract(Vec::new());
    let kinds = [drawing.elementary(BYTE), drawing.elementary(BYTE)];
    let stored = drawing.state(contract, kinds[0], INTERNAL);
    let result = drawing.variable(Role::Result, kinds[1], None);
    let open = [VISIBILITIES, MUTABILITIES];
    let called = drawing.function(contract, Vec::new(), vec![result], open);
    let returned = drawing.read(called, stored);
    drawing.say(called, Statement::Return(vec![returned]));
    let caller = drawing.function(contract, Vec::new(), Vec::new(), [PUBLIC, MUTABILITIES]);
    let (function, via, arguments) = (called, Via::Name, Vec::new());
    let call = Expression::Call {
        function,
        via,
        arguments,
    };
    drawing.do_it(caller, call);
}

fn overriding(drawing: &mut Drawing) {
    let base = drawing.contract(Vec::new());
    let own = drawing.contract(vec![base]);
    let open = [OUTSIDE, MUTABILITIES];
    let overridden = drawing.function(base, Vec::new(), Vec::new(), open);
    let overriding = drawing.function(own, Vec::new(), Vec::new(), open);
    drawing.ast[overridden].is_virtual = true;
    drawing.ast[overriding].is_override = true;
    drawing.ast[overriding].name = drawing.ast[overridden].name;
}

fn pointer(drawing: &mut Drawing) {
    let contract = drawing.contract(Vec::new());
    let kind = drawing.array(1);
    let given = drawing.variable(Role::Parameter, kind, Some(LOCATIONS));
    let function = drawing.function(
        contract,
        vec![given],
        Vec::new(),
        [VISIBILITIES, MUTABILITIES],
    );
    let (base, index) = (drawing.read(function, given), drawing.number(function, 0));
    let target = drawing.expression(function, Expression::Index { base, index });
    let value = drawing.number(function, 1);
    drawing.assign(function, target, value);
}

/// `this.m(k)` of a mapping, whose value becomes a local variable.
fn mapping(drawing: &mut Drawing) {
    let contract = drawing.contract(Vec::new());
    let [key, value, given, taken] = [UINTS; 4].map(|domain| drawing.elementary(domain));
    let kind = drawing.ast.add_type(Type::Mapping { key, value });
    let variable = drawing.state(contract, kind, VISIBILITIES & !EXTERNAL);
    let given = drawing.variable(Role::Parameter, given, None);
    let local = drawing.variable(Role::Local, taken, None);
    let function = drawing.function(contract, vec![given], Vec::new(), [PUBLIC, PLAIN]);
    let (via, arguments) = (Via::This, vec![drawing.read(function, given)]);
    let got = drawing.expression(
        function,
        Expression::Getter {
            variable,
            via,
            arguments,
        },
    );
    drawing.declare(function, local, got);
}
