//! Strategy `skeleton`: every pattern in which the variables of a seed can
//! fill its uses of variables.

use std::sync::Arc;

use lydite_core::{Language, OpenError, Seed, SeedNeed, Setting, Settings, Space, Strategy};

use crate::extract::{DIALECTS, Dialect};
use crate::options::{Classes, Mode, Options, Types};
use crate::skeleton::Skeleton;
use crate::space::{SkeletonSpace, members};

/// Strategy `skeleton`: every pattern in which the variables of a seed can be used.
pub struct Skeletons;

const SETTINGS: &[Setting] = &[
    // As in section 5.2.1 of the paper.
    Setting::value(
        "threshold",
        "10000",
        "how many variants of a seed are made at most, spread evenly over all",
    ),
    Setting::value(
        "mode",
        "intra",
        "intra: each function is varied on its own; inter: all functions together",
    ),
    Setting::value(
        "types",
        "exact",
        "exact: a hole takes variables of its type; convertible: of types that convert to it",
    ),
    Setting::value(
        "classes",
        "paper",
        "variables that may be exchanged: those of one scope and type (paper), or only those declared by the same words too (strict)",
    ),
];

impl Strategy for Skeletons {
    fn name(&self) -> &'static str {
        "skeleton"
    }

    fn about(&self) -> &'static str {
        "every pattern in which the variables of a seed can be used, each once"
    }

    fn language(&self) -> Option<&'static str> {
        None
    }

    fn is_counted(&self) -> bool {
        true
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    /// They are the seed's author's but for names of variables.
    fn makes_programs(&self) -> bool {
        false
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let dialect = dialect_of(language.as_ref())?;
        let options = options(settings)?;
        let threshold = number(settings, &SETTINGS[0], u64::MAX)?;
        let members = members(
            &seeds,
            |text| Skeleton::read(dialect, text, options),
            threshold,
        );
        if members.iter().all(|member| member.cases == 0) {
            let first = members.iter().find_map(|member| {
                let refusal = member.skeleton.as_ref().err()?;
                Some(format!(
                    "no seed has a skeleton; {}: {refusal}",
                    member.seed.name
                ))
            });
            return Err(OpenError::Seeds(
                first.unwrap_or_else(|| "there are no seeds".to_string()),
            ));
        }
        let extension = language.extensions().first().copied().unwrap_or("txt");
        Ok(Box::new(SkeletonSpace::new(members, extension)))
    }
}

/// The dialect of a language; the error names those that there are.
pub(crate) fn dialect_of(language: &dyn Language) -> Result<&'static Dialect, OpenError> {
    Dialect::of(language.name()).ok_or_else(|| {
        let known: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.language).collect();
        let what = format!(
            "there are no skeletons of {} (there are of {})",
            language.name(),
            known.join(", ")
        );
        OpenError::Seeds(what)
    })
}

/// The value of a setting that is a number from 1 to `most`.
pub(crate) fn number(settings: &Settings, setting: &Setting, most: u64) -> Result<u64, OpenError> {
    let expected = match most {
        u64::MAX => "at least 1".to_string(),
        most => format!("1 to {most}"),
    };
    let default: u64 = setting.default.parse().expect("a number, by its table");
    let number = settings.read(setting.key, &expected, default)?;
    if number == 0 || number > most {
        return Err(OpenError::BadSetting {
            key: setting.key.to_string(),
            value: number.to_string(),
            expected,
        });
    }
    Ok(number)
}

fn options(settings: &Settings) -> Result<Options, OpenError> {
    Ok(Options {
        mode: one_of(
            settings,
            "mode",
            &[("intra", Mode::Intra), ("inter", Mode::Inter)],
        )?,
        types: one_of(
            settings,
            "types",
            &[("exact", Types::Exact), ("convertible", Types::Convertible)],
        )?,
        classes: one_of(
            settings,
            "classes",
            &[("paper", Classes::Paper), ("strict", Classes::Strict)],
        )?,
    })
}

/// The meaning of a setting's value; the first word is the default.
fn one_of<T: Copy>(settings: &Settings, key: &str, words: &[(&str, T)]) -> Result<T, OpenError> {
    let given = settings.get(key).unwrap_or(words[0].0);
    let found = words.iter().find(|(word, _)| *word == given);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        OpenError::BadSetting {
            key: key.to_string(),
            value: given.to_string(),
            expected: known.join(" or "),
        }
    })
}
