//! Strategy `yul`: contracts of assembly blocks, and what they must return.

use std::fmt::Write;

use dashu_int::UBig;
use lydite_core::{Answer, Case, Choices, Claim, Program, Reject, Setting, SourceFile, Space};

use super::draw::{Drawer, Limits, draw_word};
use super::print::print_contract;
use super::run::{State, TooLong};
use crate::behaviour::{DEPTH, KnownStrategy, SOLC, dialect_with, read_number};
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
    settings: &[
        Setting::value(
            SOLC.key,
            NEWEST,
            "the version of solc that programs are made for, 0.6.0 or newer",
        ),
        Setting::value("functions", "2", "how many functions a contract has"),
        Setting::value("statements", "8", "how many statements a block has at most"),
        DEPTH,
        Setting::value("calls", "8", "how often each function is called"),
        SIZES,
    ],
    open: |settings| {
        let needed = "a version whose assembly has all statements: 0.6.0 or newer";
        let dialect = dialect_with(settings, Feature::Receive, needed)?;
        Ok(Box::new(Blocks {
            functions: read_number(settings, "functions", 2, 50)?,
            calls: read_number(settings, "calls", 8, 1000)?,
            limits: Limits {
                statements: read_number(settings, "statements", 8, 100)?,
                depth: read_number(settings, "depth", 3, 8)?,
                has_transient: dialect.has(Feature::Transient),
                has_memory_safe: dialect.has(Feature::MemorySafe),
            },
            sizes: ProgramSizes::read(settings)?,
        }))
    },
};

struct Blocks {
    functions: u32,
    calls: u32,
    limits: Limits,
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
        let mut state = State::default();
        let mut script = "hide state\nnew C0()\n".to_string();
        let mut shown = "1 new C0(): deployed\n".to_string();
        let mut number = 2;
        let mut show = |call: String, values: &[UBig]| {
            let _ = writeln!(shown, "{number} {call}: returned ({})", joined(values));
            let _ = writeln!(script, "{call}");
            number += 1;
        };
        for _ in 0..self.calls {
            for (at, entry) in entries.iter().enumerate() {
                let mut arguments = Vec::new();
                for _ in &entry.parameters {
                    arguments.push(draw_word(choices)?);
                }
                let results = entry.call(&mut state, &arguments, FUEL);
                let results = results.map_err(|TooLong| Reject::NotApplicable("too long"))?;
                show(format!("C0.f{at}({})", joined(&arguments)), &results);
            }
        }
        for (slot, value) in state.storage.iter().take(READ) {
            show(
                format!("C0.f{}({slot})", entries.len()),
                std::slice::from_ref(value),
            );
        }
        let mut program = Program::single("case.sol", print_contract(&entries).into_bytes());
        program.files.push(SourceFile {
            name: "case.tx".to_string(),
            text: script.into_bytes().into(),
        });
        let claim = Claim::Answers(Answer::Output {
            status: 0,
            text: shown.into_bytes().into(),
        });
        Ok(Case::single(program, claim))
    }
}

fn joined(values: &[UBig]) -> String {
    let values = values.iter().map(UBig::to_string);
    values.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks() -> Blocks {
        Blocks {
            functions: 2,
            calls: 4,
            limits: Limits {
                statements: 8,
                depth: 3,
                has_transient: true,
                has_memory_safe: true,
            },
            sizes: ProgramSizes::ONE,
        }
    }

    #[test]
    fn every_construct_is_drawn_and_most_contracts_end() {
        let (mut texts, mut known) = (String::new(), 0);
        for index in 0..100 {
            let Ok(case) = blocks().sample(&mut Choices::seeded(5, index)) else {
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
        }
        assert!(known > 90, "{known}");
        for word in [
            "leave", "break", "continue", "switch", "default", "for {", "if ", "mstore8(",
            "sstore(", "tstore(", "tload(", "keccak256(", "pop(", "memory-safe", "g1(m",
            " := g0(m", "sar(", "addmod(",
        ] {
            assert!(texts.contains(word), "{word}");
        }
    }
}
