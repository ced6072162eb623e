//! A claim that everybody contradicts is ours.
//!
//! A claim comes from a strategy, a label or an interpreter of ours, and each
//! of them may be wrong. Whoever is alone with an answer is accused by it; but if
//! targets of two independent families contradict it in the same place, and
//! nobody confirms it there, the likelier explanation is that we are wrong. What
//! a program prints is claimed by an interpreter of ours, and compiled in many
//! ways by one compiler: there all settings that say the same, against the
//! interpreter, are enough.
//!
//! A *place* is a question of a program; for programs that belong together a
//! question of a pair of them.

use std::collections::{BTreeMap, BTreeSet};

use super::chain::carries_over;
use super::transcript::claimed_part;
use crate::{Answer, Case, Claim, Observation, Outcome, Table, TargetName, Verdict};

/// Families that share code: to agree, for them, is no confirmation.
const KIN: [(&str, &str); 12] = [
    ("bun", "jsc"),
    ("cvc4", "cvc5"),
    ("ganache", "solc"),
    ("ethereumjs", "solc"),
    ("apsw", "sqlite"),
    ("jq-python", "jq"),
    ("jq-wasm", "jq"),
    ("sqljs", "sqlite"),
    ("pglite", "postgres"),
    ("quickjs-ng", "quickjs"),
    ("quickjs-python", "quickjs"),
    // BusyBox's shell is made from dash, its sed and its awk are its own.
    ("busybox-sh", "dash"),
];

/// What targets say of a claim in one place.
#[derive(Default)]
struct Voices<'a> {
    against: Vec<Against<'a>>,
    is_confirmed: bool,
}

/// Who contradicts the claim.
struct Against<'a> {
    target: &'a TargetName,
    words: String,
    /// What programs print, where that is compared.
    outputs: Vec<&'a Answer>,
}

/// First and second program, question.
type ClaimPlace = (usize, usize, usize);

/// Why the claim of a case is not to be believed, if everybody contradicts
/// it: then nobody is accused by it.
pub fn contested_claim(case: &Case, table: &Table) -> Option<String> {
    let mut places: BTreeMap<ClaimPlace, Voices<'_>> = BTreeMap::new();
    for observation in &table.observations {
        compare_with_claim(&case.claim, observation, &mut places);
    }
    for (earlier, later) in pairs(case, table) {
        compare_along_chain(&case.claim, earlier, later, &mut places);
    }
    compare_parts(case, table, &mut places);
    let ((_, program, _), stands) = places.iter().find(|(_, stands)| is_contested(stands))?;
    let families: Vec<&str> = families(stands).into_iter().collect();
    let words: BTreeSet<&str> = stands
        .against
        .iter()
        .map(|one| one.words.as_str())
        .collect();
    let words: Vec<&str> = words.into_iter().collect();
    let step = case
        .step_to(*program)
        .map(|step| format!(", after step {step}"));
    Some(format!(
        "{} all contradict `{}`: {}{}",
        families.join(" and "),
        kind_of(&case.claim),
        words.join("; "),
        step.unwrap_or_default(),
    ))
}

fn is_contested(stands: &Voices<'_>) -> bool {
    let same_output =
        |one: &Against<'_>| !one.outputs.is_empty() && one.outputs == stands.against[0].outputs;
    let all_settings = stands.against.len() >= 2 && stands.against.iter().all(same_output);
    !stands.is_confirmed && (families(stands).len() >= 2 || all_settings)
}

fn families<'a>(stands: &Voices<'a>) -> BTreeSet<&'a str> {
    stands
        .against
        .iter()
        .map(|one| independent_family(one.target))
        .collect()
}

/// The family that a target counts as in a vote: families that share code count as one.
pub fn independent_family(name: &TargetName) -> &str {
    let kin = KIN.iter().find(|(of, _)| *of == name.family);
    kin.map_or(name.family.as_str(), |(_, with)| with)
}

/// The claim without what is particular to the case.
fn kind_of(claim: &Claim) -> String {
    match claim.answer() {
        Some(Answer::Output { .. }) => "output".to_string(),
        _ => claim.to_string(),
    }
}

impl<'a> Voices<'a> {
    fn note(
        &mut self,
        contradicts: bool,
        target: &'a TargetName,
        words: String,
        outputs: &[&'a Answer],
    ) {
        match contradicts {
            true => self.against.push(Against {
                target,
                words,
                outputs: outputs.to_vec(),
            }),
            false => self.is_confirmed = true,
        }
    }
}

fn compare_with_claim<'a>(
    claim: &Claim,
    observation: &'a Observation,
    places: &mut BTreeMap<ClaimPlace, Voices<'a>>,
) {
    let (program, target) = (observation.program, &observation.target);
    let mut note = |question: usize, contradicts: bool, words: String, outputs: &[&'a Answer]| {
        let stands = places.entry((program, program, question)).or_default();
        stands.note(contradicts, target, words, outputs);
    };
    let is_accepted = match &observation.outcome {
        Outcome::Rejected(_) => Some(false),
        Outcome::Answered(_) | Outcome::Undecided => Some(true),
        _ => None,
    };
    match (claim, is_accepted, observation.outcome.answer()) {
        (Claim::Accepted | Claim::AcceptedEquivalent, Some(accepted), _) => {
            note(0, !accepted, "rejected".to_string(), &[])
        }
        (Claim::Rejected, Some(accepted), _) => note(0, accepted, "accepted".to_string(), &[]),
        (claim, _, Some(said)) => match (claim.answer(), said) {
            (Some(Answer::Verdicts(known)), Answer::Verdicts(said))
                if known.len() == said.len() =>
            {
                for (question, (known, said)) in known.iter().zip(said).enumerate() {
                    if *known != Verdict::Unknown && *said != Verdict::Unknown {
                        let words = format!("{said} not {known}");
                        note(question, known.contradicts(*said), words, &[]);
                    }
                }
            }
            (
                Some(Answer::Output {
                    status: known,
                    text: claimed,
                }),
                Answer::Output { status, text },
            ) => {
                let is_same = known == status && **claimed == *claimed_part(claimed, text);
                note(0, !is_same, "another output".to_string(), &[said]);
            }
            _ => {}
        },
        _ => {}
    }
}

/// Targets that answer a whole and all its parts as it cannot be.
fn compare_parts<'a>(case: &Case, table: &'a Table, places: &mut BTreeMap<ClaimPlace, Voices<'a>>) {
    for (target, stand) in super::partition::stands(case, table) {
        let stands = places.entry((0, 0, 0)).or_default();
        let words = match stand {
            Some(contradiction) => contradiction.site().to_string(),
            None => String::new(),
        };
        stands.note(stand.is_some(), target, words, &[]);
    }
}

/// Observations of one target on two programs that belong together.
fn pairs<'a>(case: &Case, table: &'a Table) -> Vec<(&'a Observation, &'a Observation)> {
    let is_chain = matches!(
        case.claim,
        Claim::Equivalent | Claim::AcceptedEquivalent | Claim::Weakens(_) | Claim::Strengthens(_)
    );
    if !is_chain {
        return Vec::new();
    }
    let all = &table.observations;
    let later_than = |earlier: &'a Observation| {
        let later = all
            .iter()
            .filter(move |later| later.target == earlier.target && later.program > earlier.program);
        later.map(move |later| (earlier, later))
    };
    all.iter().flat_map(later_than).collect()
}

fn compare_along_chain<'a>(
    claim: &Claim,
    earlier: &'a Observation,
    later: &'a Observation,
    places: &mut BTreeMap<ClaimPlace, Voices<'a>>,
) {
    let (Some(first), Some(second)) = (earlier.outcome.answer(), later.outcome.answer()) else {
        return;
    };
    let mut note = |question: usize, contradicts: bool, words: String, outputs: &[&'a Answer]| {
        let place = (earlier.program, later.program, question);
        let stands = places.entry(place).or_default();
        stands.note(contradicts, &later.target, words, outputs);
    };
    match (first, second) {
        (Answer::Verdicts(first), Answer::Verdicts(second)) if first.len() == second.len() => {
            for (question, (first, second)) in first.iter().zip(second).enumerate() {
                if carries_over(claim, *first) && *second != Verdict::Unknown {
                    let words = format!("{first} then {second}");
                    note(question, first.contradicts(*second), words, &[]);
                }
            }
        }
        (Answer::Output { .. }, Answer::Output { .. }) if claim.is_equivalence() => {
            let words = "one output then another".to_string();
            note(0, first != second, words, &[first, second]);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::table::{case, chain, table};
    use super::*;
    use crate::Program;

    fn contested(case: &Case, rows: &[&str]) -> String {
        contested_claim(case, &table(rows)).unwrap_or_default()
    }

    #[test]
    fn two_families_against_a_claim_that_nobody_confirms_make_it_ours() {
        let cvc5_and_z3 = "cvc5 and z3 all contradict";
        for (claim, rows, expected) in [
            (
                "sat",
                &["z3 unsat", "cvc5 unsat"][..],
                format!("{cvc5_and_z3} `sat`: unsat not sat"),
            ),
            (
                "sat",
                &["z3 unsat", "cvc5 unsat", "yices undecided", "x timeout"],
                format!("{cvc5_and_z3} `sat`: unsat not sat"),
            ),
            // One confirms it.
            (
                "sat",
                &["z3 unsat", "cvc5 unsat", "yices sat"],
                String::new(),
            ),
            (
                "sat",
                &["z3@4.8 unsat", "cvc5 unsat", "z3@5.4 sat"],
                String::new(),
            ),
            // Of one family, or of one and a cousin.
            (
                "sat",
                &["z3@4.8 unsat", "z3@5.4 unsat", "cvc5 undecided"],
                String::new(),
            ),
            (
                "sat",
                &["cvc4 unsat", "cvc5 unsat", "z3 timeout"],
                String::new(),
            ),
            ("sat", &["z3 unsat", "cvc5 sat"], String::new()),
            // Questions are looked at one by one.
            (
                "sat sat",
                &["z3 unsat,sat", "cvc5 sat,unsat"],
                String::new(),
            ),
            (
                "sat sat",
                &["z3 sat,unsat", "cvc5 unknown,unsat"],
                format!("{cvc5_and_z3} `sat sat`: unsat not sat"),
            ),
            ("sat sat", &["z3 unsat", "cvc5 unsat"], String::new()),
            (
                "accepted",
                &["gcc rejected", "tcc rejected", "pcc unsupported"],
                "gcc and tcc all contradict `accepted`: rejected".to_string(),
            ),
            (
                "accepted",
                &["gcc rejected", "tcc rejected", "pcc accepted"],
                String::new(),
            ),
            (
                "accepted",
                &["solc rejected", "solc:ir rejected"],
                String::new(),
            ),
            (
                "rejected",
                &["gcc accepted", "tcc accepted"],
                "gcc and tcc all contradict `rejected`: accepted".to_string(),
            ),
            ("silent", &["z3 unsat", "cvc5 sat"], String::new()),
            ("unknown", &["z3 unsat", "cvc5 unsat"], String::new()),
        ] {
            assert_eq!(contested(&case(claim), rows), expected, "{claim} {rows:?}");
        }
    }

    #[test]
    fn a_claim_that_does_not_know_the_state_at_the_end_is_confirmed_without_it() {
        let output = |text: &[u8]| Answer::Output {
            status: 0,
            text: text.into(),
        };
        let claim = Claim::Answers(output(b"1 C0.f(): done\n"));
        let case = Case::single(Program::single("a.sol", *b""), claim);
        for (said, is_ours) in [
            (&b"1 C0.f(): done\nstate C0: 1 slots\n"[..], false),
            (b"1 C0.f(): reverted\nstate C0: 1 slots\n", true),
        ] {
            let mut table = table(&["solc:evm out=2", "solc:evm-ir out=2"]);
            for observation in &mut table.observations {
                observation.outcome = Outcome::Answered(output(said));
            }
            assert_eq!(contested_claim(&case, &table).is_some(), is_ours);
        }
    }

    #[test]
    fn all_settings_of_one_compiler_are_enough_against_an_interpreter() {
        let claim = Claim::Answers(Answer::Output {
            status: 0,
            text: (*b"1").into(),
        });
        let case = Case::single(Program::single("a.sol", *b""), claim);
        let ours = "solc all contradict `output`: another output";
        for (rows, expected) in [
            (
                &["solc:evm out=2", "solc:evm-ir out=2", "solc:evm-opt out=2"][..],
                ours,
            ),
            (
                &["solc:evm out=2", "solc:evm-ir out=2", "ganache out=2"],
                ours,
            ),
            (
                &[
                    "solc:evm out=2", "solc:evm-ir timeout", "solc:evm-opt out=2",
                ],
                ours,
            ),
            // They differ: at most one of them is right, and somebody is wrong.
            (&["solc:evm out=2", "solc:evm-ir out=3"], ""),
            (&["solc:evm out=2", "solc:evm-ir out=1"], ""),
            (&["solc:evm out=2"], ""),
            (
                &["gcc out=2", "tcc out=3"],
                "gcc and tcc all contradict `output`: another output",
            ),
        ] {
            assert_eq!(contested(&case, rows), expected, "{rows:?}");
        }
    }

    #[test]
    fn who_contradicts_itself_along_a_chain_with_all_others_is_not_alone() {
        for (claim, rows, expected) in [
            (
                "weakens",
                &["0/z3 sat", "1/z3 unsat", "0/cvc5 sat", "1/cvc5 unsat"][..],
                "cvc5 and z3 all contradict `weakens`: sat then unsat, after step bad",
            ),
            (
                "weakens",
                &["0/z3 sat", "1/z3 unsat", "0/cvc5 sat", "1/cvc5 sat"],
                "",
            ),
            (
                "weakens",
                &["0/z3 sat", "1/z3 unsat", "0/cvc5 sat", "1/cvc5 undecided"],
                "",
            ),
            (
                "strengthens",
                &["0/z3 sat", "1/z3 unsat", "0/cvc5 sat", "1/cvc5 unsat"],
                "",
            ),
            (
                "weakens sat",
                &["0/z3 sat", "1/z3 unsat", "0/cvc5 sat", "1/cvc5 unsat"],
                "cvc5 and z3 all contradict `weakens sat`: sat then unsat, after step bad",
            ),
            (
                "weakens sat",
                &[
                    "0/z3 undecided", "1/z3 unsat", "0/cvc5 undecided", "1/cvc5 unsat",
                ],
                "cvc5 and z3 all contradict `weakens sat`: unsat not sat, after step bad",
            ),
            (
                "equivalent",
                &[
                    "0/solc out=1", "1/solc out=2", "0/solc:ir out=1", "1/solc:ir out=2",
                ],
                "solc all contradict `equivalent`: one output then another, after step bad",
            ),
            (
                "equivalent",
                &[
                    "0/solc out=1", "1/solc out=2", "0/solc:ir out=1", "1/solc:ir out=1",
                ],
                "",
            ),
            (
                "equivalent",
                &[
                    "0/solc out=1", "1/solc out=2", "0/solc:ir out=1", "1/solc:ir out=3",
                ],
                "",
            ),
        ] {
            let case = chain(claim, &["bad"]);
            assert_eq!(contested(&case, rows), expected, "{claim} {rows:?}");
        }
    }
}
