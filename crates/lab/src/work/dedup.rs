//! Which findings are one bug, and which finding is several.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};
use lydite_core::{Case, Kind, Language, Outcome, Signature, TargetName};

use super::bisect::{Among, bisect};
use super::reduce::{Effort, reduce};
use super::{Home, Workplace};
use crate::campaign::{Examiner, OptionChoice, Schedule, make_trigger};
use crate::finding::{Finding, FullFinding};
use crate::reduce::SameBug;
use crate::triage::{Clues, Group, Layer, groups};
use lydite_core::fault::{Blame, usage};
use lydite_store::Store;
use lydite_store::record::{Act, Seen, VersionRun, apart, fact, id_of, whole};

/// How many cases of one signature are looked at, and how many of them run in
/// other versions.
const MOST_CASES: usize = 1000;
const MOST_PROBED: usize = 16;

/// Into how many bugs one signature is divided.
const MOST_PARTS: usize = 8;

/// The result of deduplication.
pub struct Deduplicated {
    /// How many findings there were before.
    pub before: usize,
    /// The findings that could be looked at, with what is known of them.
    pub all: Vec<(Finding, Clues)>,
    /// The bugs, by numbers of findings.
    pub groups: Vec<Group>,
    /// True if it was stopped before its end; then nothing was merged.
    pub interrupted: bool,
}

/// Reduces every finding and looks at it in these versions, as far as that was
/// not done; divides findings that are several bugs, and merges those that are
/// one.
pub fn dedup(
    workplace: &mut Workplace<'_>,
    effort: &Effort,
    versions: &str,
    stop: &AtomicBool,
) -> Result<Deduplicated> {
    let mut todo = workplace.ids()?;
    let mut result = Deduplicated {
        before: todo.len(),
        all: Vec::new(),
        groups: Vec::new(),
        interrupted: false,
    };
    while let Some(id) = todo.pop() {
        if stop.load(Ordering::Relaxed) {
            result.interrupted = true;
            return Ok(result);
        }
        match prepare(workplace, &id, effort, versions, stop) {
            Ok((finding, clues)) => {
                match divide(workplace, &finding, &clues, &result.all) {
                    Ok(new) => todo.extend(new),
                    Err(error) => (workplace.tools.warn)(&format!("{id}: not divided: {error:#}")),
                }
                result.all.push((finding, clues));
            }
            // What comes and goes, or is gone, stays as it is.
            Err(error) => (workplace.tools.warn)(&format!("{id}: left as it is: {error:#}")),
        }
    }
    result.interrupted = stop.load(Ordering::Relaxed);
    if result.interrupted {
        return Ok(result);
    }
    result.all.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    result.groups = grouped(workplace, &result.all)?;
    merge(workplace, &result.all, &result.groups)?;
    Ok(result)
}

/// Reduces a finding and looks at its versions, unless that was done; then
/// tells what is known of it.
fn prepare(
    workplace: &mut Workplace<'_>,
    id: &str,
    effort: &Effort,
    versions: &str,
    stop: &AtomicBool,
) -> Result<(Finding, Clues)> {
    let full = workplace.finding(id)?;
    if full.file.original.is_empty() {
        reduce(workplace, id, effort, stop)?;
    }
    if full.file.versions.is_empty() {
        let among = Among {
            versions,
            install: false,
        };
        bisect(workplace, id, &among)?;
    }
    let full = workplace.finding(id)?;
    let language = workplace.examiner(&full.file)?.judge.language;
    let clues = clues(&full, language.as_ref())?;
    Ok((full.file.finding, clues))
}

/// Looks for cases of a finding that its reduced case does not explain: one
/// that lacks what that one needs, or of which the versions at the ends of
/// its life show something else. Files the smallest of them as a finding of its
/// own and returns its id, to be looked at in its turn.
fn divide(
    workplace: &mut Workplace<'_>,
    found: &Finding,
    own: &Clues,
    others: &[(Finding, Clues)],
) -> Result<Option<String>> {
    let same = |(other, _): &&(Finding, Clues)| whole(&other.signature) == whole(&found.signature);
    let others = others.iter().filter(same).map(|(_, clues)| clues);
    let parts: Vec<&Clues> = others.chain([own]).collect();
    if parts.len() >= MOST_PARTS || own.constructs.is_empty() {
        return Ok(None);
    }
    let store = workplace.store().context("no campaign").or_usage()?;
    let cases = store.cases_with(&found.signature, MOST_CASES)?;
    if cases.len() < 2 {
        return Ok(None);
    }
    let full = workplace.finding(&found.id)?;
    let examiner = workplace.examiner(&full.file)?;
    let source = workplace.source(&examiner.judge.language);
    let source = source.context("its cases cannot be made here").or_usage()?;
    let probe = Probe::new(workplace, &examiner, &full)?;
    let mut unexplained = Vec::new();
    let every = cases.len().div_ceil(MOST_PROBED);
    for (number, &index) in cases.iter().enumerate() {
        if index == full.file.recipe.index {
            continue;
        }
        let schedule = store.schedule(store.schedule_of_case(index)?)?;
        let schedule = schedule.map(Schedule::new);
        let Ok(case) = source.case_by(index, schedule.as_ref()) else {
            continue;
        };
        let uses = constructs(&case, examiner.judge.language.as_ref());
        let explained = |part: &&Clues| part.constructs.is_subset(&uses);
        // Where a place tells, constructs alone do not set apart.
        let foreign = own.site.is_empty() && !parts.iter().any(explained);
        let probed = number % every == 0;
        if foreign || probed && probe.differs(&examiner.judge.prepare(case.clone()))? {
            unexplained.push((index, case));
        }
    }
    let Some((index, case)) = unexplained.first() else {
        return Ok(None);
    };
    let numbers: Vec<u64> = unexplained.iter().map(|(index, _)| *index).collect();
    file_apart(workplace, &full, &examiner, (*index, case), &numbers).map(Some)
}

/// A new finding of some cases of another.
fn file_apart(
    workplace: &mut Workplace<'_>,
    full: &FullFinding,
    examiner: &Examiner,
    (index, case): (u64, &Case),
    cases: &[u64],
) -> Result<String> {
    let case = examiner.judge.prepare(case.clone());
    let options = OptionChoice::given(&full.file.options_by_family, &examiner.runner.targets);
    let examined = examiner.examine_with(&case, &options);
    examiner.check_started(&examined)?;
    let record = make_trigger(&examiner.runner, &case, &examined);
    let signature = &full.file.finding.signature;
    let new = unused(signature, workplace.store().context("no campaign")?)?;
    workplace.home.keep(signature, &mut |store| {
        store.refile(signature, &new, cases, (index, &record))
    })?;
    workplace.home.keep(&new, &mut |_| Ok(()))?;
    let id = id_of(&new);
    (workplace.tools.say)(&format!("{}: {id} is another bug", full.file.finding.id));
    Ok(id)
}

/// The signature with the first number that no finding has yet.
fn unused(signature: &Signature, store: &Store) -> Result<Signature> {
    for number in 2u32..=u32::MAX {
        let apart = apart(signature, number);
        if store.finding(&apart)?.is_none() {
            return Ok(apart);
        }
    }
    Err(usage("too many findings of one signature"))
}

/// Groups by what is known; what people split off stays on its own.
fn grouped(workplace: &Workplace<'_>, all: &[(Finding, Clues)]) -> Result<Vec<Group>> {
    let clues: Vec<Clues> = all.iter().map(|(_, clues)| clues.clone()).collect();
    let standing = workplace.store().context("no campaign")?.standing()?;
    let apart = |number: usize| standing.is_apart(&clues[number].signature);
    let mut groups = groups(&clues);
    let mut alone = Vec::new();
    for group in &mut groups {
        let lead = apart(group.lead);
        let gone = |(number, _): &mut (usize, Layer)| lead || apart(*number);
        alone.extend(group.members.extract_if(.., gone));
    }
    groups.extend(alone.into_iter().map(|(lead, _)| Group {
        lead,
        members: Vec::new(),
    }));
    Ok(groups)
}

fn merge(workplace: &mut Workplace<'_>, all: &[(Finding, Clues)], groups: &[Group]) -> Result<()> {
    let standing = workplace.store().context("no campaign")?.standing()?;
    for group in groups {
        let (lead, clues) = &all[group.lead];
        for (number, layer) in &group.members {
            let (finding, member) = &all[*number];
            let (into, member) = (&clues.signature, &member.signature);
            if standing.lead(member).is_some() || standing.lead(into).is_some() {
                continue;
            }
            let act = Act::Merge {
                into: into.clone(),
                findings: vec![member.clone()],
                why: Some(layer.to_string()),
            };
            let home: &mut Home = &mut workplace.home;
            home.keep(&finding.signature, &mut |store| store.decide(&act))?;
            home.keep(&lead.signature, &mut |_| Ok(()))?;
        }
    }
    Ok(())
}

/// The versions at the ends of a bug's life, with what they show of it.
struct Probe(Vec<(SameBug, Seen)>);

impl Probe {
    fn new(workplace: &Workplace<'_>, examiner: &Examiner, full: &FullFinding) -> Result<Probe> {
        let file = &full.file;
        let bug = SameBug::of(
            examiner.clone(),
            &full.original()?,
            Some(&whole(&file.finding.signature)),
            file.options_as_found().clone(),
        )?;
        let decided: Vec<&VersionRun> = file
            .versions
            .iter()
            .filter(|run| run.seen != Seen::Unclear)
            .collect();
        let mut probes = Vec::new();
        for (number, run) in decided.iter().enumerate() {
            let before = number.checked_sub(1).map(|before| decided[before].seen);
            let after = decided.get(number + 1).map(|after| after.seen);
            let changes = |other: Option<Seen>| other.is_some_and(|seen| seen != run.seen);
            if changes(before) || changes(after) {
                let name = TargetName {
                    version: Some(run.version.to_string()),
                    ..bug.target().clone()
                };
                let targets = workplace.targets(&name)?;
                let with = targets.into_iter().map(|target| bug.in_target(target));
                probes.extend(with.map(|bug| (bug, run.seen)));
            }
        }
        Ok(Probe(probes))
    }

    /// True if some version shows of the case what it does not show of the
    /// finding, or the other way round.
    fn differs(&self, case: &Case) -> Result<bool> {
        for (bug, seen) in &self.0 {
            let (examined, bad) = bug.look(case);
            bug.examiner().check_started(&examined)?;
            let own = examined.table.observations.iter();
            let mut own = own.filter(|o| o.target == *bug.target());
            let answered = own.all(|o| matches!(o.outcome, Outcome::Answered(_)));
            let differs = match seen {
                Seen::Good => bad,
                Seen::Bad => !bad && answered,
                Seen::Unclear => false,
            };
            if differs {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Where a signature says that it crashes, if that tells: a bare signal and
/// two answers do not.
fn site(signature: &Signature) -> String {
    match (fact(signature, "site"), fact(signature, "features")) {
        (Some(site), None) if signature.kind == Kind::Crash => site.to_string(),
        _ => String::new(),
    }
}

fn constructs(case: &Case, language: &dyn Language) -> BTreeSet<String> {
    let programs = case.programs.iter();
    programs
        .flat_map(|program| language.constructs(program))
        .collect()
}

fn clues(full: &FullFinding, language: &dyn Language) -> Result<Clues> {
    let finding = &full.file.finding;
    let case = full.case()?;
    let forms = case.programs.iter().map(|p| language.fingerprint(p));
    Ok(Clues {
        signature: finding.signature.to_string(),
        family: finding.family().to_string(),
        kind: finding.kind,
        // Where no good version came before, the first bad one says only how
        // far was looked.
        since: finding.since.clone().filter(|since| !since.contains(' ')),
        fixed: finding.fixed_in.clone(),
        constructs: constructs(&case, language),
        options: finding.options.clone(),
        site: site(&finding.signature),
        form: forms.collect::<Vec<_>>().join(" "),
        bytes: case.bytes(),
    })
}
