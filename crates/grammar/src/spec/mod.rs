//! Attribute grammars as sources of programs (*Smith): one file describes a
//! language, and every program that is made of it obeys the file's rules.
//!
//! # The language
//!
//! The surface is that of the paper's LALA (section III), with the host code
//! left out: what LALA calls in Java is written in the spec itself, in a small
//! typed functional language. `docs/spec/` is for users; the grammar stands in
//! `syntax`. The decisions behind it:
//!
//! - **First order, typed, without loops.** Functions take and give data:
//!   numbers, texts, lists, maps, sets, tuples, records, variants. Types of
//!   functions and attributes are written down, types inside are inferred.
//!   Comprehensions and `fold` take the place of functions over functions.
//!   Every match covers everything.
//! - **Total in effect.** Every step costs fuel; a function that does not end
//!   is an error with a position, and so is what the checker cannot see (a
//!   missing item, a number beyond 64 bits).
//! - **Values are persistent**, so a symbol table that is passed on costs
//!   nothing.
//! - **Dependencies are static.** The sources of a rule are the attributes
//!   that it names, in whichever branch. So cycles are found in the spec and
//!   not in a program.
//!
//! # From text to programs
//!
//! `syntax` reads, `check` types, compiles and refuses, `compiled` is
//! what is left: attributes are slots, rules are flat code with a list of
//! sources, templates are segments. `engine` makes programs of it with the
//! algorithm of section IV. `run` holds values and the machine.

pub(crate) mod check;
pub(crate) mod compiled;
mod document;
mod engine;
mod extend;
mod format;
pub mod library;
pub(crate) mod literal;
mod reduction;
pub(crate) mod run;
mod source;
mod strategy;
pub(crate) mod syntax;
mod usage;

use std::collections::BTreeMap;

use lydite_core::{Choices, Reject};

pub use document::document;
pub use engine::{ClassStatistics, Limits, Statistics, Written};
pub use extend::{MAX_FILES, SpecFiles, beside, named_files};
pub use format::format;
pub use source::{Diagnostic, Severity, Span, SpecError};
pub use strategy::{KnobError, SpecStrategy, read_knobs};
pub use syntax::KnobValue;
pub use usage::{AlternativeUsage, ProductionUsage, Usage};

use check::types::Problems;
use compiled::{Compiled, Tuning};
use engine::Stop;
use source::{Problem, Source};

/// The largest spec file that is read.
pub const MAX_BYTES: usize = 4 << 20;

/// More problems than this are counted, not shown.
const MAX_SHOWN: usize = 20;

/// So many alternatives are tried for a tree that is made again: where what is left does not
/// satisfy the guards, another graft may.
const MOST_REMADE: u64 = 1 << 12;

/// The height of programs where neither spec nor settings say one.
const DEFAULT_HEIGHT: u32 = 8;

/// A spec that was read and checked.
#[derive(Debug)]
pub struct Spec {
    compiled: Compiled,
    surface: Surface,
    height: u32,
    warnings: Vec<Diagnostic>,
}

/// What a spec says of its language.
#[derive(Clone, Debug, Default)]
struct Surface {
    language: Option<String>,
    extension: Option<String>,
    comment: Option<String>,
}

/// A spec with its knobs set: a source of programs.
#[derive(Debug)]
pub struct Programs {
    spec: Spec,
    tuning: Tuning,
    limits: Limits,
}

/// Why there is no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unmade {
    /// The choices ran out.
    #[error("{0}")]
    Reject(Reject),
    /// A function of the spec went wrong.
    #[error("{0}")]
    Fault(Box<Diagnostic>),
    /// No program satisfies the guards.
    #[error("no program satisfies the guards of the spec within the height limit")]
    Impossible,
    /// One of the limits, in words.
    #[error("{0}")]
    Limit(&'static str),
}

impl Spec {
    /// Reads and checks `text`, which names no files of the user's; `name` is the
    /// file's, for messages.
    pub fn read(name: &str, text: &str) -> Result<Spec, SpecError> {
        Spec::read_with(name, text, &SpecFiles::new())
    }

    /// Reads and checks `text`; `files` are those that it names, and those that
    /// these name.
    pub fn read_with(name: &str, text: &str, files: &SpecFiles) -> Result<Spec, SpecError> {
        let mut sources = vec![Source {
            name: name.to_string(),
            text: text.to_string(),
        }];
        let mut problems = Problems::default();
        let compiled = read(&mut sources, files, &mut problems);
        problems.0.sort_by_key(|problem| problem.span);
        if compiled.is_none() {
            problems
                .0
                .retain(|problem| problem.severity == Severity::Error);
        }
        let more = problems.0.len().saturating_sub(MAX_SHOWN);
        problems.0.truncate(MAX_SHOWN);
        let shown = |problem: Problem| problem.shown(&sources);
        let diagnostics: Vec<Diagnostic> = problems.0.into_iter().map(shown).collect();
        let Some((mut compiled, surface, height)) = compiled else {
            return Err(SpecError { diagnostics, more });
        };
        compiled.sources = sources;
        let spec = Spec {
            compiled,
            surface,
            height,
            warnings: diagnostics,
        };
        // With the knobs as they stand there has to be a program.
        let knobs = spec.compiled.knobs.iter().map(|(_, value)| *value);
        let tuned = spec.compiled.tune(knobs.collect());
        tuned.map_err(|problem| spec.error(problem))?;
        Ok(spec)
    }

    /// What is surely not meant, but works.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// The language of its programs, if it says so.
    pub fn language(&self) -> Option<&str> {
        self.surface.language.as_deref()
    }

    /// The ending of files of its language, without the dot, if it says so.
    pub fn extension(&self) -> Option<&str> {
        self.surface.extension.as_deref()
    }

    /// What begins a comment in its language, if it says so.
    pub fn comment(&self) -> Option<&str> {
        self.surface.comment.as_deref()
    }

    /// What can be set, with its defaults.
    pub fn knobs(&self) -> &[(String, KnobValue)] {
        &self.compiled.knobs
    }

    /// The names of the further texts that a tree is written in.
    pub fn texts(&self) -> &[String] {
        &self.compiled.texts
    }

    /// True if it says what its programs print.
    pub fn knows_output(&self) -> bool {
        self.compiled.output.is_some()
    }

    /// How high programs are if nothing else is said.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// How many classes and productions there are.
    pub fn size(&self) -> (usize, usize) {
        (self.compiled.classes.len(), self.compiled.productions.len())
    }

    /// Its classes, in the order of the file.
    pub fn class_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.compiled
            .classes
            .iter()
            .map(|class| class.name.as_str())
    }

    /// The programs with these knobs, others at their defaults. Refuses knobs
    /// that leave no program. Names that are not the spec's are the caller's
    /// to refuse.
    pub fn programs(
        self,
        knobs: &BTreeMap<String, KnobValue>,
        limits: Limits,
    ) -> Result<Programs, SpecError> {
        let all = self.compiled.knobs.iter();
        let set = all.map(|(name, default)| *knobs.get(name).unwrap_or(default));
        let tuned = self.compiled.tune(set.collect());
        let tuning = tuned.map_err(|problem| self.error(problem))?;
        if tuning.class_least[0] > limits.height {
            let class = &self.compiled.classes[0];
            let least = tuning.class_least[0];
            let problem = format!("programs have a height of at least {least}");
            return Err(self.error(Problem::error(class.span, problem)));
        }
        Ok(Programs {
            spec: self,
            tuning,
            limits,
        })
    }

    fn error(&self, problem: Problem) -> SpecError {
        SpecError::one(problem.shown(&self.compiled.sources))
    }
}

impl Programs {
    /// Makes one program.
    pub fn make(&self, choices: &mut Choices) -> (Result<Vec<u8>, Unmade>, Statistics) {
        self.make_profiled(choices, &mut [], None)
    }

    /// Makes one tree that is no higher than this, and writes it several times: its
    /// first text, then the further ones with these numbers (in the order of
    /// [`Spec::texts`]).
    pub fn make_texts(
        &self,
        height: u32,
        further: &[u32],
        choices: &mut Choices,
    ) -> (Result<Written, Unmade>, Statistics) {
        let limits = Limits {
            height: height.clamp(self.tuning.class_least[0], self.limits.height),
            ..self.limits
        };
        self.make_with(&limits, choices, further, engine::Asked::default())
    }

    /// The same, with what the tree consists of. With a `wish` it is a tree that was made before,
    /// with a graft.
    pub(crate) fn make_drafted(
        &self,
        height: u32,
        further: &[u32],
        choices: &mut Choices,
        wish: Option<engine::Wish<'_>>,
    ) -> Result<(Written, engine::Draft), Unmade> {
        let limits = Limits {
            height: height.clamp(self.tuning.class_least[0], self.limits.height),
            alternatives: match wish {
                Some(_) => MOST_REMADE.min(self.limits.alternatives),
                None => self.limits.alternatives,
            },
            ..self.limits
        };
        let mut draft = engine::Draft::default();
        let asked = engine::Asked {
            wish,
            draft: Some(&mut draft),
            ..engine::Asked::default()
        };
        let made = self.make_with(&limits, choices, further, asked).0?;
        Ok((made, draft))
    }

    /// What can be grafted into a tree; what saves most comes first.
    pub(crate) fn grafts(&self, draft: &engine::Draft) -> Vec<engine::Graft> {
        draft.grafts(&self.spec.compiled, &self.tuning)
    }

    /// Makes one program and adds what it took to `classes`, which are in the
    /// order of [`Spec::class_names`], and what it consists of to `usage`.
    pub fn make_profiled(
        &self,
        choices: &mut Choices,
        classes: &mut [ClassStatistics],
        usage: Option<&mut Usage>,
    ) -> (Result<Vec<u8>, Unmade>, Statistics) {
        let asked = engine::Asked {
            classes,
            usage,
            ..engine::Asked::default()
        };
        let (made, statistics) = self.make_with(&self.limits, choices, &[], asked);
        (
            made.map(|mut written| written.texts.swap_remove(0)),
            statistics,
        )
    }

    fn make_with<'u>(
        &'u self,
        limits: &'u Limits,
        choices: &mut Choices,
        further: &[u32],
        asked: engine::Asked<'u>,
    ) -> (Result<Written, Unmade>, Statistics) {
        let (compiled, tuning) = (&self.spec.compiled, &self.tuning);
        let (made, statistics) = engine::make(compiled, tuning, limits, further, choices, asked);
        let made = made.map_err(|stop| match stop {
            Stop::Reject(reject) => Unmade::Reject(reject),
            Stop::Impossible => Unmade::Impossible,
            Stop::Limit(limit) => Unmade::Limit(limit),
            Stop::Fault(fault) => {
                let problem = Problem::error(fault.span, fault.kind.to_string());
                Unmade::Fault(Box::new(problem.shown(&compiled.sources)))
            }
        });
        (made, statistics)
    }

    /// How often productions came up, before the first program.
    pub fn no_usage(&self) -> Usage {
        Usage::of(&self.spec.compiled)
    }

    /// The spec.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }
}

type Read = (Compiled, Surface, u32);

/// Reads the user's file, which is the first source, and what it names.
fn read(sources: &mut Vec<Source>, files: &SpecFiles, problems: &mut Problems) -> Option<Read> {
    if sources[0].text.len() > MAX_BYTES {
        let problem = format!("more than {MAX_BYTES} bytes");
        problems.error(Span::default(), problem);
        return None;
    }
    let files = extend::read(sources, files, problems)?;
    let user = files.whole;
    extend::check_without(&user, problems);
    let all: Vec<&syntax::File> = files.libraries.iter().chain([&user]).collect();
    let compiled = check::compile(&all, Vec::new(), problems)?;
    let text = |name: &Option<syntax::Name>| name.as_ref().map(|name| name.text.clone());
    let surface = Surface {
        language: text(&user.language),
        extension: text(&user.extension),
        comment: text(&user.comment),
    };
    Some((compiled, surface, user.height.unwrap_or(DEFAULT_HEIGHT)))
}
