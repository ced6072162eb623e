//! The seeds of a strategy, each read when it is first wanted.

use std::sync::Arc;

use lydite_core::{Choices, OpenError, Reject, SEED_ARM, Seed, Setting, Settings};

use super::held::Held;
use super::view::View;
use crate::mutate::mutant::{Original, Unusable};
use crate::operators::Operators;

/// Seeds of more bytes than this are left out, unless a setting says so: what
/// takes a solver seconds to read is no good seed.
pub(crate) const MAX_SEED: usize = 64 << 10;

/// The setting for that.
pub(crate) const MAX_SEED_SETTING: Setting =
    Setting::value("max-seed", "65536", "seeds of more bytes are left out");

/// The setting for operators that the built-in table does not have.
pub(crate) const OPERATORS_SETTING: Setting = Setting::file(
    "operators",
    "",
    "a file with more operators, in the format of operators.txt",
);

/// The operators of the table and those of the setting `operators`.
pub(crate) fn operators_of(settings: &Settings) -> Result<Operators, OpenError> {
    let Some(file) = settings.file("operators") else {
        return Ok(Operators::built_in().clone());
    };
    let extended = Operators::built_in().extended(&file.text);
    extended.map_err(|error| file.flaw("operators", Some(error.line), error.problem))
}

/// Seeds and what they were read to.
pub(crate) struct Originals {
    seeds: Arc<[Seed]>,
    operators: Operators,
    view: View,
    /// Indices of `seeds`: those that are not too large.
    usable: Vec<usize>,
    read: Held<Result<Arc<Original>, Unusable>>,
}

impl Originals {
    /// The seeds of at most `max-seed` bytes, under the operators of the
    /// table and those of the setting `operators`.
    pub(crate) fn open(
        seeds: Arc<[Seed]>,
        settings: &Settings,
        view: View,
    ) -> Result<Originals, OpenError> {
        let most: usize = settings.read("max-seed", "a number of bytes", MAX_SEED)?;
        let operators = operators_of(settings)?;
        let small = |&at: &usize| seeds[at].text.len() <= most;
        let usable: Vec<usize> = (0..seeds.len()).filter(small).collect();
        if usable.is_empty() && !seeds.is_empty() {
            return Err(OpenError::Seeds(format!(
                "all {} seeds are larger than {most} bytes; raise the setting `max-seed`",
                seeds.len()
            )));
        }
        Ok(Originals {
            seeds,
            operators,
            view,
            usable,
            read: Held::new(),
        })
    }

    /// How many there are: numbers below this are indices.
    pub(crate) fn len(&self) -> usize {
        self.usable.len()
    }

    /// One of them.
    pub(crate) fn draw(&self, choices: &mut Choices) -> Result<usize, Reject> {
        match self.usable.len() == self.seeds.len() {
            true => choices.arm(SEED_ARM, self.seeds.len()),
            false => choices.arm_of(SEED_ARM, &self.usable),
        }
    }

    /// What seed number `at` is called as an arm.
    pub(crate) fn number(&self, at: usize) -> usize {
        self.usable[at]
    }

    /// The seed as its author wrote it.
    pub(crate) fn seed(&self, at: usize) -> &Seed {
        &self.seeds[self.usable[at]]
    }

    /// What of a seed is seen.
    pub(crate) fn view(&self) -> View {
        self.view
    }

    /// The operators that seeds are typed with.
    pub(crate) fn operators(&self) -> &Operators {
        &self.operators
    }

    /// The seed, read.
    pub(crate) fn original(&self, at: usize) -> Result<Arc<Original>, Reject> {
        let text = &self.seed(at).text;
        let read = || Original::read(text, &self.operators, self.view).map(Arc::new);
        let read = self.read.get(at, text.len(), read);
        (*read).clone().map_err(Reject::NotApplicable)
    }

    /// The seed, read, if it means the same in every script.
    pub(crate) fn lone_original(&self, at: usize) -> Result<Arc<Original>, Reject> {
        let original = self.original(at)?;
        let alone = original.stands_alone(&self.operators);
        alone.map_err(Reject::NotApplicable)?;
        Ok(original)
    }
}
