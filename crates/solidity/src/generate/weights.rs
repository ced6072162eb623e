//! How often the generator of open programs draws what: one table, whose rows
//! settings and swarms scale (ERWIN's "all random variables as flags").
//!
//! A row is a weight among others, or a number of per cent; one of no per cent has so many as
//! its factor. Without factors the
//! rows are drawn as they stand, so that factors of other programs change no tape.

use lydite_core::{Choices, OpenError, Reject, Settings};

/// Whether a row competes with others, or stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Odds {
    /// Its share of all rows that are possible there.
    Weight(u32),
    /// So many of a hundred.
    Percent(u32),
}

macro_rules! draws {
    ($($(#[$doc:meta])* $draw:ident $name:literal $odds:ident $number:literal,)*) => {
        /// Something that is drawn at times.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Draw {
            $($(#[$doc])* $draw,)*
        }

        /// Every row: its name and how often it is drawn.
        const TABLE: &[(&str, Odds)] = &[$(($name, Odds::$odds($number)),)*];
    };
}

draws! {
    // Statements.
    Assignments "assignments" Weight 20,
    Locals "locals" Weight 8,
    /// `v++` or `delete v` as a statement.
    Steps "steps" Weight 4,
    /// Each of `v++`, `++v`, `v--` and `--v`.
    Increments "increments" Weight 1,
    Deletes "deletes" Weight 1,
    Calls "calls" Weight 6,
    Conditionals "conditionals" Weight 4,
    ForLoops "for-loops" Weight 3,
    WhileLoops "while-loops" Weight 3,
    Emits "emits" Weight 3,
    /// `require`, `assert`, `revert`.
    Checks "checks" Weight 2,
    Tuples "tuples" Weight 3,
    UncheckedBlocks "unchecked-blocks" Weight 2,
    /// `push` and `pop`.
    Growth "growth" Weight 3,
    /// `try`
    Attempts "attempts" Weight 2,
    AssemblyBlocks "assembly-blocks" Weight 2,
    Comments "comments" Weight 1,
    /// `break` and `continue`.
    Leaving "leaving" Weight 2,
    EarlyReturns "early-returns" Weight 2,
    /// A function as a value, which is called.
    FunctionValues "function-values" Weight 2,
    Blocks "blocks" Weight 2,
    /// A call of a function that is in storage.
    StoredCalls "stored-calls" Weight 3,
    Messages "messages" Weight 3,
    // What statements are like.
    Elses "elses" Percent 40,
    LoopConditions "loop-conditions" Percent 90,
    DoLoops "do-loops" Percent 40,
    /// An error in place of a text in `require`.
    RequireErrors "require-errors" Percent 50,
    /// Its arguments by name.
    NamedErrors "named-errors" Percent 50,
    Pops "pops" Percent 40,
    NestedTuples "nested-tuples" Percent 20,
    Gaps "gaps" Percent 20,
    /// Wei with a message.
    MessageWei "message-wei" Percent 40,
    // Expressions.
    /// An operation where a variable would do.
    Operations "operations" Percent 60,
    Arithmetic "arithmetic" Weight 6,
    Comparisons "comparisons" Weight 8,
    Unary "unary" Weight 3,
    ConditionalValues "conditional-values" Weight 3,
    CallValues "call-values" Weight 4,
    Casts "casts" Weight 2,
    /// `string(…)` and `bytes(…)`.
    SequenceCasts "sequence-casts" Weight 5,
    NestedAssignments "nested-assignments" Weight 2,
    /// Around what needs none.
    Parentheses "parentheses" Percent 0,
    Particular "particular" Weight 3,
    // What only some types have.
    /// What the chain, the message and the block say.
    Environment "environment" Weight 2,
    Getters "getters" Weight 2,
    Unwraps "unwraps" Weight 1,
    PartsOfBytes "parts-of-bytes" Weight 2,
    Encodings "encodings" Weight 3,
    Intrinsics "intrinsics" Weight 4,
    Limits "limits" Weight 1,
    TypeFacts "type-facts" Weight 4,
    Slices "slices" Weight 1,
    OperatorCalls "operator-calls" Weight 1,
    // Types.
    Uints "uints" Weight 5,
    Ints "ints" Weight 4,
    Bools "bools" Weight 4,
    FixedBytes "fixed-bytes" Weight 2,
    Addresses "addresses" Weight 2,
    Sequences "sequences" Weight 2,
    Elementary "elementary" Weight 14,
    Arrays "arrays" Weight 4,
    FixedArrays "fixed-arrays" Weight 2,
    Mappings "mappings" Weight 3,
    StructValues "struct-values" Weight 3,
    EnumValues "enum-values" Weight 1,
    UserValues "user-values" Weight 1,
    ContractValues "contract-values" Weight 1,
    // Declarations.
    Constructors "constructors" Percent 40,
    Fallbacks "fallbacks" Percent 12,
    Receives "receives" Percent 50,
    Libraries "libraries" Percent 30,
    Interfaces "interfaces" Percent 30,
    FileFunctions "file-functions" Percent 25,
    Abstracts "abstracts" Percent 15,
    Bases "bases" Percent 45,
    SecondBases "second-bases" Percent 45,
    Virtuals "virtuals" Percent 30,
    Overrides "overrides" Percent 50,
    Using "using" Percent 60,
    Files "files" Percent 15,
    ValueTypes "value-types" Percent 25,
    Operators "operators" Percent 50,
    FileEnums "file-enums" Percent 25,
    Enums "enums" Percent 20,
    FileStructs "file-structs" Percent 40,
    Structs "structs" Percent 60,
    RecursiveStructs "recursive-structs" Percent 15,
    FileErrors "file-errors" Percent 20,
    Errors "errors" Percent 50,
    FileEvents "file-events" Percent 20,
    Events "events" Percent 60,
    Anonymous "anonymous" Percent 20,
    Indexed "indexed" Percent 30,
    Modifiers "modifiers" Percent 50,
    /// `constant`, `immutable` and `transient` variables.
    Constants "constants" Percent 20,
    ConstantVariables "constant-variables" Weight 1,
    ImmutableVariables "immutable-variables" Weight 1,
    TransientVariables "transient-variables" Weight 1,
    FirstValues "first-values" Percent 30,
    StoredFunctions "stored-functions" Percent 25,
    Recursion "recursion" Percent 20,
    Twins "twins" Percent 50,
    Overloads "overloads" Percent 30,
    Shadows "shadows" Percent 15,
    StorageLayouts "storage-layouts" Percent 25,
    LayoutSlots "layout-slots" Weight 3,
    LayoutEnds "layout-ends" Weight 4,
    LayoutNames "layout-names" Weight 2,
    /// A state variable where none fits, and not a local one.
    NewStateVariables "new-state-variables" Percent 30,
    // What functions may do, and who may call them.
    Writers "writers" Weight 5,
    Viewers "viewers" Weight 3,
    Pures "pures" Weight 2,
    PublicFunctions "public-functions" Weight 5,
    InternalFunctions "internal-functions" Weight 3,
    ExternalFunctions "external-functions" Weight 2,
    // Calls.
    CallOptions "call-options" Percent 25,
    NamedArguments "named-arguments" Percent 50,
    CallWei "call-wei" Percent 60,
    /// What overrides a function without a body has none either.
    EmptyOverrides "empty-overrides" Percent 20,
}

/// Factors are counted in hundredths.
const ONE: u32 = 100;

/// The largest factor.
const MOST: u32 = 100;

/// What a swarm multiplies a row with.
const SWARM: [u32; 3] = [ONE / 4, ONE, 4 * ONE];

/// The table with a factor for each row, if there are any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// By row.
    factors: Option<Vec<u32>>,
    /// Each program multiplies each row with a factor of its own.
    swarm: bool,
}

impl Weights {
    /// The factors that settings ask for.
    pub(super) fn read(settings: &Settings) -> Result<Weights, OpenError> {
        let text = settings.get("weights").unwrap_or("");
        Weights::parse(text).ok_or_else(|| OpenError::BadSetting {
            key: "weights".to_string(),
            value: text.to_string(),
            expected: format!(
                "swarm, and NAME:FACTOR with a factor from 0 to {MOST} (two digits behind the point at most) and one of these names: {}",
                TABLE.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ")
            ),
        })
    }

    fn parse(text: &str) -> Option<Weights> {
        let mut weights = Weights::default();
        for word in text.split(',').map(str::trim) {
            match word {
                "" | "usual" => {}
                "swarm" => weights.swarm = true,
                word => {
                    let (name, factor) = word.split_once(':')?;
                    let row = TABLE.iter().position(|(known, _)| *known == name)?;
                    let factors = weights
                        .factors
                        .get_or_insert_with(|| TABLE.iter().map(unscaled).collect());
                    factors[row] = hundredths(factor)?;
                }
            }
        }
        Some(weights)
    }

    /// The table of one program.
    pub(super) fn draw(&self, choices: &mut Choices) -> Result<Weights, Reject> {
        if !self.swarm {
            return Ok(self.clone());
        }
        let mut factors = vec![ONE; TABLE.len()];
        for factor in &mut factors {
            *factor = *choices.pick(&SWARM)?;
        }
        for (row, given) in self.factors.iter().flatten().enumerate() {
            // What a swarm has of rows that are usually none is as good as any.
            if unscaled(&TABLE[row]) > 0 || *given > 0 {
                factors[row] = factors[row] * given / ONE;
            }
        }
        Ok(Weights {
            factors: Some(factors),
            swarm: false,
        })
    }

    /// The weight of a row among others of the table.
    pub(super) fn weight(&self, draw: Draw) -> u64 {
        let row = draw as usize;
        let (Odds::Weight(number) | Odds::Percent(number)) = TABLE[row].1;
        match &self.factors {
            Some(factors) => u64::from(number) * u64::from(factors[row]),
            None => u64::from(number),
        }
    }

    /// How many of a hundred a row that stands alone is.
    pub(super) fn percent(&self, draw: Draw) -> u32 {
        let row = draw as usize;
        let (Odds::Weight(number) | Odds::Percent(number)) = TABLE[row].1;
        match &self.factors {
            Some(factors) => (number.max(1) * factors[row]).div_ceil(ONE).min(100),
            None => number,
        }
    }
}

/// The factor of a row that nobody scales.
fn unscaled((_, odds): &(&str, Odds)) -> u32 {
    match odds {
        Odds::Percent(0) => 0,
        Odds::Weight(_) | Odds::Percent(_) => ONE,
    }
}

/// `0.25` as 25.
fn hundredths(text: &str) -> Option<u32> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_digits(whole) || !is_digits(rest) || rest.len() > 2 {
        return None;
    }
    let rest: u32 = format!("{rest:0<2}").parse().ok()?;
    let whole: u32 = whole.parse().ok().filter(|whole| *whole <= MOST)?;
    Some(whole * ONE + rest).filter(|factor| *factor <= MOST * ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_scaled_by_name_and_a_swarm_scales_each() {
        let weights = Weights::parse("checks:10,emits:0.25,overrides:4,bases:0").unwrap();
        for (draw, weight) in [
            (Draw::Checks, 2_000),
            (Draw::Emits, 75),
            (Draw::Locals, 800),
        ] {
            assert_eq!(weights.weight(draw), weight, "{draw:?}");
        }
        for (draw, percent) in [
            (Draw::Overrides, 100),
            (Draw::Bases, 0),
            (Draw::Structs, 60),
        ] {
            assert_eq!(weights.percent(draw), percent, "{draw:?}");
        }
        assert_eq!(Weights::default().weight(Draw::Checks), 2);
        assert_eq!(weights.percent(Draw::Parentheses), 0);
        let around = Weights::parse("parentheses:20").unwrap();
        assert_eq!(around.percent(Draw::Parentheses), 20);
        for wrong in [
            "checks", "checks:", "checks:x", "check:1", "checks:101", "checks:1.234",
        ] {
            assert_eq!(Weights::parse(wrong), None, "{wrong}");
        }
        let swarm = Weights::parse("swarm,checks:2").unwrap();
        let drawn = swarm.draw(&mut Choices::seeded(1, 1)).unwrap();
        let factors = drawn.factors.unwrap();
        for factor in SWARM {
            assert!(factors.contains(&factor), "{factor}");
        }
        assert!([50, 200, 800].contains(&factors[Draw::Checks as usize]));
    }

    #[test]
    fn every_row_has_a_name_of_its_own() {
        let mut names: Vec<&str> = TABLE.iter().map(|(name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
    }
}
