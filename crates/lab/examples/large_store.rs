//! What a store of very many cases and findings takes: makes one, then opens it
//! as a hunt that goes on, a report and a page of the server do, and prints the
//! seconds and the most memory of each (`docs/scale.md`).
//!
//! `large_store make DIR CASES FINDINGS`, then `large_store open|resume|report|page|findings DIR`,
//! each in a process of its own.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use lydite_core::{Outcome, TargetName};
use lydite_lab::campaign::Summary;
use lydite_lab::finding::{self, Writer};
use lydite_lab::plan::{Plan, StrategyPlan};
use lydite_lab::report::Report;
use lydite_lab::resolved::{Resolved, Spaces};
use lydite_lab::setting_files::SettingFiles;
use lydite_store::folder::{CAMPAIGN, LockedFolder, ReadFolder, RelativePath};
use lydite_store::record::{
    CaseRecord, Replays, RunRecord, SessionRecord, SymptomRecord, TriggerFile, TriggerRecord,
};
use lydite_store::{Store, Wanted};

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let began = Instant::now();
    match words.as_slice() {
        ["make", folder, cases, findings] => {
            make(Path::new(folder), cases.parse()?, findings.parse()?)?;
        }
        [what, folder] => look(what, Path::new(folder))?,
        _ => bail!("large_store make DIR CASES FINDINGS | open|resume|report|page|findings DIR"),
    }
    let status = std::fs::read_to_string("/proc/self/status")?;
    let peak = status.lines().find(|line| line.starts_with("VmHWM:"));
    println!(
        "{}: {:.2} s, {}",
        words[0],
        began.elapsed().as_secs_f64(),
        peak.unwrap_or_default()
    );
    Ok(())
}

fn resolved() -> Result<Resolved> {
    let strategy = StrategyPlan {
        name: "files".to_string(),
        weight: 1,
        seeds: Vec::new(),
        settings: Default::default(),
        files: SettingFiles::default(),
    };
    let target: TargetName = "z3".parse()?;
    let plan = Plan::new(vec![target], strategy);
    let spaces = Spaces {
        mode: lydite_lab::plan::Mode::Sample,
        strategies: vec![(String::new(), None)],
    };
    Resolved::new(&plan, "smtlib", &spaces, &[])
}

fn make(place: &Path, cases: u64, findings: u64) -> Result<()> {
    let folder = LockedFolder::make(place, &CAMPAIGN)?;
    let resolved = resolved()?;
    resolved.write(&folder)?;
    let mut store = Store::create(&folder, &resolved.id)?;
    let session = SessionRecord {
        id: "made".to_string(),
        provenance: resolved.provenance(),
        ..SessionRecord::default()
    };
    let every = (cases / findings.max(1)).max(1);
    for start in (0..cases).step_by(BATCH as usize) {
        let end = (start + BATCH).min(cases);
        let records: Vec<CaseRecord> = (start..end).map(|index| case(index, every)).collect();
        store.record(&records, &session)?;
    }
    Ok(())
}

/// How many cases are stored at once.
const BATCH: u64 = 20_000;

fn case(index: u64, every: u64) -> CaseRecord {
    let run = |target| RunRecord {
        program: 0,
        target,
        answer: 0,
        outcome: (index % Outcome::NAMES.len() as u64) as u8,
        wall: Duration::from_micros(1000 + index % 999),
        cpu: Duration::from_micros(900 + index % 777),
    };
    let mut record = CaseRecord {
        index,
        bytes: 200 + index % 100,
        runs: [run(0), run(1)].into_iter().collect(),
        ..CaseRecord::default()
    };
    if index.is_multiple_of(every) {
        let path = RelativePath::new("case.smt2").expect("a plain name");
        let site = format!("v1 crash z3 site=\"theory.cpp {index}\"");
        record.symptoms.push(SymptomRecord {
            signature: site.parse().expect("a signature"),
            target: "z3@4.8.7".parse().expect("a target"),
            against: Vec::new(),
            program: 0,
            evidence: "crashed".repeat(10),
            bytes: record.bytes,
            known: None,
            replays: Replays { shown: 3, of: 3 },
        });
        record.trigger = Some(TriggerRecord {
            asked: 1,
            programs: vec![vec![path.clone()]],
            files: vec![TriggerFile {
                path,
                content: vec![b'x'; record.bytes as usize],
            }],
            ..TriggerRecord::missing()
        });
    }
    record
}

fn look(what: &str, place: &Path) -> Result<()> {
    let folder = ReadFolder::campaign(place)?;
    let resolved = Resolved::read(&folder)?;
    match what {
        "open" => {
            let store = Store::open_to_read(&folder)?;
            println!("{} cases are done", store.finished()?.count());
        }
        // All that a hunt that has nothing left to do does with its folder.
        "resume" => {
            let held = LockedFolder::campaign(place)?;
            let store = Store::open(&held)?;
            let done = store.finished()?.count();
            let lacking = store.lacking()?.len();
            Writer::new(&held, &resolved).write_all(&store)?;
            let summary = Summary::of(&store, &resolved, false)?;
            println!(
                "{done} cases, {lacking} lacking, {} findings",
                summary.count
            );
        }
        "report" => {
            let held = LockedFolder::campaign(place)?;
            let store = Store::open(&held)?;
            let page = Report::of(&store, &resolved)?.write(&held)?;
            println!("{}", page.display());
        }
        "page" => {
            let store = Store::open_to_read(&folder)?;
            let (totals, standing) = (store.totals()?, store.standing()?);
            let wanted = Wanted {
                skip: 50_000,
                most: 100,
                ..Wanted::default()
            };
            let (total, page) = finding::page(&store, &resolved, &wanted, &standing)?;
            let last = page.last().context("a page")?;
            finding::full_named(&store, &resolved, &last.id)?.context("a finding")?;
            store.discovery_curve()?;
            println!("{} cases, {total} findings, {}", totals.cases, last.id);
        }
        "findings" => {
            let store = Store::open_to_read(&folder)?;
            let mut count = 0;
            finding::each(&store, &resolved, &mut |_| {
                count += 1;
                Ok(())
            })?;
            println!("{count} findings");
        }
        other => bail!("{other}: not known"),
    }
    Ok(())
}
