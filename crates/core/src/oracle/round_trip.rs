//! What a formatter or another writer makes of a program must be the same program.
//!
//! A target that writes programs ([`Answer::Program`]) shows nothing by its own
//! words. So what it wrote is put to all targets: whoever took the program
//! and refuses what became of it, or makes other code of it, shows that it is
//! not the same any more; and the writer itself has to leave its own words as
//! they are.

use std::sync::Arc;

use super::Oracle;
use crate::signature::refusal_site;
use crate::{Answer, Case, Kind, Observation, Outcome, Program, Symptom, Table};

/// Reports writers whose programs are not the ones that they read.
pub struct RoundTripOracle;

/// How many written programs of a case are looked at.
const WRITTEN: usize = 8;

impl Oracle for RoundTripOracle {
    fn name(&self) -> &'static str {
        "round-trip"
    }

    fn about(&self) -> &'static str {
        "what a formatter wrote is refused, becomes other code, or is changed by it once more"
    }

    fn follow_up(&self, case: &Case, table: &Table) -> Vec<Program> {
        let mut programs: Vec<Program> = Vec::new();
        for (writer, text) in writers(table) {
            let written = written(case, writer.program, text);
            if !case.programs.contains(&written) && !programs.contains(&written) {
                programs.push(written);
            }
        }
        programs.truncate(WRITTEN);
        programs
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let mut symptoms = Vec::new();
        for (writer, text) in writers(table) {
            let written = written(case, writer.program, text);
            let place = case.programs.iter().rposition(|one| *one == written);
            // What it left as it was, and what follows from what followed, is not judged.
            if let Some(place) = place.filter(|place| *place > writer.program) {
                symptoms.extend(judge_written(writer, text, place, table));
            }
        }
        symptoms
    }
}

/// Who wrote what.
fn writers(table: &Table) -> impl Iterator<Item = (&Observation, &Arc<[u8]>)> {
    table.observations.iter().filter_map(|one| {
        let Some(Answer::Program { text }) = one.outcome.answer() else {
            return None;
        };
        Some((one, text))
    })
}

/// The program with another source.
fn written(case: &Case, program: usize, text: &Arc<[u8]>) -> Program {
    let mut written = case.programs[program].clone();
    written.files[0].text = text.clone();
    written
}

/// What is wrong with the program at `place`, which `writer` wrote.
fn judge_written(
    writer: &Observation,
    text: &Arc<[u8]>,
    place: usize,
    table: &Table,
) -> Vec<Symptom> {
    let mut symptoms: Vec<Symptom> = Vec::new();
    for after in table.of_program(place) {
        let mut of_first = table.of_program(writer.program);
        let before = of_first.find(|one| one.target == after.target);
        let Some(before) = before.and_then(|one| one.outcome.answer()) else {
            continue;
        };
        let Some((kind, site)) = difference(writer, text, before, after) else {
            continue;
        };
        match symptoms.iter_mut().find(|one| one.site == site) {
            Some(symptom) => symptom.against.push(after.target.clone()),
            None => symptoms.push(Symptom {
                kind,
                target: writer.target.clone(),
                against: vec![after.target.clone()],
                program: place,
                site,
                evidence: format!(
                    "{} says {} to program {place}, which {} wrote; to program {}, which it read: {before}",
                    after.target, after.outcome, writer.target, writer.program
                ),
            }),
        }
    }
    // Whoever wrote another program need not leave it as it is.
    if symptoms.iter().any(|one| one.kind == Kind::WrongOutput) {
        symptoms.retain(|one| one.kind == Kind::WrongOutput);
    }
    symptoms
}

/// How a target shows that a written program is another one.
fn difference(
    writer: &Observation,
    text: &Arc<[u8]>,
    before: &Answer,
    after: &Observation,
) -> Option<(Kind, String)> {
    if let Answer::Program { .. } = before {
        return match &after.outcome {
            _ if after.target != writer.target => None,
            Outcome::Answered(Answer::Program { text: again }) if again != text => Some((
                Kind::Disagreement,
                "one text then another of the same program".to_string(),
            )),
            Outcome::Rejected(message) => Some((
                Kind::WrongOutput,
                format!("written, then refused by itself: {}", refusal_site(message)),
            )),
            _ => None,
        };
    }
    match &after.outcome {
        Outcome::Rejected(message) => Some((
            Kind::WrongOutput,
            format!("written, then refused: {}", refusal_site(message)),
        )),
        Outcome::Answered(answer) if answer != before => {
            let what = match answer {
                Answer::Code { .. } => "code",
                Answer::Output { .. } => "output",
                // Solvers and the like may answer as they please.
                _ => return None,
            };
            Some((Kind::WrongOutput, format!("written, then other {what}")))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{case, judged_case, table};
    use super::*;

    /// Follows up and judges; rows of program 1 are about what `fmt` wrote.
    fn judged(text: &str, rows: &[&str]) -> Vec<String> {
        let mut case = case("silent");
        case.programs[0].files[0].text = text.as_bytes().into();
        let first: Vec<&str> = rows
            .iter()
            .copied()
            .filter(|row| !row.starts_with("1/"))
            .collect();
        let further = RoundTripOracle.follow_up(&case, &table(&first));
        case.programs.extend(further);
        judged_case(&RoundTripOracle, &case, rows)
    }

    #[test]
    fn what_was_written_has_to_be_taken_and_to_become_the_same_code() {
        let refused = "wrong-output fmt [cc] written, then refused: syntax error";
        let first = ["fmt wrote=b", "cc code=x/1"];
        for (row, expected) in [
            ("1/cc code=x/1", vec![]),
            (
                "1/cc code=x/2",
                vec!["wrong-output fmt [cc] written, then other code"],
            ),
            ("1/cc rejected", vec![refused]),
            // Nothing can be said.
            ("1/cc timeout", vec![]),
            ("1/cc unsupported", vec![]),
            ("1/fmt wrote=b", vec![]),
            (
                "1/fmt wrote=c",
                vec!["disagreement fmt [fmt] one text then another of the same program"],
            ),
            (
                "1/fmt rejected",
                vec!["wrong-output fmt [fmt] written, then refused by itself: syntax error"],
            ),
        ] {
            let rows = [first[0], first[1], row];
            assert_eq!(judged("a", &rows), expected, "{row}");
        }
        let rows = [
            "fmt wrote=b", "cc accepted", "1/cc rejected", "1/fmt wrote=c",
        ];
        assert_eq!(judged("a", &rows), [refused]);
        let rows = ["fmt wrote=b", "cc rejected", "1/cc rejected"];
        assert!(judged("a", &rows).is_empty());
    }

    #[test]
    fn writers_are_not_compared_with_each_other() {
        let rows = [
            "fmt wrote=b", "other wrote=a", "1/fmt wrote=b", "1/other wrote=c",
        ];
        assert!(judged("a", &rows).is_empty());
        let case = case("silent");
        let one = table(&["fmt wrote=b", "other wrote=b", "third wrote=(check-sat)"]);
        assert_eq!(RoundTripOracle.follow_up(&case, &one).len(), 1);
    }
}
