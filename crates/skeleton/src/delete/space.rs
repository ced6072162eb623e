//! Programs without statements that no run reaches, as a space of cases.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use lydite_core::{Case, Choices, Claim, OpenError, Program, Reject, SEED_ARM, Seed, Space};

use super::dead_code::DeadCode;
use super::probing::Probing;
use super::statements::statements;
use crate::extract::Dialect;

/// One of these many statements is taken out, on average; drawn anew for
/// every variant.
const RATES: [u64; 4] = [1, 2, 3, 6];

/// A seed without its profile, and what can be taken out of it.
struct Member {
    seed: Seed,
    source: Arc<[u8]>,
    /// A statement comes before those in it.
    dead: Vec<Range<usize>>,
}

pub(crate) struct DeleteSpace {
    members: Vec<Member>,
    variants: u64,
    nothing: &'static str,
    /// The file name of every program.
    file: String,
}

impl DeleteSpace {
    pub(crate) fn read(
        dialect: &Dialect,
        seeds: &[Seed],
        variants: u64,
        extension: &str,
    ) -> Result<DeleteSpace, OpenError> {
        let Some(probing) = Probing::of(dialect) else {
            return Err(OpenError::Seeds(Probing::refusal(dialect).to_string()));
        };
        let mut members = Vec::new();
        let mut refusal = None;
        for seed in seeds {
            match read_member(dialect, probing, seed) {
                Ok(member) => members.push(member),
                Err(why) => {
                    refusal.get_or_insert(format!("{}: {why}", seed.name));
                }
            }
        }
        if members.is_empty() {
            let why = refusal.unwrap_or_else(|| "there are no seeds".to_string());
            let what = format!("nothing can be taken out of any seed; {why}");
            return Err(OpenError::Seeds(what));
        }
        Ok(DeleteSpace {
            members,
            variants,
            nothing: probing.nothing,
            file: format!("case.{extension}"),
        })
    }

    /// What one variant lacks, in the order of the text. Nothing is inside of
    /// something else.
    fn draw(&self, member: &Member, choices: &mut Choices) -> Result<Vec<Range<usize>>, Reject> {
        let rate = *choices.pick(&RATES)?;
        let mut gone: Vec<Range<usize>> = Vec::new();
        for one in &member.dead {
            let inside = gone.last().is_some_and(|last| one.start < last.end);
            if !inside && choices.chance(1, rate)? {
                gone.push(one.clone());
            }
        }
        if gone.is_empty() {
            gone.push(choices.pick(&member.dead)?.clone());
        }
        Ok(gone)
    }

    /// The program without these statements; its lines stay where they are.
    fn render(&self, source: &[u8], gone: &[Range<usize>]) -> Vec<u8> {
        let mut text = Vec::with_capacity(source.len());
        let mut done = 0;
        for one in gone {
            text.extend_from_slice(&source[done..one.start]);
            text.extend_from_slice(self.nothing.as_bytes());
            let lines = source[one.clone()].iter().filter(|&&byte| byte == b'\n');
            text.extend(lines);
            done = one.end;
        }
        text.extend_from_slice(&source[done..]);
        text
    }
}

fn read_member(dialect: &Dialect, probing: &Probing, seed: &Seed) -> Result<Member, String> {
    let (source, dead_code) =
        DeadCode::detach(probing.comment, &seed.text).map_err(|error| error.to_string())?;
    let source: Arc<[u8]> = Arc::from(source);
    let known = statements(dialect, probing, &source).map_err(|error| error.to_string())?;
    let claimed: BTreeSet<(usize, usize)> = dead_code
        .unreached
        .iter()
        .map(|one| (one.start, one.end))
        .collect();
    // What is said to be unreached has to be a statement that can go.
    let dead: Vec<Range<usize>> = known
        .into_iter()
        .filter(|one| one.removable && claimed.contains(&(one.range.start, one.range.end)))
        .map(|one| one.range)
        .collect();
    match dead.is_empty() {
        true => Err("every statement was reached or has to stay".to_string()),
        false => Ok(Member {
            seed: seed.clone(),
            source,
            dead,
        }),
    }
}

impl Space for DeleteSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        let member = &self.members[choices.arm(SEED_ARM, self.members.len())?];
        let program = |text: Vec<u8>| Program::single(self.file.as_str(), text);
        let mut programs = vec![program(member.source.to_vec())];
        let mut steps = Vec::new();
        let mut met = BTreeSet::new();
        for _ in 0..choices.between(1, self.variants)? {
            let gone = self.draw(member, choices)?;
            let text = self.render(&member.source, &gone);
            if !met.insert(text.clone()) {
                continue;
            }
            programs.push(program(text));
            let lines = gone.iter().map(|one| {
                let before = &member.source[..one.start];
                let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
                line.to_string()
            });
            let lines: Vec<String> = lines.collect();
            steps.push(format!(
                "variant {} lacks what begins in line {}",
                programs.len() - 1,
                lines.join(", ")
            ));
        }
        let mut case = Case::single(programs.remove(0), Claim::Equivalent);
        case.programs.extend(programs);
        case.steps = steps;
        Ok(case.made_from(std::iter::once(&member.seed)))
    }
}
