//! How large programs are and what is in them.

use lydite_core::{Choices, OpenError, Reject, Setting, Settings};

use super::weights::Weights;
use crate::sizes::{ProgramSizes, SIZES};

/// Sizes and features of templates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Contracts of a program.
    pub contracts: u32,
    /// Functions of a contract, besides its constructor.
    pub functions: u32,
    /// State variables of a contract to begin with.
    pub variables: u32,
    /// Statements of a function, nested ones included.
    pub statements: u32,
    /// How deep expressions are nested.
    pub depth: u32,
    /// Parameters of a function, at most.
    pub parameters: u32,
    /// Stack slots of a function: parameters, results and local variables.
    pub slots: u32,
    /// Sizes of integers and fixed bytes: 6 are the powers of two, 32 all.
    pub widths: u8,
    /// Source files, at most.
    pub files: u32,
    /// How many sizes of programs there are; this is the largest.
    pub sizes: ProgramSizes,
    /// What programs may contain beyond the paper's language.
    pub features: Features,
    /// Each program has some of the features only, which are drawn.
    pub swarm: bool,
    /// How often what is drawn.
    pub weights: Weights,
    /// `super` may reach a function without a body, which no compiler should take.
    pub has_empty_calls: bool,
    /// Nothing in them depends on gas, on the code that a compiler makes, or on
    /// what else only a chain knows.
    pub is_known: bool,
}

/// What programs may contain, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features(u64);

/// The features that can be switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Modifiers.
    Modifiers,
    /// Events.
    Events,
    /// Custom errors.
    Errors,
    /// Structs.
    Structs,
    /// Mappings.
    Mappings,
    /// Arrays.
    Arrays,
    /// Enums.
    Enums,
    /// Inheritance, abstract contracts and interfaces.
    Inheritance,
    /// Libraries.
    Libraries,
    /// `push`, `pop` and `delete`.
    Growth,
    /// User-defined value types.
    ValueTypes,
    /// `abi.encode` and the like.
    Encoding,
    /// `try` and `catch`.
    Try,
    /// Inline assembly.
    Assembly,
    /// `unchecked`
    Unchecked,
    /// `constant`, `immutable` and `transient`.
    Constants,
    /// Functions outside of contracts.
    FileFunctions,
    /// Several source files.
    Files,
    /// `receive` and `fallback`.
    Receive,
    /// Calls through `this` and other contracts, and `new`.
    External,
    /// Comments.
    Comments,
    /// `pragma experimental SMTChecker`.
    Smt,
    /// `string`, `bytes` and their parts.
    Bytes,
    /// Values of function types.
    FunctionTypes,
    /// What the language offers without a declaration.
    Intrinsics,
    /// Options and names of arguments in calls.
    CallOptions,
    /// Several bases of one contract.
    Bases,
    /// Public and external functions of libraries.
    OpenLibraries,
    /// Function types of state variables, fields, elements and parameters.
    StoredFunctions,
    /// Slices of calldata, and arrays written down.
    Slices,
    /// Hexadecimal and Unicode texts, comments for documentation.
    Notations,
    /// Anonymous events.
    Anonymous,
    /// Operators of user-defined value types.
    Operators,
    /// Imports under another name.
    Modules,
    /// Custom errors in `require`.
    RequireErrors,
    /// `type(C).name` and the like.
    TypeFacts,
    /// Several functions of one name.
    Overloads,
    /// Variables with the names of state variables.
    Shadowing,
    /// `layout at`, `erc7201`.
    StorageLayout,
    /// `a.call(data)` and the like.
    Messages,
    /// Functions that call themselves, or each other, a few times.
    Recursion,
    /// Structs that hold arrays or mappings of themselves.
    RecursiveStructs,
    /// Placeholders of data types that stand for composite types, too.
    OpenTypes,
    /// Fixed-point types among these.
    FixedPoints,
    /// Arrays of arrays as fields of structs, also where structs are copied.
    NestedFields,
}

const PARTS: [(&str, Part); 45] = [
    ("modifiers", Part::Modifiers),
    ("events", Part::Events),
    ("errors", Part::Errors),
    ("structs", Part::Structs),
    ("mappings", Part::Mappings),
    ("arrays", Part::Arrays),
    ("enums", Part::Enums),
    ("inheritance", Part::Inheritance),
    ("libraries", Part::Libraries),
    ("growth", Part::Growth),
    ("value-types", Part::ValueTypes),
    ("encoding", Part::Encoding),
    ("try", Part::Try),
    ("assembly", Part::Assembly),
    ("unchecked", Part::Unchecked),
    ("constants", Part::Constants),
    ("file-functions", Part::FileFunctions),
    ("files", Part::Files),
    ("receive", Part::Receive),
    ("external", Part::External),
    ("comments", Part::Comments),
    ("smt", Part::Smt),
    ("bytes", Part::Bytes),
    ("function-types", Part::FunctionTypes),
    ("intrinsics", Part::Intrinsics),
    ("call-options", Part::CallOptions),
    ("bases", Part::Bases),
    ("open-libraries", Part::OpenLibraries),
    ("stored-functions", Part::StoredFunctions),
    ("slices", Part::Slices),
    ("notations", Part::Notations),
    ("anonymous", Part::Anonymous),
    ("operators", Part::Operators),
    ("modules", Part::Modules),
    ("require-errors", Part::RequireErrors),
    ("type-facts", Part::TypeFacts),
    ("overloads", Part::Overloads),
    ("shadowing", Part::Shadowing),
    ("storage-layout", Part::StorageLayout),
    ("messages", Part::Messages),
    ("recursion", Part::Recursion),
    ("recursive-structs", Part::RecursiveStructs),
    ("open-types", Part::OpenTypes),
    ("fixed-points", Part::FixedPoints),
    ("nested-fields", Part::NestedFields),
];

/// What the paper's figure 4 has.
const PAPER: [Part; 7] = [
    Part::Modifiers,
    Part::Events,
    Part::Errors,
    Part::Structs,
    Part::Mappings,
    Part::Arrays,
    Part::External,
];

impl Features {
    /// True if programs may contain it.
    pub fn has(&self, part: Part) -> bool {
        self.0 >> part as u32 & 1 == 1
    }

    fn of(parts: impl Iterator<Item = Part>) -> Features {
        Features(parts.fold(0, |set, part| set | 1 << part as u32))
    }

    fn all() -> Features {
        let usual =
            |part: &Part| !matches!(part, Part::Smt | Part::FixedPoints | Part::NestedFields);
        Features::of(PARTS.iter().map(|(_, part)| *part).filter(usual))
    }

    /// Some of them, each with one chance in two. Programs with less in them have more of
    /// each: what two features do together, a third may hide (swarm testing, *Groce et al.*).
    fn some(&self, choices: &mut Choices) -> Result<Features, Reject> {
        let mut set = 0;
        for (_, part) in PARTS {
            if self.has(part) && choices.below(2)? == 0 {
                set |= 1 << part as u32;
            }
        }
        Ok(Features(set))
    }

    /// `all`, `paper`, and names added or taken away: `paper,bytes`,
    /// `all,-assembly`.
    fn parse(text: &str) -> Option<Features> {
        let mut set = 0;
        for (at, word) in text.split(',').map(str::trim).enumerate() {
            match word {
                "all" if at == 0 => set = Features::all().0,
                "paper" if at == 0 => set = Features::of(PAPER.into_iter()).0,
                "none" if at == 0 => set = 0,
                word => {
                    let (name, without) = match word.strip_prefix('-') {
                        Some(name) => (name, true),
                        None => (word, false),
                    };
                    let (_, part) = PARTS.iter().find(|(known, _)| *known == name)?;
                    let bit = 1 << *part as u32;
                    set = if without { set & !bit } else { set | bit };
                }
            }
        }
        Some(Features(set))
    }
}

/// How often what is drawn.
pub(crate) const WEIGHTS: Setting = Setting::value(
    "weights",
    "usual",
    "how often what is drawn: usual or swarm (each program has factors of its own), then NAME:FACTOR, as in checks:5,emits:0",
);

/// In place of what is usual: each program has some of the usual features.
const SWARM: &str = "swarm";

/// The settings that [`Options::read`] understands.
pub const SETTINGS: &[Setting] = &[
    Setting::value("contracts", "2", "how many contracts a program has"),
    Setting::value("functions", "2", "how many functions a contract has"),
    Setting::value(
        "variables",
        "3",
        "how many state variables a contract has at first; more are added as needed",
    ),
    Setting::value("statements", "6", "how many statements a function has"),
    Setting::value("depth", "3", "how deep expressions are nested"),
    Setting::value(
        "parameters",
        "3",
        "how many parameters a function has at most",
    ),
    Setting::value(
        "slots",
        "8",
        "how many parameters, results and local variables a function has at most, together",
    ),
    Setting::value(
        "widths",
        "6",
        "how many sizes of integers and fixed bytes: 6 are the powers of two, 32 are all",
    ),
    Setting::value("files", "2", "how many source files a program has at most"),
    SIZES,
    Setting::value(
        "features",
        "all",
        "what programs contain: all, paper, none or swarm (each program about half of the usual ones), then names to add or -names to leave out",
    ),
    WEIGHTS,
];

impl Options {
    /// The options of one program, whose size is drawn.
    pub(super) fn draw(&self, choices: &mut Choices) -> Result<Options, Reject> {
        let size = self.sizes.draw(choices)?;
        let features = match self.swarm {
            true => self.features.some(choices)?,
            false => self.features.clone(),
        };
        Ok(Options {
            features,
            weights: self.weights.draw(choices)?,
            contracts: size.of(self.contracts),
            functions: size.of(self.functions),
            variables: size.of(self.variables),
            statements: size.of(self.statements),
            ..self.clone()
        })
    }

    /// The options that settings ask for.
    pub fn read(settings: &Settings) -> Result<Options, OpenError> {
        Options::read_with(settings, "all")
    }

    /// The same, with these features unless settings say otherwise.
    pub fn read_with(settings: &Settings, features: &str) -> Result<Options, OpenError> {
        let number = |key: &str, low: u32, high: u32| {
            let setting = SETTINGS.iter().find(|setting| setting.key == key);
            let default = setting.and_then(|setting| setting.default.parse().ok());
            let expected = format!("a number from {low} to {high}");
            let given: u32 = settings.read(key, &expected, default.unwrap_or(low))?;
            if (low..=high).contains(&given) {
                return Ok(given);
            }
            Err(OpenError::BadSetting {
                key: key.to_string(),
                value: given.to_string(),
                expected,
            })
        };
        let usual = features;
        let features = settings.get("features").unwrap_or(usual);
        let swarm = features.strip_prefix(SWARM);
        let swarm = swarm.filter(|rest| rest.is_empty() || rest.starts_with(','));
        let set = swarm.map_or(features.to_string(), |rest| format!("{usual}{rest}"));
        Ok(Options {
            contracts: number("contracts", 1, 50)?,
            functions: number("functions", 0, 50)?,
            variables: number("variables", 0, 50)?,
            statements: number("statements", 0, 500)?,
            depth: number("depth", 0, 12)?,
            parameters: number("parameters", 0, 20)?,
            slots: number("slots", 0, 40)?,
            widths: number("widths", 1, 32)? as u8,
            files: number("files", 1, 20)?,
            sizes: ProgramSizes::read(settings)?,
            has_empty_calls: false,
            is_known: false,
            swarm: swarm.is_some(),
            weights: Weights::read(settings)?,
            features: Features::parse(&set).ok_or_else(|| OpenError::BadSetting {
                key: "features".to_string(),
                value: features.to_string(),
                expected: format!(
                    "all, paper, none or swarm with names of features: {}",
                    PARTS.map(|(name, _)| name).join(", ")
                ),
            })?,
        })
    }
}

impl Default for Options {
    fn default() -> Options {
        Options::read(&Settings::default()).expect("the defaults are in their ranges")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_swarm_has_some_of_the_features_and_each_of_them_at_times() {
        let given = [("features".to_string(), "swarm,-assembly".to_string())];
        let settings = Settings::checked(&crate::strategy::Templates, given.into()).unwrap();
        let options = Options::read(&settings).unwrap();
        let mut seen = [0; PARTS.len()];
        for number in 0..40 {
            let drawn = options.draw(&mut Choices::seeded(3, number)).unwrap();
            for (at, (_, part)) in PARTS.iter().enumerate() {
                seen[at] += usize::from(drawn.features.has(*part));
            }
        }
        for (times, (name, part)) in seen.iter().zip(PARTS) {
            let never = part == Part::Assembly || !Features::all().has(part);
            assert_eq!(never, *times == 0, "{name}");
            assert!(*times < 40, "{name}");
        }
    }

    #[test]
    fn features_are_named_added_and_left_out() {
        let set = Features::parse("paper,bytes,-structs").unwrap();
        assert!(set.has(Part::Bytes) && set.has(Part::Arrays) && !set.has(Part::Structs));
        assert!(!set.has(Part::Assembly));
        assert!(Features::parse("all").unwrap().has(Part::Assembly));
        assert!(Features::parse("paper,byte").is_none());
        for (number, (_, part)) in PARTS.iter().enumerate() {
            assert_eq!(*part as usize, number);
        }
    }
}
