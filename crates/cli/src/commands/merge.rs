//! `lydite merge`: the folders of shards become one campaign.

use anyhow::Result;
use lydite_lab::campaign::join;
use lydite_lab::report::Report;

use crate::args::MergeArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;
use crate::registry::registry;

pub(crate) fn run(args: &MergeArgs, console: &Console) -> Result<ExitCode> {
    let merged = join(&args.output, &args.folders)?;
    for (folder, taken) in &merged.taken {
        console.say(&format!(
            "{}: {taken} cases that were not here yet",
            folder.display()
        ));
    }
    let report = Report::read(&merged.folder)?.write(&merged.folder)?;
    super::certify::at_end(&merged.folder, &registry(), console)?;
    let summary = &merged.summary;
    print(&format!(
        "{} cases, {} findings",
        summary.totals.cases, summary.count
    ));
    print(&format!("report: {}", report.display()));
    Ok(ExitCode::found(summary.news))
}
