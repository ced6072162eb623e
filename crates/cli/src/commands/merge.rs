//! `lydite merge`: the folders of shards become one campaign.

use anyhow::Result;
use lydite_lab::campaign::join;
use lydite_lab::finding::Finding;
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
    let report = Report::read(&args.output)?.write(&args.output)?;
    super::certify::at_end(&args.output, &registry(), console);
    print(&format!(
        "{} cases, {} findings",
        merged.cases,
        merged.findings.len()
    ));
    print(&format!("report: {}", report.display()));
    Ok(ExitCode::found(
        merged.findings.iter().any(Finding::is_news),
    ))
}
