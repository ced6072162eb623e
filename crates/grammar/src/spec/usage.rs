//! What programs consist of: how often each production and each alternative of a
//! literal class came up, how deep, and how often in vain.

use std::collections::BTreeMap;

use super::compiled::Compiled;

/// How often productions and alternatives came up in programs.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    /// In the order of the spec.
    pub productions: Vec<ProductionUsage>,
    /// Alternatives of literal classes, in the order of the spec.
    pub alternatives: Vec<AlternativeUsage>,
    /// How many programs were finished.
    pub programs: u64,
    /// Which alternatives a class has, and those of texts that came up.
    classes: BTreeMap<u32, LiteralUsage>,
}

/// One production.
#[derive(Clone, Debug)]
pub struct ProductionUsage {
    /// Its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// How often it was chosen, ...
    pub chosen: u64,
    /// ... and how often it is in a finished program: the rest was taken back.
    pub used: u64,
    /// How many programs have it.
    pub programs: u64,
    /// How many nodes are above it, summed over all uses, ...
    pub depth: u64,
    /// ... and at most.
    pub deepest: u64,
    /// The last program that had it.
    last: u64,
}

/// One alternative of a literal class.
#[derive(Clone, Debug)]
pub struct AlternativeUsage {
    /// Its class.
    pub class: String,
    /// As it is written.
    pub text: String,
    /// How often it is written in its class.
    pub written: u64,
    /// How often it is in a finished program.
    pub used: u64,
}

#[derive(Clone, Debug, Default)]
struct LiteralUsage {
    /// Which of all alternatives each of the class is.
    numbers: Vec<usize>,
    of_texts: BTreeMap<String, usize>,
}

impl ProductionUsage {
    /// How deep it is, on the average.
    pub fn mean_depth(&self) -> f64 {
        self.depth as f64 / self.used.max(1) as f64
    }
}

impl Usage {
    pub(super) fn of(compiled: &Compiled) -> Usage {
        let mut usage = Usage::default();
        for (number, class) in compiled.classes.iter().enumerate() {
            for production in &compiled.productions[class.productions.clone()] {
                usage.productions.push(ProductionUsage {
                    class: class.name.clone(),
                    name: production.name.clone(),
                    chosen: 0,
                    used: 0,
                    programs: 0,
                    depth: 0,
                    deepest: 0,
                    last: 0,
                });
            }
            if class.literal.is_some() {
                let literal = usage.literal(&class.name, &class.shown);
                usage.classes.insert(number as u32, literal);
            }
        }
        usage
    }

    /// Adds the alternatives of a class; one that is written twice is one.
    fn literal(&mut self, class: &str, shown: &[String]) -> LiteralUsage {
        let first = self.alternatives.len();
        let mut literal = LiteralUsage::default();
        for text in shown {
            let mut known = self.alternatives[first..].iter();
            let number = match known.position(|other| other.text == *text) {
                Some(place) => first + place,
                None => {
                    self.alternatives.push(AlternativeUsage {
                        class: class.to_string(),
                        text: text.clone(),
                        written: 0,
                        used: 0,
                    });
                    self.alternatives.len() - 1
                }
            };
            self.alternatives[number].written += 1;
            literal.numbers.push(number);
        }
        literal
    }

    /// Notes a node of a finished program, which is counted from 1.
    pub(super) fn note(&mut self, production: u32, depth: u64, program: u64) {
        let usage = &mut self.productions[production as usize];
        usage.used += 1;
        usage.depth += depth;
        usage.deepest = usage.deepest.max(depth);
        if usage.last != program {
            usage.last = program;
            usage.programs += 1;
        }
    }

    /// Notes a text of a literal class in a finished program.
    pub(super) fn note_text(&mut self, compiled: &Compiled, class: u32, text: &str) {
        let Some(usage) = self.classes.get_mut(&class) else {
            return;
        };
        let number = match usage.of_texts.get(text) {
            Some(number) => *number,
            None => {
                let literal = compiled.classes[class as usize].literal.as_ref();
                let alternatives = literal.map_or(&[][..], |literal| literal.alternatives());
                // A text that several have is of the one with the fewest.
                let having = alternatives.iter().enumerate();
                let having = having.filter(|(_, part)| part.has(text));
                let found = having.min_by_key(|(_, part)| part.count());
                let number = usage.numbers[found.map_or(0, |(place, _)| place)];
                usage.of_texts.insert(text.to_string(), number);
                number
            }
        };
        self.alternatives[number].used += 1;
    }
}
