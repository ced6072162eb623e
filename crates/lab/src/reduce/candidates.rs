//! What may be smaller than a case: edits of its programs, and fewer of them.

use lydite_core::{Case, Claim, Language, Program};

use super::{Candidate, Digest, Test};

/// The pairs of programs of which something is claimed still: neighbours, or a
/// whole and one of its parts, which implies it.
pub(super) fn pairs(case: &Case) -> Vec<Case> {
    let (claim, partition) = match case.claim {
        Claim::Partition => (Claim::Strengthens(None), true),
        ref other => (other.clone(), false),
    };
    let pair = |at: usize| Case {
        programs: vec![
            case.programs[if partition { 0 } else { at }].clone(),
            case.programs[at + 1].clone(),
        ],
        claim: claim.clone(),
        steps: case.steps.get(at).cloned().into_iter().collect(),
        seeds: case.seeds.clone(),
    };
    (0..case.programs.len() - 1).map(pair).collect()
}

/// What is asked about after an edit that is taken.
pub(super) fn follow<'a>(
    language: &'a dyn Language,
    test: &'a dyn Test,
) -> impl Fn(&Candidate, usize) -> Vec<Candidate> + 'a {
    move |candidate, most| {
        let (case, in_step) = (&candidate.case, test.vouches());
        let next = edited_from(language, case, candidate.number, in_step).take(most);
        next.map(|candidate| Candidate {
            case: test.prepare(candidate.case),
            ..candidate
        })
        .collect()
    }
}

/// The candidates that edits give, from this number on.
pub(super) fn edited_from<'a>(
    language: &'a dyn Language,
    case: &'a Case,
    start: usize,
    in_step: bool,
) -> impl Iterator<Item = Candidate> + 'a {
    let edited = edited(language, case, in_step).enumerate().skip(start);
    edited.map(move |(number, candidate)| Candidate {
        number,
        change: language
            .knows_syntax_alone()
            .then(|| change_of(case, &candidate.case, &candidate.what)),
        ..candidate
    })
}

/// What was done, with the text that went and the text that came.
fn change_of(case: &Case, smaller: &Case, what: &str) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(what.as_bytes());
    let files = |case: &'_ Case| -> Vec<_> {
        let files = case.programs.iter().flat_map(|program| &program.files);
        files.map(|file| file.text.clone()).collect()
    };
    for (before, after) in files(case).iter().zip(&files(smaller)) {
        let pairs = before.iter().zip(after.iter());
        let same_start = pairs.take_while(|(one, other)| one == other).count();
        let (before, after) = (&before[same_start..], &after[same_start..]);
        let pairs = before.iter().rev().zip(after.iter().rev());
        let same_end = pairs.take_while(|(one, other)| one == other).count();
        for part in [
            &before[..before.len() - same_end],
            &after[..after.len() - same_end],
        ] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    *hasher.finalize().as_bytes()
}

/// The smaller cases that edits of a case's text give; if someone vouches for
/// what is equivalent, also those of which that is not certain.
fn edited<'a>(
    language: &'a dyn Language,
    case: &'a Case,
    in_step: bool,
) -> Box<dyn Iterator<Item = Candidate> + 'a> {
    let together = case.claim.is_equivalence() || case.claim == Claim::Partition;
    if together && case.programs.len() > 1 {
        let mut together = edited_together(language, case, in_step).peekable();
        if together.peek().is_some() {
            return Box::new(together);
        }
    }
    match (case.programs.as_slice(), case.steps.as_slice()) {
        ([first, _], [step]) => Box::new(edited_in_pairs(language, case, first, step)),
        _ => Box::new(edited_one_by_one(language, case)),
    }
}

/// Equivalent programs, or a whole and its parts, changed in the same way.
fn edited_together<'a>(
    language: &'a dyn Language,
    case: &'a Case,
    in_step: bool,
) -> impl Iterator<Item = Candidate> + 'a {
    let smaller = match case.claim {
        Claim::Partition => language.edits_of_parts(&case.programs),
        _ => language.edits_of_equals(&case.programs),
    };
    let claim = match &case.claim {
        Claim::Partition => Claim::Partition,
        other => without_answer(other),
    };
    let unsure = in_step.then(|| language.edits_in_step(&case.programs));
    let smaller = smaller.chain(unsure.into_iter().flatten());
    smaller.map(move |(what, programs)| Candidate {
        number: 0,
        what,
        case: Case {
            programs,
            claim: claim.clone(),
            ..case.clone()
        },
        keeps_meaning: false,
        change: None,
    })
}

/// Two programs, the second made from the first by a named step: algorithm 7 of
/// the thesis keeps them in step.
fn edited_in_pairs<'a>(
    language: &'a dyn Language,
    case: &'a Case,
    first: &'a Program,
    step: &'a str,
) -> impl Iterator<Item = Candidate> + 'a {
    let claim = without_answer(&case.claim);
    language.edits(first).flat_map(move |edit| {
        let claim = claim.clone();
        let first = edit.program.clone();
        let seconds = language.successors(&edit.program, step);
        let seconds: Vec<Program> = seconds.take(MOST_SUCCESSORS).collect();
        seconds.into_iter().map(move |second| Candidate {
            number: 0,
            what: edit.what.clone(),
            case: Case {
                programs: vec![first.clone(), second],
                claim: claim.clone(),
                steps: vec![step.to_string()],
                seeds: case.seeds.clone(),
            },
            keeps_meaning: edit.keeps_meaning,
            change: None,
        })
    })
}

/// One program changed, the others as they are.
fn edited_one_by_one<'a>(
    language: &'a dyn Language,
    case: &'a Case,
) -> impl Iterator<Item = Candidate> + 'a {
    let numbers = 0..case.programs.len();
    numbers.flat_map(move |number| {
        language.edits(&case.programs[number]).map(move |edit| {
            let mut smaller = case.clone();
            smaller.programs[number] = edit.program;
            if !language.upholds(&smaller) {
                smaller.claim = Claim::Silent;
            }
            Candidate {
                number: 0,
                what: edit.what,
                case: smaller,
                keeps_meaning: edit.keeps_meaning,
                change: None,
            }
        })
    })
}

/// At how many places of one program a step is tried again.
const MOST_SUCCESSORS: usize = 16;

fn without_answer(claim: &Claim) -> Claim {
    match claim {
        Claim::Weakens(_) => Claim::Weakens(None),
        Claim::Strengthens(_) => Claim::Strengthens(None),
        // That edited programs are valid is not known.
        claim if claim.is_equivalence() => Claim::Equivalent,
        _ => Claim::Silent,
    }
}
