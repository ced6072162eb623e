//! Answers along the programs of a case that belong together: which verdict
//! carries over from one program to a later one, and who contradicts that.

use super::transcript;
use crate::{Answer, Case, Claim, Kind, Observation, Symptom, Table, Verdict};

/// True if `verdict` on a program settles every later program of the case:
/// what is weaker than something satisfiable is satisfiable, what is stronger
/// than something unsatisfiable is unsatisfiable.
pub(super) fn carries_over(claim: &Claim, verdict: Verdict) -> bool {
    match claim {
        Claim::Equivalent | Claim::AcceptedEquivalent => verdict != Verdict::Unknown,
        Claim::Weakens(_) => verdict == Verdict::Sat,
        Claim::Strengthens(_) => verdict == Verdict::Unsat,
        _ => false,
    }
}

/// True if `verdict` on a program settles every earlier program of the case.
pub(super) fn carries_back(claim: &Claim, verdict: Verdict) -> bool {
    match claim {
        Claim::Equivalent | Claim::AcceptedEquivalent => verdict != Verdict::Unknown,
        Claim::Weakens(_) => verdict == Verdict::Unsat,
        Claim::Strengthens(_) => verdict == Verdict::Sat,
        _ => false,
    }
}

/// The verdicts that two programs of a chain get, side by side; nothing where
/// an error in one of them means that the lists are not about the same
/// questions.
fn side_by_side<'a>(
    earlier: &'a Answer,
    later: &'a Answer,
) -> impl Iterator<Item = (Verdict, Verdict)> + 'a {
    let (earlier, later) = match (earlier, later) {
        (Answer::Verdicts(earlier), Answer::Verdicts(later)) if earlier.len() == later.len() => {
            (earlier.as_slice(), later.as_slice())
        }
        _ => (&[][..], &[][..]),
    };
    earlier.iter().copied().zip(later.iter().copied())
}

/// In words, how two answers contradict each other under the claim.
fn contradiction(claim: &Claim, earlier: &Answer, later: &Answer) -> Option<String> {
    if claim.is_equivalence()
        && let (Answer::Output { .. }, Answer::Output { .. }) = (earlier, later)
    {
        return (earlier != later).then(|| "one output then another".to_string());
    }
    side_by_side(earlier, later)
        .find(|(earlier, later)| carries_over(claim, *earlier) && earlier.contradicts(*later))
        .map(|(earlier, later)| format!("{earlier} then {later}"))
}

/// True for a symptom that [`contradictions`] made: it is about two programs.
pub(super) fn spans_programs(symptom: &Symptom) -> bool {
    symptom.kind == Kind::Disagreement && symptom.site.contains(" then ")
}

/// Targets that contradict themselves along the programs of the case, and
/// pairs of targets that contradict each other where neither decides the
/// other's program (if one did, the answers to that program would differ).
pub(super) fn contradictions(case: &Case, table: &Table) -> Vec<Symptom> {
    let mut symptoms: Vec<Symptom> = Vec::new();
    let pairs = table.observations.iter().flat_map(|later| {
        let earlier = table.observations.iter();
        let earlier = earlier.filter(|earlier| earlier.program < later.program);
        earlier.map(move |earlier| (earlier, later))
    });
    let (own, mixed): (Vec<_>, Vec<_>) =
        pairs.partition(|(earlier, later)| earlier.target == later.target);
    let apart = |(earlier, later): &(&Observation, &Observation)| {
        !decides(table, earlier, later) && !decides(table, later, earlier)
    };
    let mixed = mixed.into_iter().filter(apart);
    for (earlier, later) in own.into_iter().chain(mixed) {
        let reported = |symptom: &Symptom| symptom.target == later.target;
        if symptoms.iter().any(reported) {
            continue;
        }
        if let (Some(first), Some(second)) = (earlier.outcome.answer(), later.outcome.answer())
            && let Some(site) = contradiction(&case.claim, first, second)
        {
            let site = match (first, second) {
                (Answer::Output { text: first, .. }, Answer::Output { text: second, .. }) => {
                    let (first, second) = (
                        String::from_utf8_lossy(first),
                        String::from_utf8_lossy(second),
                    );
                    let of = transcript::site(&later.target, &first, &second, "\n");
                    of.map_or(site.clone(), |of| format!("{site}, {of}"))
                }
                _ => site,
            };
            symptoms.push(symptom(case, earlier, later, site));
        }
    }
    symptoms
}

/// True if the target of `who` answers the program of `other`.
fn decides(table: &Table, who: &Observation, other: &Observation) -> bool {
    let mut answers = table.of_program(other.program);
    answers.any(|o| o.target == who.target && o.outcome.answer().is_some())
}

pub(super) fn symptom(
    case: &Case,
    earlier: &Observation,
    later: &Observation,
    site: String,
) -> Symptom {
    Symptom {
        kind: Kind::Disagreement,
        target: later.target.clone(),
        against: vec![earlier.target.clone()],
        program: later.program,
        site,
        evidence: format!(
            "{} says {} to program {}, {} says {} to program {}; claim: {}{}",
            earlier.target,
            earlier.outcome,
            earlier.program,
            later.target,
            later.outcome,
            later.program,
            case.claim,
            steps_between(case, earlier.program, later.program),
        ),
    }
}

/// What was done between two programs, as the end of a sentence.
pub(super) fn steps_between(case: &Case, earlier: usize, later: usize) -> String {
    let steps: Vec<&str> = (earlier + 1..=later)
        .filter_map(|program| case.step_to(program))
        .collect();
    match steps.is_empty() {
        true => String::new(),
        false => format!("; between them: {}", steps.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{chain, judged_case, table};
    use super::super::{DifferentialOracle, Oracle, settle};

    #[test]
    fn who_contradicts_itself_along_a_chain_is_accused_by_its_own_words() {
        for (claim, rows, expected) in [
            (
                "weakens",
                vec!["0/z3 sat", "1/z3 unknown", "2/z3 unsat"],
                vec!["disagreement z3 [z3] sat then unsat"],
            ),
            ("weakens", vec!["0/z3 unsat", "1/z3 sat"], vec![]),
            (
                "strengthens",
                vec!["0/z3 unsat", "1/z3 sat"],
                vec!["disagreement z3 [z3] unsat then sat"],
            ),
            ("strengthens", vec!["0/z3 sat", "1/z3 unsat"], vec![]),
            (
                "equivalent",
                vec!["0/z3 sat", "1/z3 unsat", "0/cvc5 unsat", "1/cvc5 unsat"],
                vec![
                    "disagreement z3 [cvc5] sat not unsat",
                    "disagreement z3 [z3] sat then unsat",
                ],
            ),
            (
                "equivalent",
                vec!["0/gcc out=1", "1/gcc out=2", "2/gcc out=2"],
                vec!["disagreement gcc [gcc] one output then another"],
            ),
            (
                "accepted equivalent",
                vec!["0/a out=1", "1/a out=2", "0/b out=1", "1/b rejected"],
                vec!["disagreement a [a] one output then another"],
            ),
            ("silent", vec!["0/z3 sat", "1/z3 unsat"], vec![]),
            // Lists of different length are not about the same questions.
            ("equivalent", vec!["0/z3 sat", "1/z3 unsat,sat"], vec![]),
            (
                "weakens",
                vec!["0/z3 sat,unsat,sat", "1/z3 unknown,sat,unsat"],
                vec!["disagreement z3 [z3] sat then unsat"],
            ),
        ] {
            let case = chain(claim, &["eq-to-ge", "drop"]);
            assert_eq!(
                judged_case(&DifferentialOracle, &case, &rows),
                expected,
                "{claim} {rows:?}"
            );
        }
    }

    #[test]
    fn two_targets_contradict_each_other_through_the_chain() {
        let case = chain("weakens", &["eq-to-ge"]);
        let rows = [
            "0/z3 sat", "1/z3 undecided", "0/cvc5 undecided", "1/cvc5 unsat",
        ];
        assert_eq!(
            judged_case(&DifferentialOracle, &case, &rows),
            ["disagreement cvc5 [z3] sat then unsat"]
        );
        let symptoms = DifferentialOracle.judge(&case, &table(&rows));
        assert_eq!(
            symptoms[0].evidence,
            "z3 says sat to program 0, cvc5 says unsat to program 1; claim: weakens; \
             between them: eq-to-ge"
        );
    }

    #[test]
    fn a_contradiction_with_itself_settles_the_disagreement_with_others() {
        let case = chain("weakens", &["eq-to-ge"]);
        let rows = ["0/z3 sat", "1/z3 unsat", "0/cvc5 sat", "1/cvc5 sat"];
        let symptoms = settle(DifferentialOracle.judge(&case, &table(&rows)));
        let sites: Vec<&str> = symptoms.iter().map(|s| s.site.as_str()).collect();
        assert_eq!(sites, ["sat then unsat"]);
    }
}
