//! The generator: what programs are made of, drawn by policies.
//!
//! `policy` has what is drawn and how often, as tables; `places` what can be
//! read and written, `literals` the values that are written out. Two kinds of
//! programs are made of these. Where every type is decided, a program stands
//! on a `Stage`, and `Terms` draws expressions of exactly one type for it:
//! for `assigned` and `expressions`, and among live variables for `equivalent`.
//! Strategy `copies` draws types and places on a stage. Where types are open,
//! [`draft`] draws a template:
//! declarations, then expressions top-down within them.
//!
//! These are two orders of drawing and not one, because they know different
//! things when they draw. On a stage every type is decided and the program runs
//! while it grows, so a term is drawn from its type down to places that exist,
//! and its value is at hand for a repair. In a template a type is a placeholder,
//! no program runs before it is closed, and whatever an expression lacks is
//! declared for it. `copies` begins at the other end: it draws two places and
//! asks how data can get from one to the other; it has no operators and no
//! terms. What is the same for all of them is shared: tables, places,
//! literals, statements of the syntax, and the typing ([`crate::typing`]).
//!
//! ERWIN keeps a constraint set while it draws and asks of every step whether
//! the set is still solvable. Here a *witness* is kept: one value for each
//! placeholder, under which everything drawn so far is valid. A step that
//! keeps the witness keeps the set solvable, so no step is taken back and
//! nothing is searched. The constraints themselves follow from the finished
//! program ([`crate::rules`]).
//!
//! Where no declaration in scope has what an expression needs, one is added
//! (`context_update` of algorithm 1): a local variable before the statement,
//! or a state variable.

mod arrays;
mod assembly;
mod bases;
mod call_options;
mod calls;
mod composites;
mod context;
mod control;
mod declarations;
mod encoding;
mod environment;
mod expressions;
mod functions;
mod getters;
mod literals;
mod messages;
mod names;
mod operators;
mod options;
mod persistence;
mod places;
mod pointers;
mod policy;
mod recursion;
mod seen;
mod stage;
mod statements;
mod storage;
mod terms;
mod tuples;
mod types;
mod weights;

pub use options::{Options, SETTINGS};

pub(crate) use literals::any_word;
pub(crate) use options::WEIGHTS;
pub(crate) use places::{NamePlaces, Place, Step, number};
pub(crate) use policy::{COMPUTED, LIVE, MOVED, MOVED_REACH, draw_elementary};
pub(crate) use stage::{CONTRACT, Stage};
pub(crate) use terms::{Terms, Vocabulary};
pub use weights::Weights;

use lydite_core::{Choices, Reject};

use crate::ast::{
    Ast, ContractId, Expression, ExpressionId, FunctionId, OperatorSign, Owner, Statement,
    StatementId, ValueTypeId, VariableId,
};
use crate::qualify::{ConstraintSet, Kind, Level, Placeholder, Theory};
use crate::types::{Domain, Elementary};
use crate::version::{Dialect, Feature};
use weights::Draw;

/// A program with open qualifiers and one way to close them.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The program.
    pub ast: Ast,
    /// The placeholders of its declarations, with their first codomains.
    pub declared: ConstraintSet,
    /// A value for each of them that makes the program valid.
    pub witness: Vec<u8>,
}

/// Draws a program.
pub fn draft(
    choices: &mut Choices,
    dialect: &Dialect,
    theory: &Theory,
    options: &Options,
) -> Result<Draft, Reject> {
    let options = &options.draw(choices)?;
    let mut generator = Generator {
        choices,
        dialect,
        theory,
        options,
        types: crate::qualify::writable(dialect, options.widths),
        ast: Ast::default(),
        declared: ConstraintSet::default(),
        witness: Vec::new(),
        intents: Vec::new(),
        modifier_intents: Vec::new(),
        referenced: Vec::new(),
        operators: Vec::new(),
        rounds: Vec::new(),
        frame: Frame::initializer(),
    };
    generator.program()?;
    Ok(Draft {
        ast: generator.ast,
        declared: generator.declared,
        witness: generator.witness,
    })
}

/// How far a function is allowed to go, so that `view` and `pure` remain
/// possible for some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Intent {
    Pure,
    View,
    Write,
}

/// Where code is being drawn.
struct Frame {
    owner: Owner,
    contract: Option<ContractId>,
    intent: Intent,
    /// Variables that can be seen, outermost first.
    scope: Vec<VariableId>,
    /// Stack slots that are taken.
    slots: u32,
    /// Declarations that have to stand before the present statement.
    pending: Vec<StatementId>,
    /// Statements that may still be drawn.
    statements: u32,
    in_loop: bool,
    in_unchecked: bool,
    /// The compiler computes with constants where it looks for a zero or an
    /// index out of bounds, and refuses what overflows.
    no_constants: bool,
}

impl Frame {
    fn initializer() -> Frame {
        Frame {
            owner: Owner::Initializer,
            contract: None,
            intent: Intent::Pure,
            scope: Vec::new(),
            slots: 0,
            pending: Vec::new(),
            statements: 0,
            in_loop: false,
            in_unchecked: false,
            no_constants: false,
        }
    }
}

struct Generator<'a> {
    choices: &'a mut Choices,
    dialect: &'a Dialect,
    theory: &'a Theory,
    options: &'a Options,
    /// The elementary types that programs use.
    types: Domain,
    ast: Ast,
    declared: ConstraintSet,
    witness: Vec<u8>,
    /// By function.
    intents: Vec<Intent>,
    /// By modifier.
    modifier_intents: Vec<Intent>,
    /// Functions that are used as values.
    referenced: Vec<FunctionId>,
    /// Operators of user-defined value types.
    operators: Vec<(ValueTypeId, FunctionId, OperatorSign)>,
    /// Functions that call themselves or each other.
    rounds: Vec<recursion::Round>,
    frame: Frame,
}

impl Generator<'_> {
    fn has(&self, feature: Feature) -> bool {
        self.dialect.has(feature)
    }

    /// A placeholder of a declaration, and its value in the witness.
    fn declare(&mut self, kind: Kind, domain: Domain, value: u8) -> Placeholder {
        debug_assert!(domain >> value & 1 == 1, "{kind:?} {domain:x} {value}");
        self.witness.push(value);
        self.declared.add(kind, Level::Declaration, domain)
    }

    fn witness(&self, placeholder: Placeholder) -> u8 {
        self.witness[placeholder.0 as usize]
    }

    fn witness_type(&self, placeholder: Placeholder) -> Elementary {
        self.under_witness().elementary(placeholder)
    }

    fn expression(&mut self, expression: Expression) -> ExpressionId {
        self.note_use(&expression);
        self.ast.add_expression(self.frame.owner, expression)
    }

    fn statement(&mut self, statement: Statement) -> StatementId {
        self.ast.add_statement(self.frame.owner, statement)
    }

    /// True as often as the table of weights says.
    fn often(&mut self, draw: Draw) -> Result<bool, Reject> {
        self.percent(self.options.weights.percent(draw))
    }

    /// The weight of a row of the table of weights.
    fn weight(&self, draw: Draw) -> u64 {
        self.options.weights.weight(draw)
    }

    /// True with `percent` of a hundred.
    fn percent(&mut self, percent: u32) -> Result<bool, Reject> {
        match percent {
            0 => Ok(false),
            100.. => Ok(true),
            percent => self.choices.chance(u64::from(percent), 100),
        }
    }
}
