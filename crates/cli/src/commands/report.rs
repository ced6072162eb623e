//! `lydite report`: Markdown, JSON and a page.

use anyhow::Result;
use lydite_lab::report::Report;

use crate::args::{ReportArgs, ReportForm};
use crate::console::print;
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let report = Report::read(&args.folder)?;
    let form = if args.json {
        Some(ReportForm::Json)
    } else {
        args.print
    };
    match form {
        Some(ReportForm::Json) => print(&serde_json::to_string_pretty(&report)?),
        Some(ReportForm::Markdown) => print(&report.markdown()),
        Some(ReportForm::Html) => print(&report.html()?),
        None => print(&report.write(&args.folder)?.display().to_string()),
    }
    Ok(ExitCode::Clean)
}
