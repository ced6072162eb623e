//! Targets against each other, any number of them.
//!
//! The majority is named; who is at fault is not guessed. A target that
//! rejects, does not support, times out or dies takes no part. Where the
//! programs of a case belong together, a target is also compared with itself.

use std::collections::BTreeMap;

use super::{Judgement, Oracle, chain, incomplete, partition, shape, transcript};
use crate::{Answer, Case, Claim, Kind, Observation, Role, Symptom, Table, TargetName, Verdict};

/// Reports targets that answer differently from the majority (or, without
/// one, from the first group of the plan).
pub struct DifferentialOracle;

impl Oracle for DifferentialOracle {
    fn name(&self) -> &'static str {
        "differential"
    }

    fn about(&self) -> &'static str {
        "targets answer differently, or one contradicts itself on programs that belong together"
    }

    fn judge(&self, case: &Case, table: &Table) -> Vec<Symptom> {
        let mut symptoms: Vec<Symptom> = (0..case.programs.len())
            .flat_map(|program| comparable(case, program, table))
            .flat_map(|answering| judge_answers(&answering))
            .collect();
        symptoms.extend(chain::contradictions(case, table));
        symptoms.extend(partition::contradictions(case, table));
        symptoms
    }

    fn judgement(&self, case: &Case, table: &Table) -> Judgement {
        Judgement {
            symptoms: self.judge(case, table),
            remarks: incomplete::open_forms(case, table),
        }
    }
}

/// The answers of one question: groups of targets by what they said.
pub(super) type AnswerGroups<'a> = BTreeMap<String, Vec<&'a TargetName>>;

/// Whoever answers, and what.
pub(super) type Answering<'a> = Vec<(&'a Observation, &'a Answer)>;

/// Whoever answers to a program, apart where answers do not compare.
///
/// The language of contracts leaves open in which order operands are evaluated, and the
/// generators of code differ in it. What a strategy has made is only compared among targets with
/// the same generator, unless the claim says what it does: such a program does not depend on it.
/// Code compares where it was made in the same way.
pub(super) fn comparable<'a>(case: &Case, program: usize, table: &'a Table) -> Vec<Answering<'a>> {
    let is_open = case.claim.answer().is_none() && case.claim != Claim::Silent;
    let mut apart: BTreeMap<Option<&str>, Answering<'a>> = BTreeMap::new();
    for observation in table.of_program(program) {
        if let Some(answer) = observation.outcome.answer() {
            let generator = match (answer, is_open) {
                (Answer::Code { text }, _) => first_line(text),
                (_, true) => transcript::generator(&observation.target, answer),
                (_, false) => None,
            };
            apart
                .entry(generator)
                .or_default()
                .push((observation, answer));
        }
    }
    apart.into_values().collect()
}

/// How code was made, as its list says.
fn first_line(text: &[u8]) -> Option<&str> {
    let line = text.split(|byte| *byte == b'\n').next()?;
    std::str::from_utf8(line).ok()
}

fn judge_answers(answering: &Answering<'_>) -> Vec<Symptom> {
    let questions = questions(answering);
    let mut symptoms: Vec<Symptom> = Vec::new();
    for groups in &questions {
        if groups.len() < 2 {
            continue;
        }
        for symptom in disagreements(groups, answering) {
            // One symptom per accused target, however many questions differ.
            if !symptoms.iter().any(|s| s.target == symptom.target) {
                symptoms.push(symptom);
            }
        }
    }
    symptoms
}

/// Splits the answers into questions. Verdict lists are compared one by one,
/// among those of the most common length: a list of another length is the
/// trace of an error, not an answer to the same questions.
pub(super) fn questions<'a>(answering: &[(&'a Observation, &'a Answer)]) -> Vec<AnswerGroups<'a>> {
    let mut lengths: BTreeMap<usize, usize> = BTreeMap::new();
    let mut outputs = AnswerGroups::new();
    for (observation, answer) in answering {
        match answer {
            Answer::Verdicts(verdicts) => *lengths.entry(verdicts.len()).or_default() += 1,
            Answer::Output { .. } | Answer::Code { .. } => outputs
                .entry(answer_key(answer))
                .or_default()
                .push(&observation.target),
            Answer::Accepted | Answer::Program { .. } => {}
        }
    }
    let mut questions = vec![outputs];
    // Among equally common lengths the longest: it answered every question.
    let common = lengths
        .iter()
        .max_by_key(|(length, count)| (**count, **length));
    for i in 0..common.map_or(0, |(length, _)| *length) {
        let mut groups = AnswerGroups::new();
        for (observation, answer) in answering {
            if let Answer::Verdicts(verdicts) = answer
                && Some(verdicts.len()) == common.map(|(length, _)| *length)
                && verdicts[i] != Verdict::Unknown
            {
                let group = groups.entry(verdicts[i].name().to_string());
                group.or_default().push(&observation.target);
            }
        }
        questions.push(groups);
    }
    questions
}

/// Outputs are grouped by all of their bytes, not by what is shown of them.
fn answer_key(answer: &Answer) -> String {
    match answer {
        Answer::Output { status, text } => format!("exit {status} {}", text.escape_ascii()),
        Answer::Code { text } => format!("made the {}", text.escape_ascii()),
        other => other.to_string(),
    }
}

/// Who differs from what references say, else from the majority, or without one from whom the
/// plan names last.
pub(super) fn disagreements<'a>(
    groups: &AnswerGroups<'a>,
    answering: &[(&'a Observation, &'a Answer)],
) -> Vec<Symptom> {
    let program = answering.first().map_or(0, |(one, _)| one.program);
    let order = |target: &TargetName| answering.iter().position(|(o, _)| o.target == *target);
    let largest = groups.values().map(Vec::len).max().unwrap_or(0);
    let mut leading = groups.iter().filter(|(_, group)| group.len() == largest);
    let majority = match (leading.next(), leading.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    let mut believed = groups.iter().filter(|(_, group)| {
        let mut references = answering.iter().filter(|(o, _)| o.role == Role::Reference);
        references.any(|(o, _)| group.contains(&&o.target))
    });
    let believed = match (believed.next(), believed.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    // Without a majority the group that holds the plan's last target is the
    // yardstick, so that the target named first is the one accused.
    let yardstick = believed.or(majority).or_else(|| {
        let last = |(_, group): &(&String, &Vec<&'a TargetName>)| {
            group.iter().filter_map(|target| order(target)).max()
        };
        groups.iter().max_by_key(last)
    });
    let Some((said, against)) = yardstick else {
        return Vec::new();
    };
    let mut symptoms = Vec::new();
    for (other, dissenters) in groups.iter().filter(|(key, _)| *key != said) {
        for target in dissenters {
            symptoms.push(Symptom {
                kind: Kind::Disagreement,
                target: (*target).clone(),
                against: against.iter().map(|target| (*target).clone()).collect(),
                program,
                site: disagreement_site(target, other, said),
                evidence: evidence(groups, majority.map(|(said, _)| said.as_str())),
            });
        }
    }
    symptoms.sort_by_key(|symptom| order(&symptom.target));
    symptoms
}

/// Verdicts tell bugs apart, and so do transcripts; of other output what stands where
/// it differs.
pub(super) fn disagreement_site(target: &TargetName, other: &str, said: &str) -> String {
    if let (Some(other), Some(said)) = (Verdict::from_name(other), Verdict::from_name(said)) {
        return format!("{other} not {said}");
    }
    let text = |key: &str| key.splitn(3, ' ').nth(2).map(str::to_string);
    let (Some(said), Some(other)) = (text(said), text(other)) else {
        return "output".to_string();
    };
    if let Some(site) = transcript::site(target, &said, &other, "\\n") {
        return site;
    }
    let lines = |text: String| text.replace("\\n", "\n");
    shape::site(lines(said).as_bytes(), lines(other).as_bytes())
}

/// How much of what somebody said is shown, and how much of that is what all
/// begin with.
const SHOWN_CHARS: usize = 80;
const SHARED_CHARS: usize = 24;

/// Who said what: the part in which they begin to differ.
pub(super) fn evidence(groups: &AnswerGroups<'_>, majority: Option<&str>) -> String {
    let shared = shared_chars(groups);
    let skipped = match shared + SHARED_CHARS > SHOWN_CHARS {
        true => shared.saturating_sub(SHARED_CHARS),
        false => 0,
    };
    let shown = |text: &str| {
        let part = text.chars().skip(skipped).take(SHOWN_CHARS);
        let gap = (skipped > 0).then_some('…');
        gap.into_iter().chain(part).collect::<String>()
    };
    let mut parts: Vec<String> = groups
        .iter()
        .map(|(said, targets)| {
            let names: Vec<String> = targets.iter().map(ToString::to_string).collect();
            format!("{}: {}", names.join(", "), shown(said))
        })
        .collect();
    parts.push(match majority {
        Some(said) => format!("majority: {}", shown(said)),
        None => "no majority".to_string(),
    });
    parts.join("; ")
}

/// How many characters all begin with.
fn shared_chars(groups: &AnswerGroups<'_>) -> usize {
    let mut texts = groups.keys();
    let Some(first) = texts.next() else {
        return 0;
    };
    let alike = |text: &String| {
        let pairs = first.chars().zip(text.chars());
        pairs.take_while(|(one, other)| one == other).count()
    };
    texts.map(alike).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::table::{case, judged, table};
    use super::*;

    #[test]
    fn agreement_and_silence_are_no_symptom() {
        for rows in [
            vec!["a sat", "b sat"],
            vec![
                "a sat", "b undecided", "c timeout", "d rejected", "e unsupported",
            ],
            vec!["a sat,unknown", "b unknown,unsat"],
            vec!["a out=1", "b out=1"],
            vec!["a sat"],
            vec![],
        ] {
            assert!(
                judged(&DifferentialOracle, "silent", &rows).is_empty(),
                "{rows:?}"
            );
        }
    }

    #[test]
    fn the_minority_is_accused_and_the_majority_named() {
        let rows = ["a unsat", "b sat", "c sat", "d crashed"];
        assert_eq!(
            judged(&DifferentialOracle, "silent", &rows),
            ["disagreement a [b c] unsat not sat"]
        );
        let symptoms = DifferentialOracle.judge(&case("silent"), &table(&rows));
        assert_eq!(symptoms[0].evidence, "b, c: sat; a: unsat; majority: sat");
    }

    #[test]
    fn one_against_one_accuses_the_first_target_of_the_plan() {
        let rows = ["z sat", "a unsat"];
        assert_eq!(
            judged(&DifferentialOracle, "silent", &rows),
            ["disagreement z [a] sat not unsat"]
        );
        let symptoms = DifferentialOracle.judge(&case("silent"), &table(&rows));
        assert!(symptoms[0].evidence.ends_with("no majority"));
    }

    #[test]
    fn long_outputs_are_shown_where_they_begin_to_differ() {
        let long = "x".repeat(500);
        let rows = [format!("a out={long}1end"), format!("b out={long}2end")];
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let symptoms = DifferentialOracle.judge(&case("silent"), &table(&rows));
        let shared = "x".repeat(SHARED_CHARS);
        assert_eq!(
            symptoms[0].evidence,
            format!("a: …{shared}1end; b: …{shared}2end; no majority")
        );
    }

    #[test]
    fn lists_are_compared_one_by_one_and_odd_lengths_take_no_part() {
        let rows = ["a sat,sat", "b sat,unsat", "c sat,unsat", "d unsat"];
        assert_eq!(
            judged(&DifferentialOracle, "silent", &rows),
            ["disagreement a [b c] sat not unsat"]
        );
    }

    #[test]
    fn outputs_are_compared_whole_and_by_status() {
        let rows = ["gcc out=42", "clang out=42", "tcc out=43"];
        assert_eq!(
            judged(&DifferentialOracle, "silent", &rows),
            ["disagreement tcc [gcc clang] output"]
        );
        let mut table = table(&["gcc out=1", "tcc out=1"]);
        table.observations[1].outcome = crate::Outcome::Answered(Answer::Output {
            status: 3,
            text: (*b"1").into(),
        });
        assert_eq!(DifferentialOracle.judge(&case("silent"), &table).len(), 1);
    }

    #[test]
    fn contracts_of_open_behaviour_are_compared_within_one_generator_of_code() {
        let reverted = |code: u8| {
            crate::Outcome::Answered(Answer::Output {
                status: 0,
                text: format!("1 new C(): reverted Panic({code})\n")
                    .into_bytes()
                    .into(),
            })
        };
        let rows = [
            "solc:evm out=1", "solc:evm-optimize out=1", "solc:evm-via-ir out=1",
        ];
        let accused = |claim: Claim, codes: [u8; 3]| -> Vec<String> {
            let mut table = table(&rows);
            for (observation, code) in table.observations.iter_mut().zip(codes) {
                observation.outcome = reverted(code);
            }
            let mut case = case("silent");
            case.claim = claim;
            let symptoms = DifferentialOracle.judge(&case, &table);
            let targets = symptoms.iter().map(|symptom| symptom.target.to_string());
            targets.collect()
        };
        // Which of two operands fails first is open.
        assert!(accused(Claim::Accepted, [50, 50, 18]).is_empty());
        assert!(accused(Claim::Equivalent, [50, 50, 18]).is_empty());
        assert_eq!(accused(Claim::Accepted, [50, 18, 18]), ["solc:evm"]);
        // Somebody asks just that.
        assert_eq!(accused(Claim::Silent, [50, 50, 18]), ["solc:evm-via-ir"]);
        let known = Claim::Answers(reverted(50).answer().unwrap().clone());
        assert_eq!(accused(known, [50, 50, 18]), ["solc:evm-via-ir"]);
    }
}
