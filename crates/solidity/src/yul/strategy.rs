//! Strategies `yul` and `yul-object`: contracts of assembly blocks, or the same
//! blocks as objects that stand alone, and what they must return.

use std::fmt::Write;

use dashu_int::UBig;
use lydite_core::{
    Answer, Case, Choices, Claim, OpenError, Program, Reject, Setting, Settings, SourceFile, Space,
};

use super::draw::{Drawer, Limits, draw_word};
use super::print::{print_contract, print_object};
use super::run::{Outcome, State, TooLong};
use super::steps::draw_steps;
use super::{Entry, WORD};
use crate::behaviour::{DEPTH, KnownStrategy, SOLC, dialect_with, read_number, read_number_from};
use crate::sizes::{ProgramSizes, SIZES};
use crate::version::{Feature, NEWEST};

/// Steps of one call: some ten thousand gas each at most.
const FUEL: u64 = 2_000;

/// Slots of storage that are read at the end.
const READ: usize = 24;

/// Makes contracts of assembly blocks.
pub const YUL: KnownStrategy = KnownStrategy {
    name: "yul",
    about: "contracts of random assembly blocks on memory, storage and words, and what they must return",
    language: "solidity",
    settings: &[
        Setting::value(
            SOLC.key,
            NEWEST,
            "the version of solc that programs are made for, 0.6.0 or newer",
        ),
        FUNCTIONS,
        STATEMENTS,
        DEPTH,
        LOCALS,
        FRAMES,
        GROUP,
        CALLS,
        SIZES,
    ],
    open: |settings| {
        let needed = "a version whose assembly has all statements: 0.6.0 or newer";
        open(settings, Form::Contract, Feature::Receive, needed)
    },
};

/// Makes objects of Yul.
pub const YUL_OBJECT: KnownStrategy = KnownStrategy {
    name: "yul-object",
    about: "random objects of Yul with steps for its optimizer, and what they must return",
    language: "yul",
    settings: &[
        Setting::value(
            SOLC.key,
            NEWEST,
            "the version of solc that programs are made for, 0.8.13 or newer",
        ),
        FUNCTIONS,
        STATEMENTS,
        DEPTH,
        LOCALS,
        FRAMES,
        GROUP,
        CALLS,
        SIZES,
    ],
    open: |settings| {
        let needed = "a version whose optimizer has all steps: 0.8.13 or newer";
        open(settings, Form::Object, Feature::MemorySafe, needed)
    },
};

const FUNCTIONS: Setting = Setting::value("functions", "2", "how many functions a contract has");
const STATEMENTS: Setting =
    Setting::value("statements", "8", "how many statements a block has at most");
const LOCALS: Setting = Setting::value(
    "locals",
    "3",
    "how many local variables are seen at once at most, besides parameters and results",
);
const FRAMES: Setting = Setting::value(
    "frames",
    "0",
    "how many values a function of a block holds from its beginning to its end at most",
);
const GROUP: Setting = Setting::value(
    "group",
    "2",
    "how many functions of a block call each other at most",
);
const CALLS: Setting = Setting::value("calls", "8", "how often each function is called");

fn open(
    settings: &Settings,
    form: Form,
    feature: Feature,
    needed: &str,
) -> Result<Box<dyn Space>, OpenError> {
    let dialect = dialect_with(settings, feature, needed)?;
    Ok(Box::new(Blocks {
        form,
        functions: read_number(settings, "functions", 2, 50)?,
        calls: read_number(settings, "calls", 8, 1000)?,
        limits: Limits {
            statements: read_number(settings, "statements", 8, 100)?,
            depth: read_number(settings, "depth", 3, 8)?,
            locals: read_number(settings, "locals", 3, 100)?,
            frames: read_number_from(settings, "frames", 0, 0, 60)?,
            group: read_number_from(settings, "group", 2, 2, 6)?,
            returns_any: form == Form::Object,
            has_transient: dialect.has(Feature::Transient),
            has_memory_safe: form == Form::Contract && dialect.has(Feature::MemorySafe),
        },
        has_cleanup: dialect.has(Feature::CleanupSteps),
        sizes: ProgramSizes::read(settings)?,
    }))
}

/// What blocks are put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Functions of a contract.
    Contract,
    /// An object of Yul, with steps for the optimizer beside it.
    Object,
}

struct Blocks {
    form: Form,
    functions: u32,
    calls: u32,
    limits: Limits,
    /// What the optimizer does last can be said.
    has_cleanup: bool,
    sizes: ProgramSizes,
}

impl Space for Blocks {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let size = self.sizes.draw(choices)?;
        let limits = Limits {
            statements: size.of(self.limits.statements),
            ..self.limits
        };
        let mut entries = Vec::new();
        for _ in 0..size.of(self.functions) {
            entries.push(Drawer::entry(choices, limits)?);
        }
        let mut log = CallLog::new(self.form);
        let state = self.call_all(&entries, choices, &mut log)?;
        for (slot, value) in state.storage.iter().take(READ) {
            let value = Outcome::Returned(word_bytes(value));
            log.add(entries.len(), std::slice::from_ref(slot), &value);
        }
        let mut program = match self.form {
            Form::Contract => Program::single("case.sol", print_contract(&entries).into_bytes()),
            Form::Object => Program::single("case.yul", print_object(&entries).into_bytes()),
        };
        let mut beside = vec![("case.tx", log.script)];
        if self.form == Form::Object {
            beside.push(("case.steps", draw_steps(choices, self.has_cleanup)? + "\n"));
        }
        program
            .files
            .extend(beside.into_iter().map(|(name, text)| SourceFile {
                name: name.to_string(),
                text: text.into_bytes().into(),
            }));
        let claim = Claim::Answers(Answer::Output {
            status: 0,
            text: log.shown.into_bytes().into(),
        });
        Ok(Case::single(program, claim))
    }
}

impl Blocks {
    /// Calls every function with words that are drawn, as often as the settings
    /// say.
    fn call_all(
        &self,
        entries: &[Entry],
        choices: &mut Choices,
        log: &mut CallLog,
    ) -> Result<State, Reject> {
        let mut state = State::default();
        for _ in 0..self.calls {
            for (at, entry) in entries.iter().enumerate() {
                let mut arguments = Vec::new();
                for _ in &entry.parameters {
                    arguments.push(draw_word(choices)?);
                }
                let outcome = entry.call(&mut state, &arguments, FUEL);
                let outcome = outcome.map_err(|TooLong| Reject::NotApplicable("too long"))?;
                log.add(at, &arguments, &outcome);
            }
        }
        Ok(state)
    }
}

/// Transactions, and what they must show.
struct CallLog {
    form: Form,
    script: String,
    shown: String,
    /// The number of the next transaction.
    next: usize,
}

impl CallLog {
    fn new(form: Form) -> CallLog {
        CallLog {
            form,
            script: "hide state\nnew C0()\n".to_string(),
            shown: "1 new C0(): deployed\n".to_string(),
            next: 2,
        }
    }

    fn add(&mut self, function: usize, arguments: &[UBig], outcome: &Outcome) {
        let call = match self.form {
            Form::Contract => format!("C0.f{function}({})", joined(arguments)),
            Form::Object => {
                let words = arguments.iter().flat_map(word_bytes);
                let data: Vec<u8> = word_bytes(&UBig::from(function))
                    .into_iter()
                    .chain(words)
                    .collect();
                format!("raw C0 {}", hexadecimal(&data))
            }
        };
        let result = match (outcome, self.form) {
            (Outcome::Reverted(bytes), _) if bytes.is_empty() => "reverted".to_string(),
            (Outcome::Reverted(bytes), _) => format!("reverted {}", hexadecimal(bytes)),
            (Outcome::Returned(bytes), Form::Object) if bytes.is_empty() => "done".to_string(),
            (Outcome::Returned(bytes), Form::Object) => format!("returned {}", hexadecimal(bytes)),
            (Outcome::Returned(bytes), Form::Contract) => {
                let words = bytes.chunks(WORD as usize).map(UBig::from_be_bytes);
                format!("returned ({})", joined(&words.collect::<Vec<UBig>>()))
            }
        };
        let _ = writeln!(self.shown, "{} {call}: {result}", self.next);
        let _ = writeln!(self.script, "{call}");
        self.next += 1;
    }
}

fn joined(values: &[UBig]) -> String {
    let values = values.iter().map(UBig::to_string);
    values.collect::<Vec<String>>().join(", ")
}

fn word_bytes(value: &UBig) -> Vec<u8> {
    super::run::bytes(value).to_vec()
}

fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = "0x".to_string();
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(form: Form) -> Blocks {
        Blocks {
            form,
            functions: 2,
            calls: 4,
            limits: Limits {
                statements: 8,
                depth: 3,
                locals: 3,
                frames: 0,
                group: 2,
                returns_any: form == Form::Object,
                has_transient: true,
                has_memory_safe: form == Form::Contract,
            },
            has_cleanup: true,
            sizes: ProgramSizes::ONE,
        }
    }

    /// The texts of a hundred programs and of what they must show.
    fn drawn(form: Form) -> (String, String) {
        let (mut texts, mut claims, mut known) = (String::new(), String::new(), 0);
        for index in 0..100 {
            let Ok(case) = blocks(form).sample(&mut Choices::seeded(5, index)) else {
                continue;
            };
            known += 1;
            let program = &case.programs[0];
            texts += std::str::from_utf8(&program.source().text).unwrap();
            let Claim::Answers(Answer::Output { text, .. }) = &case.claim else {
                panic!("nothing is claimed");
            };
            let shown = text.split(|byte| *byte == b'\n').count();
            let script = program.files[1].text.split(|byte| *byte == b'\n').count();
            assert_eq!(shown + 1, script, "a line for each transaction");
            claims += std::str::from_utf8(text).unwrap();
        }
        assert!(known > 85, "{known}");
        (texts, claims)
    }

    const WORDS: [&str; 20] = [
        "leave", "break", "continue", "switch", "default", "for {", "if ", "mstore8(", "sstore(",
        "tstore(", "tload(", "keccak256(", "pop(", "g1(m", " := g0(m", "sar(", "addmod(",
        "revert(", "return(add(m", ", 1)",
    ];

    #[test]
    fn every_construct_is_drawn_and_most_contracts_end() {
        let (texts, claims) = drawn(Form::Contract);
        for word in WORDS.iter().chain(&["memory-safe"]) {
            assert!(texts.contains(word), "{word}");
        }
        assert!(claims.contains(": reverted 0x") && claims.contains(": reverted\n"));
    }

    #[test]
    fn objects_have_all_constructs_too_and_return_any_number_of_bytes() {
        let (texts, claims) = drawn(Form::Object);
        for word in WORDS.iter().chain(&["memoryguard", "stop()"]) {
            assert!(texts.contains(word), "{word}");
        }
        for end in [": reverted 0x", ": reverted\n", ": done\n", ": returned 0x"] {
            assert!(claims.contains(end), "{end}");
        }
    }

    #[test]
    fn every_setting_has_a_default_that_it_takes() {
        for strategy in [YUL, YUL_OBJECT] {
            let given: std::collections::BTreeMap<String, String> = strategy
                .settings
                .iter()
                .map(|setting| (setting.key.to_string(), setting.default.to_string()))
                .collect();
            let settings = Settings::checked(&strategy, given).unwrap();
            assert!((strategy.open)(&settings).is_ok());
        }
    }

    #[test]
    fn routines_hold_values_over_calls_of_their_group_and_read_each_at_their_end() {
        let mut blocks = blocks(Form::Object);
        blocks.limits.frames = 20;
        blocks.limits.group = 3;
        let (mut held, mut third) = (0, 0);
        for index in 0..60 {
            let Ok(case) = blocks.sample(&mut Choices::seeded(7, index)) else {
                continue;
            };
            let text = std::str::from_utf8(&case.programs[0].source().text).unwrap();
            for routine in text.split("function g").skip(1) {
                let loads: Vec<&str> = (0..20)
                    .filter_map(|at| {
                        let value = format!(" := keccak256(add(m, {at}), 32)\n");
                        let line = routine.split(&value).next().filter(|it| *it != routine);
                        line.and_then(|before| before.rsplit("let ").next())
                    })
                    .collect();
                let Some(end) = routine.rfind("(m, ").filter(|_| loads.len() >= 10) else {
                    continue;
                };
                let is_read = |name: &&str| routine[end..].contains(&format!("3), {name})\n"));
                held += usize::from(loads.iter().all(is_read));
                third += usize::from(routine.contains("g2(m, sub(v"));
            }
        }
        assert!(held > 10 && third > 0, "{held}, {third}");
    }

    #[test]
    fn routines_call_themselves_and_each_other() {
        let (texts, _) = drawn(Form::Object);
        let mut recursions = [false; 2];
        let mut own = None;
        for line in texts.lines() {
            if let Some(head) = line.trim().strip_prefix("function g") {
                own = head.split('(').next().and_then(|it| it.parse::<u32>().ok());
            }
            let (Some(own), true) = (own, line.contains("(m, sub(v")) else {
                continue;
            };
            let call = line.split("(m, sub(v").next().unwrap_or_default();
            let called = call
                .rsplit('g')
                .next()
                .and_then(|it| it.parse::<u32>().ok());
            recursions[usize::from(called != Some(own))] = true;
        }
        assert_eq!(recursions, [true; 2]);
    }
}
