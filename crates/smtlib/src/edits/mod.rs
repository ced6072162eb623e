//! Smaller scripts for a reduction to try, largest cut first.
//!
//! A candidate is planned as a few words of data and made only when it is
//! asked for: the change is applied to the one arena, the script is typed and
//! printed, the change is taken back. What is not well-sorted is passed over.

mod apply;
mod declared;
mod floats;
mod plan;
mod simplest;
mod widths;

use lydite_core::{Edit, Program};

use crate::operators::Operators;
use crate::print;
use crate::syntax::{self, Script, TermId};
use crate::typing::{self, Typed};
use apply::Undo;
use plan::Plan;
pub(crate) use simplest::simplest;

/// More plans than this are not made at once; the reduction asks again after
/// every success.
const MAX_PLANS: usize = 50_000;

/// The edits of one program.
pub struct Edits<'a> {
    program: Program,
    operators: &'a Operators,
    script: Script,
    typed: Option<Typed>,
    /// As the script prints, to skip what changes nothing.
    before: String,
    plans: std::vec::IntoIter<Plan>,
}

/// What a plan does.
#[derive(Clone, Debug, PartialEq)]
enum Change {
    /// Leaves out commands: indices into the script.
    Drop(std::sync::Arc<[u32]>, std::ops::Range<u32>, &'static str),
    /// A term becomes one of its subterms.
    Hoist(TermId, TermId),
    /// A term becomes the simplest value of its sort, or the next simplest.
    Simplest(TermId, u8),
    /// An application loses arguments.
    DropArguments(TermId, std::ops::Range<u32>),
    /// A `let` loses a binding that is not used.
    DropBinding(TermId, u32),
    /// A `let` loses a binding; its term takes the variable's place.
    Inline(TermId, u32),
    /// A definition's body takes the place of its calls.
    InlineDefinition(u32),
    /// A declared constant becomes the simplest value everywhere, or the next
    /// simplest.
    FixConstant(u32, u8),
    /// A quantifier's variables become the simplest values.
    Instantiate(TermId),
    /// A quantifier loses a variable, which becomes the simplest value.
    DropVariable(TermId, u32),
    /// A literal becomes smaller.
    Shrink(TermId, u8),
    /// All bit-vectors of one width get another.
    Width(u32, u32),
    /// All widths of bit-vectors become so many times smaller.
    Widths(u32),
    /// `check-sat-assuming` becomes `check-sat`, `assert-soft` becomes `assert`.
    Plain(u32),
    /// All names become short.
    Rename,
    /// A term becomes a constant that is declared anyway, named by its text.
    Constant(TermId, std::sync::Arc<str>),
    /// A term becomes a new constant.
    Fresh(TermId),
    /// The constant of one declaration becomes that of another.
    Unify(u32, u32),
    /// An assertion that a constant is a term; the term takes its place.
    Substitute(u32),
    /// A conjunction becomes one assertion for each of its parts, so that
    /// these can be substituted.
    SplitConjunction(u32),
    /// An assertion goes; a term of it takes the place of a leaf elsewhere.
    Merge(u32, TermId, TermId),
    /// A declared function loses a parameter.
    DropParameter(u32, u32),
    /// A declaration loses a datatype.
    DropDatatype(u32, u32),
    /// A datatype of a declaration loses a constructor.
    DropConstructor(u32, u32, u32),
    /// A constructor of a datatype of a declaration loses a selector.
    DropSelector(u32, u32, u32, u32),
    /// All floats of one format get another.
    Float((u32, u32), (u32, u32)),
    /// The same, and bit-vectors that have a bit for each of a float's.
    FloatBits((u32, u32), (u32, u32)),
    /// Functions without parameters are declared as constants.
    Constants,
}

impl Change {
    /// True if every model of the script stays one.
    fn keeps_meaning(&self) -> bool {
        match self {
            Change::Drop(_, _, what) => *what == plan::DECLARATIONS,
            Change::DropBinding(..)
            | Change::Inline(..)
            | Change::InlineDefinition(_)
            | Change::Rename
            | Change::Substitute(_)
            | Change::SplitConjunction(_)
            | Change::Constants => true,
            _ => false,
        }
    }
}

impl<'a> Edits<'a> {
    /// The edits of a program; none if it does not read or is not well-sorted.
    pub fn new(program: &Program, operators: &'a Operators) -> Edits<'a> {
        let script = syntax::parse(&program.source().text).unwrap_or_default();
        let options = typing::Options {
            strict: false,
            operators,
        };
        let typed = typing::check(&script, &options).ok();
        let plans = match &typed {
            Some(typed) => plan::plans(&script, typed),
            None => Vec::new(),
        };
        Edits {
            program: program.clone(),
            operators,
            before: print::script(&script),
            script,
            typed,
            plans: plans.into_iter(),
        }
    }

    fn make(&mut self, plan: &Plan) -> Option<Edit> {
        let typed = self.typed.as_ref()?;
        let mut undo = Undo::default();
        let applied = apply::apply(&mut self.script, typed, &plan.change, &mut undo);
        let options = typing::Options {
            strict: false,
            operators: self.operators,
        };
        let text = applied.and_then(|what| {
            let made = typing::check(&self.script, &options).ok()?;
            // Without a `pop` two declarations may meet.
            if made.overloaded.is_some() && typed.overloaded.is_none() {
                return None;
            }
            Some((what, print::script(&self.script)))
        });
        undo.take_back(&mut self.script);
        let (what, text) = text?;
        // A declaration more must pay.
        let longer = matches!(plan.change, Change::Fresh(_)) && text.len() >= self.before.len();
        if text == self.before || longer {
            return None;
        }
        let mut program = self.program.clone();
        program.files[0].text = text.into_bytes().into();
        Some(Edit {
            what,
            program,
            keeps_meaning: plan.change.keeps_meaning(),
        })
    }
}

impl Iterator for Edits<'_> {
    type Item = Edit;

    fn next(&mut self) -> Option<Edit> {
        loop {
            let plan = self.plans.next()?;
            if let Some(edit) = self.make(&plan) {
                return Some(edit);
            }
        }
    }
}
