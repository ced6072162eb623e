//! `lydite dedup`: which findings are one bug, and which finding is several.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use lydite_core::{Case, Kind, Language, Outcome, Signature, TargetName};
use lydite_lab::bisect::{Seen, VersionRun};
use lydite_lab::campaign::{Bench, OptionChoice, Resolved, Source, lock, trigger};
use lydite_lab::finding::{self, APART_FACT, FOLDER, Finding, FindingFile, Writer, whole};
use lydite_lab::reduce::SameBug;
use lydite_lab::report::Report;
use lydite_lab::store::Store;
use lydite_lab::triage::{Act, Clues, Group, Layer, groups};
use serde_json::json;

use super::bisect::{Among, bisect};
use super::reduce::{Effort, reduce_finding};
use super::replay::bench_of;
use super::workbench::{Workbench, cores, stop_on_signals};
use crate::args::DedupArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;
use crate::table::print_table;

/// How many cases of one signature are looked at, and how many of them run in
/// other versions.
const MOST_CASES: usize = 1000;
const MOST_PROBED: usize = 16;

/// Into how many bugs one signature is divided.
const MOST_PARTS: usize = 8;

pub(crate) fn run(args: &DedupArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    let desk = Desk::open(args, console, &stop)?;
    let _lock = lock(&args.folder)?;
    let mut todo: Vec<Finding> = finding::list(&args.folder)?;
    let before = todo.len();
    let mut all: Vec<(Finding, Clues)> = Vec::new();
    while let Some(found) = todo.pop() {
        if stop.load(Ordering::Relaxed) {
            return Ok(ExitCode::Interrupted);
        }
        match desk.prepare(&found) {
            Ok(clues) => {
                match desk.divide(&found, &clues, &all) {
                    Ok(new) => todo.extend(new),
                    Err(error) => console.warn(&format!("{}: not divided: {error:#}", found.id)),
                }
                all.push((found, clues));
            }
            // What comes and goes, or is gone, stays as it is.
            Err(error) => console.warn(&format!("{}: left as it is: {error:#}", found.id)),
        }
    }
    all.sort_by(|(a, _), (b, _)| a.id.cmp(&b.id));
    let clues: Vec<Clues> = all.iter().map(|(_, clues)| clues.clone()).collect();
    let groups = desk.groups(&clues)?;
    desk.merge(&clues, &groups)?;
    show(args, before, &all, &groups);
    Ok(ExitCode::Clean)
}

/// The campaign that is worked on.
struct Desk<'a> {
    args: &'a DedupArgs,
    console: &'a Console,
    stop: &'a AtomicBool,
    resolved: Resolved,
}

impl<'a> Desk<'a> {
    fn open(args: &'a DedupArgs, console: &'a Console, stop: &'a AtomicBool) -> Result<Desk<'a>> {
        Ok(Desk {
            args,
            console,
            stop,
            resolved: Resolved::read(&args.folder)?,
        })
    }

    fn place(&self, id: &str) -> PathBuf {
        self.args.folder.join(FOLDER).join(id)
    }

    fn bench(&self, file: &FindingFile) -> Result<(Workbench, Bench)> {
        let files = &self.args.target_files;
        bench_of(file, Some(&self.resolved), files, self.console)
    }

    /// Reduces a finding and looks at its versions, unless that was done; then
    /// tells what is known of it.
    fn prepare(&self, found: &Finding) -> Result<Clues> {
        let place = self.place(&found.id);
        let (file, _) = finding::load(&place)?;
        if file.original.is_empty() {
            let effort = Effort {
                threads: self.args.jobs.map_or_else(cores, usize::from),
                duration: Some(self.args.duration),
                target_files: &self.args.target_files,
            };
            reduce_finding(&effort, &place, self.console, self.stop)?;
        }
        if file.versions.is_empty() {
            let among = Among {
                versions: &self.args.versions,
                install: false,
                target_files: &self.args.target_files,
            };
            bisect(&among, &place, self.console)?;
        }
        let (file, case) = finding::load(&place)?;
        let (_, bench) = self.bench(&file)?;
        Ok(clues(&file, &case, bench.language.as_ref()))
    }

    /// Looks for cases of a finding that its reduced case does not explain: one
    /// that lacks what that one needs, or of which the versions at the ends of
    /// its life show something else. Files the smallest of them as a finding of its own and returns
    /// it, to be looked at in its turn.
    fn divide(
        &self,
        found: &Finding,
        own: &Clues,
        others: &[(Finding, Clues)],
    ) -> Result<Option<Finding>> {
        let parts: Vec<&Clues> = others
            .iter()
            .map(|(_, clues)| clues)
            .filter(|clues| whole(&clues.signature) == whole(&own.signature))
            .chain([own])
            .collect();
        if parts.len() >= MOST_PARTS || own.constructs.is_empty() {
            return Ok(None);
        }
        let store = Store::open(&self.args.folder)?;
        let cases = store.cases_with(&found.signature, MOST_CASES)?;
        drop(store);
        if cases.len() < 2 {
            return Ok(None);
        }
        let (file, _) = finding::load(&self.place(&found.id))?;
        let (workbench, bench) = self.bench(&file)?;
        let source = Source::open(&self.resolved.plan, &bench.language, &workbench.registry)?.0;
        let probe = Probe::new(self, &workbench, &bench, &file)?;
        let mut unexplained = Vec::new();
        let every = cases.len().div_ceil(MOST_PROBED);
        for (number, &index) in cases.iter().enumerate() {
            if index == file.recipe.index {
                continue;
            }
            let Ok(case) = source.case(index).1 else {
                continue;
            };
            let uses = constructs(&case, bench.language.as_ref());
            let explained = |part: &&Clues| part.constructs.is_subset(&uses);
            // Where a place tells, constructs alone do not set apart.
            let foreign = own.site.is_empty() && !parts.iter().any(explained);
            let probed = number % every == 0;
            if foreign || probed && probe.differs(&bench.prepared(case.clone())) {
                unexplained.push((index, case));
            }
        }
        let Some((index, case)) = unexplained.first() else {
            return Ok(None);
        };
        let numbers: Vec<u64> = unexplained.iter().map(|(index, _)| *index).collect();
        self.file_apart(found, &bench, &file, (*index, case), &numbers)
    }

    /// A new finding of some cases of another.
    fn file_apart(
        &self,
        found: &Finding,
        bench: &Bench,
        file: &FindingFile,
        (index, case): (u64, &Case),
        cases: &[u64],
    ) -> Result<Option<Finding>> {
        let case = bench.prepared(case.clone());
        let options = OptionChoice::given(&file.options_by_family, &bench.targets);
        let record = trigger(bench, &case, &bench.examine_with(&case, &options));
        let mut store = Store::open(&self.args.folder)?;
        let signature = unused(&found.signature, &store)?;
        store.refile(&found.signature, &signature, cases, Some((index, &record)))?;
        let writer = Writer::new(&self.args.folder, &self.resolved);
        let changed = [found.signature.clone(), signature.clone()];
        let mut written = writer.write_changed(&store, &changed)?;
        let new = written.pop().context("it was just filed")?.0;
        self.console
            .say(&format!("{}: {} is another bug", found.id, new.id));
        Ok(Some(new))
    }

    /// Groups by what is known; what people split off stays on its own.
    fn groups(&self, clues: &[Clues]) -> Result<Vec<Group>> {
        let standing = Store::open(&self.args.folder)?.standing()?;
        let apart = |number: usize| standing.is_apart(&clues[number].signature);
        let mut groups = groups(clues);
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

    fn merge(&self, clues: &[Clues], groups: &[Group]) -> Result<()> {
        let mut store = Store::open(&self.args.folder)?;
        let standing = store.standing()?;
        for group in groups {
            let lead = &clues[group.lead].signature;
            for (number, layer) in &group.members {
                let member = &clues[*number].signature;
                if standing.lead(member).is_none() && standing.lead(lead).is_none() {
                    store.decide(&Act::Merge {
                        into: lead.clone(),
                        findings: vec![member.clone()],
                        why: Some(layer.to_string()),
                    })?;
                }
            }
        }
        Writer::new(&self.args.folder, &self.resolved).write_all(&store)?;
        Report::read(&self.args.folder)?.write(&self.args.folder)?;
        Ok(())
    }
}

/// The signature with the first number that no finding has yet.
fn unused(signature: &str, store: &Store) -> Result<String> {
    let whole: Signature = whole(signature).parse()?;
    for number in 2u32.. {
        let mut apart = whole.clone();
        let fact = (APART_FACT.to_string(), number.to_string());
        apart.facts.push(fact);
        if store.finding(&apart.to_string())?.is_none() {
            return Ok(apart.to_string());
        }
    }
    bail!("too many findings of one signature")
}

/// The versions at the ends of a bug's life, with what they show of it.
struct Probe(Vec<(SameBug, Seen)>);

impl Probe {
    fn new(
        desk: &Desk<'_>,
        workbench: &Workbench,
        bench: &Bench,
        file: &FindingFile,
    ) -> Result<Probe> {
        let place = desk.place(&file.finding.id);
        let original = finding::load_original(&place, file)?;
        let bug = SameBug::of(
            bench.clone(),
            &original,
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
                let targets = workbench.catalogue.resolve(&name, &workbench.cache)?;
                let with = targets.into_iter().map(|target| bug.in_target(target));
                probes.extend(with.map(|bug| (bug, run.seen)));
            }
        }
        Ok(Probe(probes))
    }

    /// True if some version shows of the case what it does not show of the
    /// finding, or the other way round.
    fn differs(&self, case: &Case) -> bool {
        self.0.iter().any(|(bug, seen)| {
            let (examined, bad) = bug.look(case);
            let own = examined.table.observations.iter();
            let mut own = own.filter(|o| o.target == *bug.target());
            let answered = own.all(|o| matches!(o.outcome, Outcome::Answered(_)));
            match seen {
                Seen::Good => bad,
                Seen::Bad => !bad && answered,
                Seen::Unclear => false,
            }
        })
    }
}

/// Where a signature says that it crashes, if that tells: a bare signal and
/// two answers do not.
fn site(signature: &str) -> String {
    let Ok(signature) = signature.parse::<Signature>() else {
        return String::new();
    };
    let fact = |key: &str| {
        let mut facts = signature.facts.iter();
        facts.find(|(name, _)| name == key).map(|(_, text)| text)
    };
    match (fact("site"), fact("features")) {
        (Some(site), None) if signature.kind == Kind::Crash => site.clone(),
        _ => String::new(),
    }
}

fn constructs(case: &Case, language: &dyn Language) -> BTreeSet<String> {
    let programs = case.programs.iter();
    programs
        .flat_map(|program| language.constructs(program))
        .collect()
}

fn clues(file: &FindingFile, case: &Case, language: &dyn Language) -> Clues {
    let finding = &file.finding;
    let forms = case.programs.iter().map(|p| language.fingerprint(p));
    Clues {
        signature: finding.signature.clone(),
        family: finding.family().to_string(),
        kind: finding.kind,
        // Where no good version came before, the first bad one says only how
        // far was looked.
        since: finding.since.clone().filter(|since| !since.contains(' ')),
        fixed: finding.fixed_in.clone(),
        constructs: constructs(case, language),
        options: finding.options.clone(),
        site: site(&finding.signature),
        form: forms.collect::<Vec<_>>().join(" "),
        bytes: case.bytes(),
    }
}

fn show(args: &DedupArgs, before: usize, all: &[(Finding, Clues)], groups: &[Group]) {
    if args.json {
        for group in groups {
            let (lead, clues) = &all[group.lead];
            let members = group.members.iter().map(
                |(number, layer)| json!({"id": all[*number].0.id, "because": layer.to_string()}),
            );
            let object = json!({
                "id": lead.id,
                "kind": lead.kind,
                "target": lead.target,
                "since": clues.since,
                "fixed_in": clues.fixed,
                "constructs": clues.constructs,
                "bytes": clues.bytes,
                "same": members.collect::<Vec<_>>(),
            });
            print(&object.to_string());
        }
        return;
    }
    let rows: Vec<Vec<String>> = groups
        .iter()
        .map(|group| {
            let (lead, clues) = &all[group.lead];
            let constructs: Vec<&str> = clues.constructs.iter().map(String::as_str).collect();
            vec![
                lead.id.clone(),
                (1 + group.members.len()).to_string(),
                clues.fixed.clone().unwrap_or_default(),
                clues.bytes.to_string(),
                constructs.join(" ").chars().take(60).collect(),
            ]
        })
        .collect();
    print_table(
        &["bug", "findings", "fixed in", "bytes", "constructs"],
        &rows,
    );
    print(&format!("{before} findings, {} bugs", groups.len()));
}
