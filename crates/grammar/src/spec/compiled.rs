//! A spec as the engine reads it: attributes are slots, rules are code with a
//! fixed list of sources, templates are segments.

use std::ops::Range;

use super::check::emit::Place;
use super::literal::Literal;
use super::run::{Code, Machine, NoSources, Value};
use super::source::{Problem, Source, Span};
use super::syntax::KnobValue;

/// See the module's documentation.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub code: Code,
    /// The first one is the root's.
    pub classes: Vec<Class>,
    pub productions: Vec<Production>,
    pub rules: Vec<Rule>,
    pub knobs: Vec<(String, KnobValue)>,
    /// Names of the further texts that trees are written in.
    pub texts: Vec<String>,
    /// The slot of the root's attribute that is what the program prints.
    pub output: Option<u32>,
    pub sources: Vec<Source>,
}

#[derive(Debug)]
pub(crate) struct Class {
    pub name: String,
    pub span: Span,
    /// Those in [`Compiled::productions`]; a literal class has none.
    pub productions: Range<usize>,
    /// Inherited attributes have the slots below this.
    pub inherited: u32,
    pub guards: Range<u32>,
    /// Of a node, whatever its production.
    pub slots: u32,
    /// It has guards or generators, or is a unit: its nodes are built by
    /// themselves, after what they depend on.
    pub guarded: bool,
    pub literal: Option<Literal>,
    /// How many texts the literal has.
    pub texts: u64,
    /// How many texts a program draws from, unless told otherwise.
    pub pool: u64,
    /// The alternatives of the literal, as they are written.
    pub shown: Vec<String>,
    /// How likely each of its texts is where a program has them all; empty if
    /// they are alike.
    pub weights: Vec<u64>,
    pub is_list: bool,
    pub list_max: Option<Bound>,
    pub count: Option<Bound>,
    pub max_height: Option<Bound>,
    pub max_alternatives: Option<Bound>,
}

/// A number that an annotation sets, which may depend on the knobs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub name: &'static str,
    pub span: Span,
    /// Its code.
    pub entry: u32,
    /// No larger than this.
    pub limit: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Production {
    pub name: String,
    pub span: Span,
    pub class: u32,
    pub children: Vec<u32>,
    /// The names of the children, then of local values: for messages.
    pub child_names: Vec<String>,
    pub local_names: Vec<String>,
    /// The rule of each of the node's own slots; inherited ones have none.
    pub own: Vec<Option<u32>>,
    /// The rule of each inherited attribute of each child.
    pub passed: Vec<Vec<u32>>,
    /// What depends on each own slot.
    pub own_readers: Vec<Vec<Place>>,
    /// What depends on each slot of each child.
    pub child_readers: Vec<Vec<Vec<Place>>>,
    pub generator: Option<Generator>,
    pub template: Vec<Segment>,
    /// Templates for further texts, by their number in [`Compiled::texts`].
    pub texts: Vec<(u32, Vec<Segment>)>,
    /// Its weight, ...
    pub weight: Option<Weight>,
    /// ... and code of whether it is switched on, of its precedence.
    pub feature: Option<u32>,
    pub precedence: Option<Bound>,
    /// Children in the order in which alternatives are looked for: those that
    /// others depend on come last.
    pub order: Vec<u16>,
    /// The child that continues a list.
    pub tail: Option<u16>,
}

/// How likely a production is.
#[derive(Debug)]
pub(crate) struct Weight {
    pub entry: u32,
    pub span: Span,
    /// Inherited attributes that it reads.
    pub sources: Vec<Place>,
    /// It reads how high the node may be.
    pub by_height: bool,
}

/// The largest weight.
pub(crate) const MAX_WEIGHT: u64 = 1 << 32;

impl Weight {
    /// True if it is not the same for all nodes.
    pub(crate) fn varies(&self) -> bool {
        self.by_height || !self.sources.is_empty()
    }

    /// The number, if it is one that a weight can be.
    pub(crate) fn read(&self, value: &Value) -> Option<u64> {
        let Value::Int(number) = value else {
            return None;
        };
        u64::try_from(*number).ok().filter(|&set| set <= MAX_WEIGHT)
    }
}

/// What is wrong with a weight.
pub(crate) const BAD_WEIGHT: &str = "a weight is a number from 0 to 4294967296";

impl Production {
    /// True if its weight depends on what its node inherits.
    pub(crate) fn weighs_attributes(&self) -> bool {
        let weight = self.weight.as_ref();
        weight.is_some_and(|weight| !weight.sources.is_empty())
    }

    /// Its weight, if that differs from node to node.
    pub(crate) fn varying(&self) -> Option<&Weight> {
        self.weight.as_ref().filter(|weight| weight.varies())
    }
}

#[derive(Debug)]
pub(crate) struct Generator {
    /// Code of the list.
    pub entry: u32,
    /// Where the chosen value goes.
    pub slot: u32,
    /// Inherited attributes that it reads.
    pub sources: Vec<Place>,
}

#[derive(Debug)]
pub(crate) struct Rule {
    pub kind: RuleKind,
    pub sources: Vec<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RuleKind {
    Copy(Place),
    Const(u32),
    Code(u32),
}

/// A part of a template.
#[derive(Debug)]
pub(crate) enum Segment {
    Text(String),
    Child(u16),
    Print {
        entry: u32,
        sources: Vec<Place>,
    },
    Indent,
    Unindent,
    /// Parentheses around the child, where they are needed.
    Open(u16),
    Close(u16),
}

/// What depends on the knobs: settled before the first program.
#[derive(Clone, Debug)]
pub(crate) struct Tuning {
    pub knobs: Vec<KnobValue>,
    /// 0 if it is switched off or never ends.
    pub weight: Vec<u64>,
    /// The least height that a tree of this production has.
    pub least: Vec<u32>,
    /// By how much the height of children is lower.
    pub step: Vec<u32>,
    /// The least height of a tree of a class.
    pub class_least: Vec<u32>,
    /// How tightly a production binds.
    pub precedence: Vec<Option<u32>>,
    /// What the annotations of a class allow.
    pub bounds: Vec<Bounds>,
}

/// What the annotations of a class allow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub list_max: Option<u32>,
    pub count: Option<u32>,
    pub max_height: Option<u32>,
    pub max_alternatives: Option<u32>,
}

impl Production {
    /// How it is written in one of the further texts, or in the first one.
    pub(crate) fn template_of(&self, further: Option<u32>) -> &[Segment] {
        let texts = self.texts.iter();
        let mut own = texts.filter(|(number, _)| Some(*number) == further);
        own.next().map_or(&self.template, |(_, template)| template)
    }
}

impl Bound {
    /// The number, if it is one that the annotation takes.
    pub(crate) fn read(&self, value: &Value) -> Result<u32, Problem> {
        let number = match value {
            Value::Int(number) => u32::try_from(*number).ok(),
            _ => None,
        };
        number
            .filter(|&number| number <= self.limit)
            .ok_or_else(|| {
                let problem = format!("@{} takes a number from 0 to {}", self.name, self.limit);
                Problem::error(self.span, problem)
            })
    }
}

/// Weights without productions that never end, and the heights of
/// [`Tuning`]: `least`, `step`, `class_least`.
type Heights = (Vec<u64>, Vec<u32>, Vec<u32>, Vec<u32>);

/// No tree at all.
const NEVER: u32 = u32::MAX;

impl Compiled {
    /// The knobs as values of a run.
    pub(crate) fn knob_values(knobs: &[KnobValue]) -> Vec<Value> {
        let value = |knob: &KnobValue| match knob {
            KnobValue::Int(number) => Value::Int(*number),
            KnobValue::Bool(value) => Value::Bool(*value),
        };
        knobs.iter().map(value).collect()
    }

    /// Weights and heights with these knobs; refuses what makes no program.
    pub(crate) fn tune(&self, knobs: Vec<KnobValue>) -> Result<Tuning, Problem> {
        let mut machine = Machine::new(&self.code, Compiled::knob_values(&knobs));
        let mut run = |entry: u32| {
            let fault =
                |fault: super::run::Fault| Problem::error(fault.span, fault.kind.to_string());
            machine.run(entry, &NoSources).map_err(fault)
        };
        let mut weight = Vec::new();
        for production in &self.productions {
            let on = match production.feature {
                Some(entry) => run(entry)? == Value::Bool(true),
                None => true,
            };
            let set = match &production.weight {
                // Found out at each node.
                Some(weight) if weight.varies() => 1,
                Some(weight) => {
                    let bad = || Problem::error(production.span, BAD_WEIGHT);
                    weight.read(&run(weight.entry)?).ok_or_else(bad)?
                }
                None => 1,
            };
            weight.push(if on { set } else { 0 });
        }
        let mut number = |bound: &Option<Bound>| {
            let number = |bound: &Bound| bound.read(&run(bound.entry)?);
            bound.as_ref().map(number).transpose()
        };
        let mut precedence = Vec::new();
        for production in &self.productions {
            precedence.push(number(&production.precedence)?);
        }
        let mut bounds = Vec::new();
        for class in &self.classes {
            bounds.push(Bounds {
                list_max: number(&class.list_max)?,
                count: number(&class.count)?,
                max_height: number(&class.max_height)?,
                max_alternatives: number(&class.max_alternatives)?,
            });
        }
        let (weight, least, step, class_least) = self.heights(weight)?;
        Ok(Tuning {
            knobs,
            weight,
            least,
            step,
            class_least,
            precedence,
            bounds,
        })
    }

    /// Least heights (section IV-A2): recursive productions cost one, list
    /// cells are siblings.
    fn heights(&self, mut weight: Vec<u64>) -> Result<Heights, Problem> {
        let step = self.steps(&weight);
        let mut class_least: Vec<u32> = self
            .classes
            .iter()
            .map(|class| match class.literal {
                Some(_) => 0,
                None => NEVER,
            })
            .collect();
        let mut least = vec![NEVER; self.productions.len()];
        loop {
            let mut changed = false;
            // Most specs are written from the top: heights are known below first.
            for (number, production) in self.productions.iter().enumerate().rev() {
                if weight[number] == 0 {
                    continue;
                }
                let children = production.children.iter().enumerate();
                let needs = children.map(|(at, child)| {
                    let step = match production.tail {
                        Some(tail) if usize::from(tail) == at => 0,
                        _ => step[number],
                    };
                    class_least[*child as usize].saturating_add(step)
                });
                let needs = needs.max().unwrap_or(0);
                let class = production.class as usize;
                least[number] = least[number].min(needs);
                if needs < class_least[class] {
                    class_least[class] = needs;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        if class_least[0] == NEVER {
            return Err(self.endless(&weight, &class_least));
        }
        for (number, least) in least.iter().enumerate() {
            if *least == NEVER {
                weight[number] = 0;
            }
        }
        Ok((weight, least, step, class_least))
    }

    /// Why there is no program: a class that may not be written at all, if there
    /// is one, else the first.
    fn endless(&self, weight: &[u64], class_least: &[u32]) -> Problem {
        let never = self.classes.iter().enumerate().find(|(number, class)| {
            let mut productions = class.productions.clone();
            let weightless = productions.all(|production| weight[production] == 0);
            class_least[*number] == NEVER && weightless
        });
        let (class, why) = match never {
            Some((_, class)) => (class, "every production has weight 0 or is switched off"),
            None => (&self.classes[0], "it has no program that ends"),
        };
        Problem::error(class.span, format!("class {}: {why}", class.name))
    }

    /// By how much each production lowers the height of its children.
    fn steps(&self, weight: &[u64]) -> Vec<u32> {
        let reach = self.reach(weight);
        let mut step = vec![0; self.productions.len()];
        for (number, production) in self.productions.iter().enumerate() {
            let class = &self.classes[production.class as usize];
            // The cells of a list count alike, whichever way they go on.
            let alike = match class.is_list {
                true => class.productions.clone(),
                false => number..number + 1,
            };
            let comes_back = alike.into_iter().any(|other| {
                let other = &self.productions[other];
                let children = other.children.iter().enumerate();
                let mut inner = children.filter(|(at, _)| other.tail != Some(*at as u16));
                inner.any(|(_, child)| reach[*child as usize][production.class as usize])
            });
            step[number] = u32::from(comes_back);
        }
        step
    }

    /// Which classes can be inside which.
    fn reach(&self, weight: &[u64]) -> Vec<Vec<bool>> {
        let count = self.classes.len();
        let mut all = Vec::with_capacity(count);
        for from in 0..count {
            let mut seen = vec![false; count];
            let mut todo = vec![from];
            seen[from] = true;
            while let Some(class) = todo.pop() {
                for number in self.classes[class].productions.clone() {
                    if weight[number] == 0 {
                        continue;
                    }
                    for &child in &self.productions[number].children {
                        if !seen[child as usize] {
                            seen[child as usize] = true;
                            todo.push(child as usize);
                        }
                    }
                }
            }
            all.push(seen);
        }
        all
    }
}
