//! A template: a program with gaps, and all that may fill them.

use lydite_core::{BigUint, Choices, Program, Reject};

use crate::ast::{Ast, Expression, Layout, Via, Words, lay_out};
use crate::generate::{Draft, Options, draft};
use crate::qualify::{
    ConstraintSet, Kind, Level, Placeholder, Reduced, Relation, Solutions, Theory, reduce,
};
use crate::rules::constraints;
use crate::version::{Dialect, Feature};
use crate::violate::{Violation, violations};

/// How many nodes the diagram of a component may have: beyond, a placeholder
/// is given its value of the witness.
const NODES: usize = 4_000;

/// What is the same for all templates of a space.
#[derive(Clone, Debug)]
pub struct Maker {
    dialect: Dialect,
    theory: Theory,
    words: Words,
    options: Options,
}

/// A program with gaps, and all that may fill them.
#[derive(Clone, Debug)]
pub struct Template {
    layout: Layout,
    /// The program itself.
    pub ast: Ast,
    /// All constraints, before their reduction.
    pub constraints: ConstraintSet,
    /// The constraints between declarations.
    pub reduced: Reduced,
    solutions: Solutions,
    /// How many placeholders had to be given a value to keep the rest small.
    pub pinned: usize,
}

/// The size of the space of one kind of qualifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Which kind.
    pub kind: Kind,
    /// The product of the codomains of all placeholders.
    pub before: BigUint,
    /// The product of the codomains that are left after the reduction.
    pub after: BigUint,
}

impl Maker {
    /// A maker of templates for a dialect.
    pub fn new(dialect: Dialect, options: Options) -> Maker {
        let theory = Theory::new(&dialect);
        let words = Words::new(&dialect);
        Maker {
            dialect,
            theory,
            words,
            options,
        }
    }

    /// The dialect of the templates.
    pub fn dialect(&self) -> &Dialect {
        &self.dialect
    }

    /// The relations that hold in the dialect.
    pub fn theory(&self) -> &Theory {
        &self.theory
    }

    /// Draws a template.
    pub fn template(&self, choices: &mut Choices) -> Result<Template, Reject> {
        let draft = draft(choices, &self.dialect, &self.theory, &self.options)?;
        Ok(self.template_of(draft))
    }

    /// The template of a program.
    pub fn template_of(&self, draft: Draft) -> Template {
        let constraints = constraints(&draft.ast, &self.dialect, &draft.declared);
        let mut reduced = reduce(&constraints, &self.theory);
        let (solutions, pinned) = self.solve(&mut reduced, &draft.witness);
        Template {
            layout: lay_out(&draft.ast, &self.dialect),
            ast: draft.ast,
            constraints,
            reduced,
            solutions,
            pinned,
        }
    }

    /// All solutions, with as many placeholders held to their values in `witness`
    /// as keep the diagrams small, and how many these are.
    fn solve(&self, reduced: &mut Reduced, witness: &[u8]) -> (Solutions, usize) {
        let mut pinned = 0;
        loop {
            match Solutions::new(reduced, &self.theory, NODES) {
                Ok(solutions) => return (solutions, pinned),
                Err(large) => {
                    pinned += 1;
                    pin(reduced, large.variables[0], witness);
                }
            }
        }
    }

    /// The template with its placeholders of all other kinds drawn: what is left
    /// are the combinations of `kinds` that go with them.
    pub fn varying(
        &self,
        template: Template,
        kinds: &[Kind],
        choices: &mut Choices,
    ) -> Result<Template, Reject> {
        let index = choices.below_big(template.count())?;
        let solution = template.solutions.nth(&index);
        let solution = solution.ok_or(Reject::NotApplicable("a template without programs"))?;
        // Afresh: what was held to the witness may be free again.
        let mut reduced = reduce(&template.constraints, &self.theory);
        for variable in 0..reduced.variables() as u32 {
            if !kinds.contains(&reduced.kind(variable)) {
                reduced.restrict(variable, 1 << solution[variable as usize]);
            }
        }
        let value = |number| template.solutions.value(&solution, Placeholder(number));
        let values: Vec<u8> = (0..template.constraints.len() as u32).map(value).collect();
        let (solutions, pinned) = self.solve(&mut reduced, &values);
        Ok(Template {
            reduced,
            solutions,
            pinned,
            ..template
        })
    }

    /// The program of a solution.
    pub fn program(&self, template: &Template, solution: &[u8]) -> Program {
        self.fill(template, |placeholder| {
            template.solutions.value(solution, placeholder)
        })
    }

    /// The program of a solution with a word in it that the grammar does not
    /// have there, and what that is; `number` chooses which.
    pub fn violated(
        &self,
        template: &Template,
        solution: &[u8],
        number: u64,
    ) -> Option<(Program, &'static str)> {
        let value = |placeholder| template.solutions.value(solution, placeholder);
        let all = violations(&template.ast, &template.layout, &self.dialect, value);
        let at = number.checked_rem(all.len() as u64)?;
        let Violation { hole, word, about } = &all[at as usize];
        let other = Some((*hole, word.as_str()));
        let program = template.layout.program_with(&self.words, value, other);
        Some((program, about))
    }

    /// The program with any values in its gaps, valid or not.
    pub fn fill(&self, template: &Template, value: impl Fn(Placeholder) -> u8) -> Program {
        template.layout.program(&self.words, value)
    }
}

/// How many constraints are tried to find one that can be broken.
const BREAKS: usize = 20;

impl Maker {
    /// Breaks exactly one constraint of a template: everything else holds, so
    /// that a compiler has this one reason to refuse.
    pub fn broken(&self, template: &Template, choices: &mut Choices) -> Result<Broken, Reject> {
        let constraints = template.reduced.constraints();
        let firm: Vec<usize> = (0..constraints.len())
            .filter(|&at| self.is_firm(constraints[at].relation))
            .collect();
        if firm.is_empty() {
            return Err(Reject::NotApplicable("no constraint to break"));
        }
        for _ in 0..BREAKS {
            let at = *choices.pick(&firm)?;
            let Ok(solutions) = Solutions::breaking(&template.reduced, &self.theory, at, NODES)
            else {
                continue;
            };
            if *solutions.count() > BigUint::ZERO {
                let about = format!("broken: {}", constraints[at].relation.name());
                return Ok(Broken { solutions, about });
            }
        }
        Err(Reject::NotApplicable("no constraint could be broken"))
    }

    /// True if the compiler refuses whatever breaks the relation. It only
    /// warns in some versions; and conditionals in conditionals are held to a
    /// common location (or type, where signs mix) of all arms, while the
    /// compiler looks at two at a time.
    fn is_firm(&self, relation: Relation) -> bool {
        match relation {
            Relation::Reads
            | Relation::Writes
            | Relation::ReadsState
            | Relation::ReadsNumber
            | Relation::WritesState
            | Relation::Calls
            | Relation::CallsExternally => self.dialect.has(Feature::StrictMutability),
            Relation::Common => !self.dialect.has(Feature::SignWidening),
            Relation::Joins | Relation::JoinsUncopied => false,
            // What is broken there is valid, and not implemented.
            Relation::FlowsUncopied => false,
            // Old versions name no location.
            Relation::Held => self.dialect.has(Feature::Locations),
            // Explicit conversions of payable addresses are left out there.
            Relation::Casts => !self.dialect.has(Feature::FreeCasts),
            _ => true,
        }
    }
}

/// A template with one constraint turned into its opposite.
#[derive(Clone, Debug)]
pub struct Broken {
    solutions: Solutions,
    about: String,
}

impl Broken {
    /// All that satisfies every other constraint and breaks this one.
    pub fn solutions(&self) -> &Solutions {
        &self.solutions
    }

    /// Which relation is broken.
    pub fn about(&self) -> &str {
        &self.about
    }
}

/// Gives a variable its value of the witness.
fn pin(reduced: &mut Reduced, variable: u32, witness: &[u8]) {
    let known = (0..witness.len())
        .find(|&number| reduced.variable(Placeholder(number as u32)) == Some(variable));
    if let Some(number) = known {
        reduced.restrict(variable, 1 << witness[number]);
    }
}

impl Template {
    /// True if `super` reaches a function without a body somewhere.
    pub(crate) fn has_empty_call(&self) -> bool {
        self.ast
            .expressions
            .iter()
            .any(|expression| match expression {
                Expression::Call {
                    function,
                    via: Via::Super,
                    ..
                } => self.ast[*function].body.is_none(),
                _ => false,
            })
    }

    /// How many programs it stands for.
    pub fn count(&self) -> &BigUint {
        self.solutions.count()
    }

    /// All ways to fill the gaps.
    pub fn solutions(&self) -> &Solutions {
        &self.solutions
    }

    /// What the reduction did to the spaces of the kinds of qualifiers
    /// (table 3 of the paper).
    pub fn figures(&self) -> [Figures; 5] {
        Kind::ALL.map(|kind| {
            let size = |domain: u128| BigUint::from(domain.count_ones().max(1));
            let mut before = BigUint::ONE;
            for number in 0..self.constraints.len() as u32 {
                let placeholder = Placeholder(number);
                if self.constraints.kind(placeholder) == kind {
                    before *= size(self.constraints.domain(placeholder));
                }
            }
            let mut after = BigUint::ONE;
            for variable in 0..self.reduced.variables() as u32 {
                if self.reduced.kind(variable) == kind {
                    after *= size(self.reduced.domain(variable));
                }
            }
            Figures {
                kind,
                before,
                after,
            }
        })
    }

    /// True if these values of the placeholders are one of the solutions.
    pub fn accepts(&self, theory: &Theory, value: impl Fn(Placeholder) -> u8) -> bool {
        let mut chosen = vec![None; self.reduced.variables()];
        for number in 0..self.constraints.len() as u32 {
            let placeholder = Placeholder(number);
            let Some(variable) = self.reduced.variable(placeholder) else {
                continue;
            };
            let value = value(placeholder);
            let before = chosen[variable as usize].replace(value);
            let differs = before.is_some_and(|before| before != value);
            if differs || self.reduced.domain(variable) >> value & 1 == 0 {
                return false;
            }
        }
        self.reduced.constraints().iter().all(|constraint| {
            let end = |end: Placeholder| chosen[end.0 as usize];
            match (end(constraint.left), end(constraint.right)) {
                (Some(left), Some(right)) => theory.holds(constraint.relation, left, right),
                _ => false,
            }
        })
    }

    /// How many placeholders declarations have, and expressions.
    pub fn placeholders(&self) -> (usize, usize) {
        let levels = (0..self.constraints.len() as u32)
            .map(|number| self.constraints.level(Placeholder(number)));
        let declared = levels.filter(|level| *level == Level::Declaration).count();
        (declared, self.constraints.len() - declared)
    }
}
