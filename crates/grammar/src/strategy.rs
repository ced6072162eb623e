//! Strategy `enumerate`: the programs of a grammar, smallest first.

use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::{Language, OpenError, Seed, SeedNeed, Setting, Settings, Space, Strategy};

use crate::built_in;
use crate::classes::{Classes, UNIQUE_WORDS, Unique};
use crate::enumerate::Enumeration;
use crate::file::GrammarFile;
use crate::sizes::Sizes;
use crate::space::GrammarSpace;

/// See the module's documentation.
pub struct Enumerate;

/// The grammar that is used if none is named.
const DEFAULT_GRAMMAR: &str = "core";

const SETTINGS: &[Setting] = &[
    Setting::file(
        lydite_core::LANGUAGE_FILE,
        "",
        "what the grammar's language has beyond what lydite knows of it: for SMT-LIB more sorts and operators",
    ),
    Setting::name_or_file(
        "grammar",
        DEFAULT_GRAMMAR,
        "the name of a grammar that comes with lydite, or a file",
    ),
    Setting::value(
        "variables",
        "",
        "how many variables of each sort the grammar has [default: its own]",
    ),
    Setting::value(
        "asserts",
        "",
        "how many assertions, or questions, a program has [default: the grammar's own]",
    ),
    Setting::value(
        "parameters",
        "",
        "the grammar's other numbers, such as depth=3,width=2",
    ),
    Setting::value(
        "size",
        "..",
        "how many productions a program uses: 7, ..7, 5.. or 5..7",
    ),
    Setting::value(
        "unique",
        "no",
        "leave out programs that equal an earlier one: no, up to renaming, commutativity or both",
    ),
];

impl Strategy for Enumerate {
    fn name(&self) -> &'static str {
        "enumerate"
    }

    fn about(&self) -> &'static str {
        "every program of a grammar, smallest first"
    }

    fn language(&self) -> Option<&'static str> {
        None
    }

    /// What the grammar says.
    fn language_of(&self, settings: &Settings) -> Option<String> {
        let file = grammar_file(settings).ok()?;
        file.language().map(str::to_string)
    }

    /// The grammar's text.
    fn definition(&self, settings: &Settings) -> Option<String> {
        let (_, text) = grammar_text(settings).ok()?;
        Some(text.to_string())
    }

    fn is_counted(&self) -> bool {
        true
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
        let file = grammar_file(settings)?;
        if let Some(wanted) = file.language()
            && wanted != language.name()
        {
            let expected = format!("a grammar of {}: it makes {wanted}", language.name());
            return Err(bad("grammar", grammar_text(settings)?.0, expected));
        }
        let parameters = parameters(&file, settings)?;
        let (name, _) = grammar_text(settings)?;
        let grammar = file.grammar(&parameters).map_err(|error| {
            let expected = format!("a grammar that can be enumerated: {error}");
            bad("grammar", name, expected)
        })?;
        let unique: Unique = match settings.get("unique") {
            None => Unique::default(),
            Some(text) => text
                .parse()
                .map_err(|()| bad("unique", text, UNIQUE_WORDS))?,
        };
        let classes = Classes::new(&grammar, unique).map_err(|error| {
            let given = settings.get("unique").unwrap_or_default();
            bad("unique", given, format!("possible here: {error}"))
        })?;
        let sizes: Sizes = settings.read(
            "size",
            "a range of sizes, such as 7, ..7 or 5..7",
            Sizes::ALL,
        )?;
        let extension = language.extensions().first().copied().unwrap_or("txt");
        let enumeration = Enumeration::new(grammar);
        let space = GrammarSpace::new(enumeration, classes, sizes, extension);
        let space = space
            .map_err(|expected| bad("size", settings.get("size").unwrap_or(".."), expected))?;
        Ok(Box::new(space))
    }
}

fn bad(key: &str, value: &str, expected: impl Into<String>) -> OpenError {
    OpenError::BadSetting {
        key: key.to_string(),
        value: value.to_string(),
        expected: expected.into(),
    }
}

/// The name and the text of the grammar that the settings name.
fn grammar_text(settings: &Settings) -> Result<(&str, &str), OpenError> {
    if let Some(file) = settings.file("grammar") {
        return Ok((&file.name, &file.text));
    }
    let given = settings.get("grammar").unwrap_or(DEFAULT_GRAMMAR);
    match built_in::find(given) {
        Ok(grammar) => Ok((grammar.name, grammar.text)),
        Err(hint) => {
            let expected = format!("a grammar that comes with lydite, nor a file; {hint}");
            Err(bad("grammar", given, expected))
        }
    }
}

fn grammar_file(settings: &Settings) -> Result<GrammarFile, OpenError> {
    let (name, text) = grammar_text(settings)?;
    GrammarFile::read(text).map_err(|error| bad("grammar", name, format!("a grammar: {error}")))
}

fn parameters(file: &GrammarFile, settings: &Settings) -> Result<BTreeMap<String, u32>, OpenError> {
    let mut given: Vec<(&str, &str, &str)> = Vec::new();
    for key in ["variables", "asserts"] {
        given.extend(settings.get(key).map(|value| (key, key, value)));
    }
    let further = settings.get("parameters").unwrap_or_default();
    for pair in further.split(',').filter(|pair| !pair.trim().is_empty()) {
        let Some((name, value)) = pair.split_once('=') else {
            return Err(bad("parameters", pair, "of the form NAME=NUMBER"));
        };
        given.push(("parameters", name.trim(), value.trim()));
    }
    let mut parameters = BTreeMap::new();
    for (key, name, value) in given {
        if !file.parameters().iter().any(|(known, _)| known == name) {
            let known: Vec<&str> = file
                .parameters()
                .iter()
                .map(|(name, _)| name.as_str())
                .collect();
            let expected = format!(
                "possible: grammar {} has no parameter `{name}` (it has: {})",
                file.name(),
                known.join(", ")
            );
            return Err(bad(key, value, expected));
        }
        let number = value.parse().map_err(|_| bad(key, value, "a number"))?;
        parameters.insert(name.to_string(), number);
    }
    Ok(parameters)
}
