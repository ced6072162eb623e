//! The numbered cases of strategy `template`.
//!
//! Indices come in blocks of `max`. A block is drawn from one random stream:
//! the programs of a template, and if there are fewer than `max`, those of
//! further templates until the block is full. So every index is a case, and
//! any of them is made by making the templates of its block alone.

use lydite_core::{BigUint, Case, Choices, Claim, Part, Reject, Space};

use crate::qualify::Kind;
use crate::template::{Broken, Maker, Template};

/// How many blocks there are: as many as there are random streams.
const BLOCKS: u128 = 1 << 64;

/// How often a draw that comes to nothing is tried again.
const ATTEMPTS: usize = 50;

/// Templates of one dialect and size, and their programs.
pub struct TemplateSpace {
    maker: Maker,
    max: u64,
    stream: u64,
    templates: u64,
    broken: Breaking,
    begin: Begin,
    vary: Vec<Kind>,
}

/// Which of a template's programs is its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    /// A uniformly drawn one.
    Drawn,
    /// The first solution, as ERWIN has it.
    First,
}

/// What is broken in programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breaking {
    /// Nothing.
    Nothing,
    /// One constraint.
    Constraint,
    /// The grammar, at one qualifier.
    Grammar,
    /// `super` reaches a function without a body.
    EmptyCall,
}

/// What is wrong with such a call.
const EMPTY_CALL: &str = "broken: a call by super of a function without a body";

/// Numbers of solutions are told apart by what they leave when divided by it.
const LARGE_PRIME: u64 = 4_294_967_291;

/// The programs of one template that a block has.
struct Row {
    template: Template,
    broken: Option<Broken>,
    /// The solution of its first program.
    begin: BigUint,
    /// How many programs the block takes of it.
    taken: u64,
}

impl TemplateSpace {
    /// The valid programs of all templates of one stream, at most `max` of
    /// each.
    pub fn new(maker: Maker, max: u64, stream: u64) -> TemplateSpace {
        TemplateSpace {
            maker,
            max,
            stream,
            templates: 200,
            broken: Breaking::Nothing,
            begin: Begin::Drawn,
            vary: Kind::ALL.to_vec(),
        }
    }

    /// How many templates are looked at to describe the space.
    pub fn described_by(self, templates: u64) -> TemplateSpace {
        TemplateSpace { templates, ..self }
    }

    /// Programs with one broken constraint, or with what else is broken,
    /// instead.
    pub fn broken(self, broken: Breaking) -> TemplateSpace {
        TemplateSpace { broken, ..self }
    }

    /// Which of its programs a template begins with.
    pub fn beginning(self, begin: Begin) -> TemplateSpace {
        TemplateSpace { begin, ..self }
    }

    /// Programs that differ in these kinds of qualifiers alone: in each template
    /// the others are drawn.
    pub fn varying(self, vary: Vec<Kind>) -> TemplateSpace {
        TemplateSpace { vary, ..self }
    }

    /// A template that has programs, and its break if one is wanted.
    fn draw(&self, choices: &mut Choices) -> Result<(Template, Option<Broken>), Reject> {
        let mark = choices.mark();
        let mut last = Reject::NotApplicable("no template");
        for _ in 0..ATTEMPTS {
            match self.attempt(choices) {
                Ok(drawn) => return Ok(drawn),
                Err(Reject::OutOfChoices) => return Err(Reject::OutOfChoices),
                Err(reject) => last = reject,
            }
            choices.rewind(mark);
        }
        Err(last)
    }

    fn attempt(&self, choices: &mut Choices) -> Result<(Template, Option<Broken>), Reject> {
        let mut template = self.maker.template(choices)?;
        if self.vary.len() < Kind::ALL.len() {
            template = self.maker.varying(template, &self.vary, choices)?;
        }
        if self.broken == Breaking::EmptyCall && !template.has_empty_call() {
            return Err(Reject::NotApplicable("a template without such a call"));
        }
        if self.broken != Breaking::Constraint {
            return Ok((template, None));
        }
        let broken = self.maker.broken(&template, choices)?;
        Ok((template, Some(broken)))
    }

    fn case(&self, row: &Row, number: &BigUint) -> Result<Case, Reject> {
        let solutions = match &row.broken {
            Some(broken) => broken.solutions(),
            None => row.template.solutions(),
        };
        let index = match solutions.count() {
            count if *count <= BigUint::ONE => BigUint::ZERO,
            count => (&row.begin + number * step(count)) % count,
        };
        let Some(solution) = solutions.nth(&index) else {
            return Err(Reject::NotApplicable("a template without programs"));
        };
        if self.broken == Breaking::Grammar {
            return self.violated(row, &solution, &index);
        }
        let program = self.maker.program(&row.template, &solution);
        let (claim, steps) = match &row.broken {
            Some(broken) => (Claim::Rejected, vec![broken.about().to_string()]),
            None if self.broken == Breaking::EmptyCall => {
                (Claim::Rejected, vec![EMPTY_CALL.to_string()])
            }
            None => (Claim::Accepted, Vec::new()),
        };
        Ok(Case {
            steps,
            ..Case::single(program, claim)
        })
    }

    /// A program with a word that the grammar does not have there: which one
    /// changes from solution to solution.
    fn violated(&self, row: &Row, solution: &[u8], index: &BigUint) -> Result<Case, Reject> {
        let number = index % BigUint::from(LARGE_PRIME);
        let number = u64::try_from(&number).unwrap_or_default();
        let violated = self.maker.violated(&row.template, solution, number);
        let (program, about) = violated.ok_or(Reject::NotApplicable("a template without gaps"))?;
        Ok(Case {
            steps: vec![format!("broken: {about}")],
            ..Case::single(program, Claim::Rejected)
        })
    }

    /// The next row of a block that has `left` cases to fill.
    fn row(&self, choices: &mut Choices, left: u64) -> Result<Row, Reject> {
        let (template, broken) = self.draw(choices)?;
        let count = match &broken {
            Some(broken) => broken.solutions().count(),
            None => template.count(),
        };
        let taken = u64::try_from(count).map_or(left, |count| count.min(left));
        if taken == 0 {
            return Err(Reject::NotApplicable("a template without programs"));
        }
        let begin = match self.begin {
            Begin::Drawn => choices.below_big(count)?,
            Begin::First => BigUint::ZERO,
        };
        Ok(Row {
            template,
            broken,
            begin,
            taken,
        })
    }

    fn split(&self, index: &BigUint) -> Option<(u64, u64)> {
        let max = BigUint::from(self.max);
        let block = u64::try_from(index / &max).ok()?;
        let within = u64::try_from(index % &max).ok()?;
        Some((block, within))
    }
}

/// The way from one program of a template to the next: about the golden section
/// of all, and coprime to their count, so that the first few are spread over
/// all of them.
fn step(count: &BigUint) -> BigUint {
    let mut step: BigUint = count * BigUint::from(618_033_989u32) / BigUint::from(1_000_000_000u32);
    step += BigUint::ONE;
    while dashu_int::ops::Gcd::gcd(&step, count) != BigUint::ONE {
        step += BigUint::ONE;
    }
    step
}

impl Space for TemplateSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let (template, broken) = self.draw(choices)?;
        let count = match &broken {
            Some(broken) => broken.solutions().count().clone(),
            None => template.count().clone(),
        };
        let begin = choices.below_big(&count)?;
        let row = Row {
            template,
            broken,
            begin,
            taken: 1,
        };
        self.case(&row, &BigUint::ZERO)
    }

    fn len(&self) -> Option<BigUint> {
        Some(BigUint::from(BLOCKS) * BigUint::from(self.max))
    }

    fn is_infinite(&self) -> bool {
        true
    }

    fn nth(&self, index: &BigUint) -> Result<Case, Reject> {
        let case = self.walk(index).next();
        case.unwrap_or(Err(Reject::NotApplicable("an index beyond all streams")))
    }

    fn walk<'a>(&'a self, index: &BigUint) -> Box<dyn Iterator<Item = Result<Case, Reject>> + 'a> {
        Box::new(Walk {
            space: self,
            at: self.split(index),
            block: None,
        })
    }

    /// Median, least and greatest of what the reduction of constraints does
    /// to the first templates (table 3 of the paper).
    fn parts(&self) -> Vec<Part> {
        describe(self)
    }
}

/// Cases in the order of their indices.
struct Walk<'a> {
    space: &'a TemplateSpace,
    /// The block and the place in it of the next case.
    at: Option<(u64, u64)>,
    block: Option<Block>,
}

/// The rows of a block as far as they were drawn.
struct Block {
    number: u64,
    choices: Choices,
    row: Row,
    /// The place of the row's first case.
    start: u64,
}

impl Walk<'_> {
    fn case(&mut self, number: u64, within: u64) -> Result<Case, Reject> {
        let space = self.space;
        let mut block = match self.block.take() {
            Some(block) if block.number == number && block.start <= within => block,
            _ => {
                let mut choices = Choices::seeded(space.stream, number);
                let row = space.row(&mut choices, space.max)?;
                Block {
                    number,
                    choices,
                    row,
                    start: 0,
                }
            }
        };
        while within >= block.start + block.row.taken {
            block.start += block.row.taken;
            block.row = space.row(&mut block.choices, space.max - block.start)?;
        }
        let case = space.case(&block.row, &BigUint::from(within - block.start));
        self.block = Some(block);
        case
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Case, Reject>;

    fn next(&mut self) -> Option<Result<Case, Reject>> {
        let (number, within) = self.at?;
        let case = self.case(number, within);
        self.at = match within + 1 < self.space.max {
            true => Some((number, within + 1)),
            false => number.checked_add(1).map(|number| (number, 0)),
        };
        Some(case)
    }
}

/// The columns of a description: the spaces before and after the reduction, and
/// how much smaller it makes them (table 3 of the paper has the last).
const COLUMNS: [(Kind, [&str; 3]); 5] = [
    (Kind::Type, ["types", "types reduced", "factor of types"]),
    (
        Kind::Location,
        ["locations", "locations reduced", "factor of locations"],
    ),
    (
        Kind::Visibility,
        [
            "visibilities", "visibilities reduced", "factor of visibilities",
        ],
    ),
    (
        Kind::Mutability,
        [
            "mutabilities", "mutabilities reduced", "factor of mutabilities",
        ],
    ),
    (
        Kind::Persistence,
        [
            "persistences", "persistences reduced", "factor of persistences",
        ],
    ),
];

/// How many placeholders were held to one value, since the diagrams would grow too large.
const PINNED: &str = "pinned";

fn describe(space: &TemplateSpace) -> Vec<Part> {
    let mut counts = Vec::new();
    let mut columns: Vec<Vec<BigUint>> = vec![Vec::new(); 3 * COLUMNS.len() + 1];
    for number in 0..space.templates {
        let mut choices = Choices::seeded(space.stream, number);
        let Ok((template, _)) = space.draw(&mut choices) else {
            continue;
        };
        counts.push(template.count().clone());
        for (at, figures) in template.figures().into_iter().enumerate() {
            let factor = &figures.before / &figures.after;
            let own = [figures.before, figures.after, factor];
            for (column, size) in columns[3 * at..].iter_mut().zip(own) {
                column.push(size);
            }
        }
        columns[3 * COLUMNS.len()].push(BigUint::from(template.pinned));
    }
    if counts.is_empty() {
        return Vec::new();
    }
    counts.sort();
    for column in &mut columns {
        column.sort();
    }
    let names = COLUMNS.iter().flat_map(|(_, names)| *names);
    let names: Vec<&'static str> = names.chain([PINNED]).collect();
    let last = counts.len() - 1;
    [("median", last / 2), ("least", 0), ("most", last)]
        .into_iter()
        .map(|(name, at)| Part {
            name: name.to_string(),
            cases: counts[at].clone(),
            unique: None,
            columns: names
                .iter()
                .zip(&columns)
                .map(|(name, column)| (*name, column[at].clone()))
                .collect(),
        })
        .collect()
}
