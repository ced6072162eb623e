//! `lydite report`: Markdown, JSON and a page.

use anyhow::Result;
use lydite_lab::campaign::Resolved;
use lydite_lab::finding::Writer;
use lydite_lab::report::Report;
use lydite_store::Store;
use lydite_store::folder::{LockedFolder, ReadFolder};

use crate::args::{ReportArgs, ReportForm};
use crate::console::{print, print_as_it_is, print_json};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &ReportArgs) -> Result<ExitCode> {
    let folder = ReadFolder::campaign(&args.folder)?;
    let form = if args.json {
        Some(ReportForm::Json)
    } else {
        args.print
    };
    let Some(form) = form else {
        // What is written is written by whoever holds the folder; with the report
        // come the folders of the findings that it names.
        let folder = LockedFolder::campaign(&args.folder)?;
        let (store, resolved) = (Store::open(&folder)?, Resolved::read(&folder)?);
        Writer::new(&folder, &resolved).write_all(&store)?;
        let page = Report::of(&store, &resolved)?.write(&folder)?;
        print(&page.display().to_string());
        return Ok(ExitCode::Clean);
    };
    let report = Report::read(&folder)?;
    match form {
        ReportForm::Json => print_json(&serde_json::to_string_pretty(&report)?),
        ReportForm::Markdown => print(&report.markdown()),
        ReportForm::Html => print_as_it_is(&report.html()?),
    }
    Ok(ExitCode::Clean)
}
