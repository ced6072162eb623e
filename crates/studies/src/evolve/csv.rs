//! The data behind the page, for those who draw their own plots.

use anyhow::{Context, Result};

use super::Study;
use super::judge::Judged;
use lydite_core::fault::Fault;
use lydite_store::folder::{LockedFolder, RelativePath, Stream};

use crate::csv::{write_line, write_lines};

/// One line per theory and version.
pub(super) fn write_versions(study: &Study, folder: &LockedFolder) -> Result<()> {
    let mut heads: Vec<String> = [
        "theory", "version", "reference", "cases", "unsound", "invalid_model", "crash", "dissent",
        "flaky", "solved", "undecided", "timed_out", "not_taken",
    ]
    .map(str::to_string)
    .to_vec();
    let within = study.timeouts.iter();
    heads.extend(within.map(|timeout| format!("solved_within_{timeout}s")));
    heads.extend(["seconds", "common_seconds", "throughput"].map(str::to_string));
    let mut lines = vec![heads];
    for theory in &study.theories {
        let tested = theory.versions.iter().map(|study| (study, false));
        let references = theory.references.iter().map(|study| (study, true));
        for (version, reference) in tested.chain(references) {
            let mut line = vec![
                theory.name.clone(),
                match reference {
                    true => version.target.clone(),
                    false => version.version.clone(),
                },
                reference.to_string(),
            ];
            let counts = [
                theory.cases, version.unsound, version.invalid_model, version.crash,
                version.dissent, version.flaky, version.solved, version.undecided,
                version.timed_out, version.not_taken,
            ];
            let within = version.solved_within.iter();
            line.extend(counts.iter().chain(within).map(u64::to_string));
            line.push(format!("{:.6}", version.seconds));
            let common = version.common_seconds;
            line.push(common.map_or(String::new(), |seconds| format!("{seconds:.6}")));
            line.push(format!("{:.3}", version.throughput));
            lines.push(line);
        }
    }
    write_lines(folder, "versions.csv", lines.into_iter())
}

/// One line per regression.
pub(super) fn write_regressions(study: &Study, folder: &LockedFolder) -> Result<()> {
    let heads = [
        "theory", "kind", "site", "since", "last_good", "fixed_in", "cases", "index", "bytes",
        "program", "evidence",
    ];
    let mut lines = vec![heads.map(str::to_string).to_vec()];
    for regression in study.theories.iter().flat_map(|theory| &theory.regressions) {
        lines.push(vec![
            regression.theory.clone(),
            regression.kind.to_string(),
            regression.site.clone(),
            regression.since.clone(),
            regression.last_good.clone().unwrap_or_default(),
            regression.fixed_in.clone().unwrap_or_default(),
            regression.cases.to_string(),
            regression.index.to_string(),
            regression.bytes.to_string(),
            regression.program.clone(),
            regression.evidence.clone(),
        ]);
    }
    write_lines(folder, "regressions.csv", lines.into_iter())
}

/// One line per case and target, written as they come.
pub(super) struct CellLines {
    out: Stream,
}

impl CellLines {
    pub(super) fn create(folder: &LockedFolder) -> Result<CellLines> {
        let mut out = folder.begin(&RelativePath::new("cells.csv")?)?;
        let heads = [
            "theory", "index", "target", "outcome", "answer", "wall_s", "cpu_s", "symptom", "twice",
        ];
        write_line(&mut out, &heads.map(str::to_string)).context(Fault::CannotWrite)?;
        Ok(CellLines { out })
    }

    pub(super) fn add(&mut self, theory: &str, judged: &Judged) -> Result<()> {
        for cell in &judged.cells {
            let observation = &cell.observation;
            let answer = observation.outcome.answer();
            let symptom = cell.symptom.as_ref();
            let line = [
                theory.to_string(),
                judged.index.to_string(),
                observation.target.to_string(),
                observation.outcome.name().to_string(),
                answer.map_or(String::new(), ToString::to_string),
                format!("{:.6}", observation.wall.as_secs_f64()),
                format!("{:.6}", observation.cpu.as_secs_f64()),
                symptom.map_or(String::new(), |symptom| symptom.kind.to_string()),
                symptom.map_or(String::new(), |_| cell.flaw().is_some().to_string()),
            ];
            write_line(&mut self.out, &line).context(Fault::CannotWrite)?;
        }
        Ok(())
    }

    /// Puts the file in its place.
    pub(super) fn end(self) -> Result<()> {
        self.out.end()
    }
}
