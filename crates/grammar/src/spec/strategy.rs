//! Strategy `spec`: random programs of an attribute grammar.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;
use std::sync::{Arc, Mutex};

use lydite_core::{
    Case, CaseTree, Choices, Language, OpenError, PlainSurface, Reject, Seed, SeedNeed, Setting,
    Settings, Space, Strategy,
};

use super::engine::Limits;
use super::library;
use super::reduction::{Cases, Text};
use super::syntax::KnobValue;
use super::{Programs, Spec, SpecFiles, Unmade, beside, named_files};

/// See the module's documentation.
pub struct SpecStrategy;

/// The spec that is used if none is named.
const DEFAULT_SPEC: &str = "assignments";

const SETTINGS: &[Setting] = &[
    Setting::name_or_file(
        "spec",
        DEFAULT_SPEC,
        "the name of a spec that comes with lydite, or a file",
    ),
    Setting::value(
        "height",
        "",
        "how deep recursive productions are nested at most, or a range such as 3-6: then each case \
         draws how deep, and a hunt that learns prefers what pays [default: the spec's own]",
    ),
    Setting::value(
        "knobs",
        "",
        "the spec's own numbers and switches, such as loops=false,statements=20",
    ),
    Setting::value(
        "lacks",
        "",
        "switches that are off unless `knobs` sets them: constructs that a target has not got; a hunt asks its targets",
    ),
    Setting::value(
        "claim",
        "accepted",
        "what is claimed of programs: accepted (every target must accept them, and print what the spec says, if it \
         says so) or silent (nothing)",
    ),
    Setting::value(
        "texts",
        "all",
        "which further texts of a tree are programs of the case, claimed to be equivalent: all, none, or names",
    ),
];

impl Strategy for SpecStrategy {
    fn name(&self) -> &'static str {
        "spec"
    }

    fn about(&self) -> &'static str {
        "random programs that obey the rules of an attribute grammar"
    }

    fn language(&self) -> Option<&'static str> {
        None
    }

    /// What the spec says.
    fn language_of(&self, settings: &Settings) -> Option<String> {
        let spec = read_spec(settings).ok()?;
        spec.language().map(str::to_string)
    }

    fn plain_surface_of(&self, settings: &Settings) -> PlainSurface {
        let Ok(spec) = read_spec(settings) else {
            return PlainSurface::default();
        };
        PlainSurface {
            extension: spec.extension().map(str::to_string),
            line_comment: spec.comment().map(str::to_string),
        }
    }

    /// What it extends, and the libraries that it uses.
    fn further_files(&self, _key: &str, path: &str, text: &str) -> Vec<String> {
        let named = named_files(text).into_iter();
        named
            .filter_map(|named| beside(path, &named).ok())
            .collect()
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::None
    }

    fn settings(&self) -> &'static [Setting] {
        SETTINGS
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        _seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let spec = read_spec(settings)?;
        let given = settings.get("spec").unwrap_or(DEFAULT_SPEC);
        if let Some(wanted) = spec.language()
            && wanted != language.name()
        {
            let expected = format!("a spec of {}: it makes {wanted}", language.name());
            return Err(bad("spec", given, expected));
        }
        let knobs = knobs(&spec, settings)?;
        let own = Heights {
            least: None,
            most: spec.height(),
        };
        let heights = settings.read("height", "a number, or two such as 3-6", own)?;
        let limits = Limits {
            height: heights.most,
            ..Limits::default()
        };
        let is_claimed = match settings.get("claim").unwrap_or("accepted") {
            "accepted" => true,
            "silent" => false,
            other => return Err(bad("claim", other, "accepted or silent")),
        };
        let texts = texts(&spec, settings)?;
        let known = language.extensions().first().copied().unwrap_or("txt");
        let extension = spec.extension().unwrap_or(known).to_string();
        let programs = spec.programs(&knobs, limits);
        let programs = programs.map_err(|error| OpenError::BadFile {
            key: "spec".to_string(),
            file: given.to_string(),
            line: None,
            what: format!("with these settings there is no program:\n{error}"),
        })?;
        let what = |what| OpenError::BadFile {
            key: "spec".to_string(),
            file: given.to_string(),
            line: None,
            what,
        };
        tried(&programs, heights, &texts).map_err(what)?;
        let cases = Cases {
            programs,
            is_claimed,
            file: format!("case.{extension}"),
        };
        Ok(Box::new(SpecSpace {
            cases: Arc::new(cases),
            texts,
            heights,
            reasons: Mutex::default(),
        }))
    }
}

/// The decision how high a program may be: each height is an arm.
const HEIGHT_ARM: &str = "height";

/// How high programs may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Heights {
    /// Where a range begins; without one every program may be as high as any.
    least: Option<u32>,
    most: u32,
}

impl Heights {
    fn draw(self, choices: &mut Choices) -> Result<u32, Reject> {
        match self.least {
            None => Ok(self.most),
            Some(least) => {
                let arm = choices.arm(HEIGHT_ARM, (self.most - least) as usize + 1)?;
                Ok(least + arm as u32)
            }
        }
    }
}

impl FromStr for Heights {
    type Err = ();

    /// `6` or `3-6`.
    fn from_str(text: &str) -> Result<Heights, ()> {
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ());
        match text.split_once('-') {
            None => Ok(Heights {
                least: None,
                most: number(text)?,
            }),
            Some((least, most)) => {
                let (least, most) = (number(least)?, number(most)?);
                let least = (least <= most).then_some(least).ok_or(())?;
                Ok(Heights {
                    least: Some(least),
                    most,
                })
            }
        }
    }
}

/// How many programs are tried before a space is opened.
const TRIED: u64 = 3;

/// A spec of which no program can be made is told from one of which some
/// cannot, before anybody waits for cases.
fn tried(programs: &Programs, heights: Heights, texts: &[u32]) -> Result<(), String> {
    let least = heights.least.unwrap_or(heights.most);
    let mut reason = String::new();
    for index in 0..TRIED {
        let made = programs.make_texts(least, texts, &mut Choices::seeded(0, index));
        match made.0 {
            Ok(_) => return Ok(()),
            Err(unmade) => reason = unmade.to_string(),
        }
    }
    Err(format!("none of {TRIED} programs could be made: {reason}"))
}

fn bad(key: &str, value: &str, expected: impl Into<String>) -> OpenError {
    OpenError::BadSetting {
        key: key.to_string(),
        value: value.to_string(),
        expected: expected.into(),
    }
}

fn read_spec(settings: &Settings) -> Result<Spec, OpenError> {
    let given = settings.get("spec").unwrap_or(DEFAULT_SPEC);
    let (name, text) = match settings.file("spec") {
        Some(file) => (file.name.as_str(), &*file.text),
        None => match library::find_spec(given) {
            Ok(spec) => (spec.name, spec.text),
            Err(hint) => {
                let expected = format!("a spec that comes with lydite, nor a file; {hint}");
                return Err(bad("spec", given, expected));
            }
        },
    };
    let files: SpecFiles = settings
        .further_files("spec")
        .map(|file| (file.name.clone(), file.text.to_string()))
        .collect();
    Spec::read_with(name, text, &files).map_err(|error| OpenError::BadFile {
        key: "spec".to_string(),
        file: name.to_string(),
        line: None,
        what: format!("not a spec (lydite spec check {name}):\n{error}"),
    })
}

/// Switches of the spec among `lacks` are off. Other names are those of other
/// specs.
fn lacking(spec: &Spec, lacks: &str) -> BTreeMap<String, KnobValue> {
    let lacks: BTreeSet<&str> = lacks.split(',').map(str::trim).collect();
    let knobs = spec.knobs().iter();
    knobs
        .filter(|(name, value)| {
            matches!(value, KnobValue::Bool(_)) && lacks.contains(name.as_str())
        })
        .map(|(name, _)| (name.clone(), KnobValue::Bool(false)))
        .collect()
}

fn knobs(spec: &Spec, settings: &Settings) -> Result<BTreeMap<String, KnobValue>, OpenError> {
    let given = settings.get("knobs").unwrap_or_default();
    let lacks = lacking(spec, settings.get("lacks").unwrap_or_default());
    let given = read_knobs(spec, given);
    let given = given.map_err(|flaw| bad("knobs", &flaw.given, flaw.expected))?;
    Ok(lacks.into_iter().chain(given).collect())
}

/// What is wrong with knobs that were given.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("knobs: `{given}` is not {expected}")]
pub struct KnobError {
    given: String,
    expected: String,
}

/// Reads `loops=false,statements=20` as knobs of the spec.
pub fn read_knobs(spec: &Spec, given: &str) -> Result<BTreeMap<String, KnobValue>, KnobError> {
    let flaw = |given: &str, expected: &str| KnobError {
        given: given.to_string(),
        expected: expected.to_string(),
    };
    let mut knobs = BTreeMap::new();
    for pair in given.split(',').filter(|pair| !pair.trim().is_empty()) {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(flaw(pair, "of the form NAME=VALUE"));
        };
        let (name, value) = (name.trim(), value.trim());
        let Some((_, default)) = spec.knobs().iter().find(|(known, _)| known == name) else {
            let known: Vec<&str> = spec.knobs().iter().map(|(name, _)| name.as_str()).collect();
            let expected = format!("a knob of the spec (it has: {})", known.join(", "));
            return Err(flaw(name, &expected));
        };
        let (read, expected) = match default {
            KnobValue::Int(_) => (value.parse().ok().map(KnobValue::Int), "a number"),
            KnobValue::Bool(_) => {
                let switch = match value {
                    "true" | "on" | "yes" => Some(KnobValue::Bool(true)),
                    "false" | "off" | "no" => Some(KnobValue::Bool(false)),
                    _ => None,
                };
                (switch, "true or false")
            }
        };
        let read = read.ok_or_else(|| flaw(pair, expected))?;
        if knobs.insert(name.to_string(), read).is_some() {
            return Err(flaw(name, "named just once"));
        }
    }
    Ok(knobs)
}

/// The numbers of the texts that the setting names.
fn texts(spec: &Spec, settings: &Settings) -> Result<Vec<u32>, OpenError> {
    let all = spec.texts();
    let number = |name: &str| all.iter().position(|known| known == name);
    match settings.get("texts").unwrap_or("all") {
        "all" => Ok((0..all.len() as u32).collect()),
        "none" => Ok(Vec::new()),
        names => names
            .split(',')
            .map(|name| {
                let known = number(name.trim()).map(|number| number as u32);
                known.ok_or_else(|| {
                    let expected = format!("all, none, or texts of the spec ({})", all.join(", "));
                    bad("texts", name, expected)
                })
            })
            .collect(),
    }
}

struct SpecSpace {
    cases: Arc<Cases>,
    /// The further texts of a case, by number.
    texts: Vec<u32>,
    heights: Heights,
    /// Reasons of rejects that name a place in the spec: they are told by
    /// static words, of which there are as many as places in the spec.
    reasons: Mutex<BTreeSet<&'static str>>,
}

/// More reasons than this are not kept apart.
const MAX_REASONS: usize = 1000;

impl SpecSpace {
    fn reason(&self, text: String) -> &'static str {
        let Ok(mut reasons) = self.reasons.lock() else {
            return "a function of the spec went wrong";
        };
        if let Some(known) = reasons.get(text.as_str()) {
            return known;
        }
        if reasons.len() >= MAX_REASONS {
            return "a function of the spec went wrong";
        }
        let kept: &'static str = Box::leak(text.into_boxed_str());
        reasons.insert(kept);
        kept
    }
}

impl Space for SpecSpace {
    fn tree(&self, choices: &mut Choices) -> Option<Arc<dyn CaseTree>> {
        let height = self.heights.draw(choices).ok()?;
        let tree = self.cases.tree(height, &self.texts, choices)?;
        Some(Arc::new(tree))
    }

    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let height = self.heights.draw(choices)?;
        let programs = &self.cases.programs;
        let (made, _) = programs.make_texts(height, &self.texts, choices);
        let first = std::iter::once(None);
        let texts: Vec<Text> = first.chain(self.texts.iter().copied().map(Some)).collect();
        match made {
            Ok(written) => Ok(self.cases.case(written, &texts).0),
            Err(Unmade::Reject(reject)) => Err(reject),
            Err(Unmade::Limit(limit)) => Err(Reject::NotApplicable(limit)),
            Err(Unmade::Impossible) => Err(Reject::NotApplicable(
                "no program satisfies the guards of the spec within the height limit",
            )),
            Err(Unmade::Fault(fault)) => {
                let text = format!("{}:{}: {}", fault.file, fault.at, fault.message);
                Err(Reject::NotApplicable(self.reason(text)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_a_number_or_a_range() {
        let heights = |text: &str| text.parse::<Heights>().ok().map(|h| (h.least, h.most));
        assert_eq!(heights("6"), Some((None, 6)));
        assert_eq!(heights("3-6"), Some((Some(3), 6)));
        for bad in ["", "x", "6-3", "-3", "3-", "1-2-3"] {
            assert_eq!(heights(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_range_of_heights_makes_small_and_large_programs() {
        for name in ["c-safe", "lua", "c"] {
            let text = library::find_spec(name).unwrap().text;
            let spec = Spec::read(name, text).unwrap();
            let heights = Heights {
                least: Some(3),
                most: spec.height(),
            };
            let limits = Limits {
                height: heights.most,
                ..Limits::default()
            };
            let programs = spec.programs(&BTreeMap::new(), limits).unwrap();
            let mut bytes = BTreeMap::new();
            for index in 0..60 {
                let mut choices = Choices::seeded(1, index);
                let height = heights.draw(&mut choices).unwrap();
                assert_eq!(choices.arms()[0].number, u64::from(height - 3));
                let made = programs.make_texts(height, &[], &mut choices).0;
                let (sum, count) = bytes.entry(height).or_insert((0, 0));
                if let Ok(written) = made {
                    (*sum, *count) = (*sum + written.texts[0].len(), *count + 1);
                }
            }
            let mean = |height: u32| {
                let (sum, count) = bytes[&height];
                assert!(count > 2, "{name} {height}: {count}");
                sum / count
            };
            assert!(mean(3) * 5 < mean(heights.most) * 4, "{name}: {bytes:?}");
        }
    }
}
