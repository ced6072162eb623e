//! Strategy `template`: random programs with open qualifiers, and of each
//! every valid combination of data types, locations, visibilities,
//! mutabilities and persistences, up to a bound.

use std::sync::{Arc, LazyLock};

use lydite_core::{Language, OpenError, Seed, SeedNeed, Setting, Settings, Space, Strategy};

use super::space::{Begin, Breaking, TemplateSpace};
use crate::generate::{Options, SETTINGS as SIZES};
use crate::qualify::Kind;
use crate::template::Maker;
use crate::version::{Dialect, NEWEST, OLDEST};

/// See the module's documentation.
pub struct Templates;

/// The version that the paper's tool was written for.
const DEFAULT_VERSION: &str = "0.8.20";

/// The largest bound: to reach the last case of a block, as many templates may
/// have to be made, if each has one program.
const MOST: u64 = 100_000;

const OWN: [Setting; 7] = [
    Setting::value(
        "max",
        "150",
        "how many programs of one template are made at most, spread over all of them",
    ),
    Setting::value(
        "solc",
        DEFAULT_VERSION,
        "the version of solc that programs are made for",
    ),
    Setting::value(
        "broken",
        "0",
        "1: violate exactly one constraint, grammar: one rule of the grammar, super: call a function without a body by super, so that a compiler must refuse the program",
    ),
    Setting::value(
        "begin",
        "drawn",
        "the first program of a template: drawn (uniformly from all) or first (the first solution)",
    ),
    Setting::value(
        "vary",
        "all",
        "which qualifiers differ between the programs of a template, the others are drawn: all, or some of types, locations, visibilities, mutabilities, persistences",
    ),
    Setting::value("stream", "0", "another number gives other templates"),
    Setting::value(
        "templates",
        "200",
        "how many templates lydite count looks at",
    ),
];

static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| [&OWN[..], SIZES].concat());

/// The kinds of qualifiers, as `vary` names them.
const NAMES: [(&str, Kind); 5] = [
    ("types", Kind::Type),
    ("locations", Kind::Location),
    ("visibilities", Kind::Visibility),
    ("mutabilities", Kind::Mutability),
    ("persistences", Kind::Persistence),
];

/// What `vary` asks for, in the order of the table.
fn kinds(text: &str) -> Option<Vec<Kind>> {
    if text == "all" {
        return Some(Kind::ALL.to_vec());
    }
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let is_known = |word: &&str| NAMES.iter().any(|(name, _)| name == word);
    let named = NAMES.iter().filter(|(name, _)| words.contains(name));
    words
        .iter()
        .all(is_known)
        .then(|| named.map(|(_, kind)| *kind).collect())
}

impl Strategy for Templates {
    fn name(&self) -> &'static str {
        "template"
    }

    fn about(&self) -> &'static str {
        "random Solidity contracts, each with every valid combination of types, locations, visibilities, mutabilities and persistences"
    }

    fn language(&self) -> Option<&'static str> {
        Some("solidity")
    }

    fn is_counted(&self) -> bool {
        true
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::None
    }

    fn settings(&self) -> &'static [Setting] {
        &SETTINGS
    }

    fn open(
        &self,
        _language: Arc<dyn Language>,
        _seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let bad = |key: &str, value: &str, expected: String| OpenError::BadSetting {
            key: key.to_string(),
            value: value.to_string(),
            expected,
        };
        let version = settings.get("solc").unwrap_or(DEFAULT_VERSION);
        let dialect: Dialect = version.parse().map_err(|_| {
            let known = format!("a version from {OLDEST} on (the newest known is {NEWEST})");
            bad("solc", version, known)
        })?;
        let range = format!("a number of programs from 1 to {MOST}");
        let max: u64 = settings.read("max", &range, 150)?;
        if !(1..=MOST).contains(&max) {
            return Err(bad("max", &max.to_string(), range));
        }
        let broken = match settings.get("broken").unwrap_or("0") {
            "0" => Breaking::Nothing,
            "1" => Breaking::Constraint,
            "grammar" => Breaking::Grammar,
            "super" => Breaking::EmptyCall,
            other => return Err(bad("broken", other, "0, 1, grammar or super".to_string())),
        };
        let begin = match settings.get("begin").unwrap_or("drawn") {
            "drawn" => Begin::Drawn,
            "first" => Begin::First,
            other => return Err(bad("begin", other, "drawn or first".to_string())),
        };
        let vary = settings.get("vary").unwrap_or("all");
        let kinds = kinds(vary).ok_or_else(|| {
            let names = NAMES.map(|(name, _)| name).join(", ");
            bad("vary", vary, format!("all, or some of {names}"))
        })?;
        let stream = settings.read("stream", "a number", 0)?;
        let templates = settings.read("templates", "a number of templates", 200)?;
        let options = Options {
            has_empty_calls: broken == Breaking::EmptyCall,
            ..Options::read(settings)?
        };
        let maker = Maker::new(dialect, options);
        let space = TemplateSpace::new(maker, max, stream);
        let space = space.described_by(templates).broken(broken);
        Ok(Box::new(space.beginning(begin).varying(kinds)))
    }
}
