//! `lydite bug`: the report of a finding in its tracker's form.

use std::path::Path;

use anyhow::{Context, Result};
use lydite_core::TargetName;
use lydite_lab::campaign::Resolved;
use lydite_lab::fault::Fault;
use lydite_lab::finding;
use lydite_lab::store::{self, Store};
use lydite_lab::triage::Bug;

use super::replay::find;
use super::workbench::catalogue_of;
use crate::args::BugArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &BugArgs, console: &Console) -> Result<ExitCode> {
    let folder = find(&args.finding, args.campaign.as_deref())?;
    let (file, _) = finding::load(&folder)?;
    let campaign = folder.parent().and_then(Path::parent);
    let campaign = campaign.filter(|place| place.join(store::FILE_NAME).is_file());
    let resolved = campaign.map(Resolved::read).transpose()?;
    let cases = match campaign {
        Some(campaign) => Some(Store::open_to_read(campaign)?.totals()?.cases),
        None => None,
    };
    let catalogue = catalogue_of(campaign.unwrap_or(Path::new("")), &args.target_files)?;
    let name: TargetName = file.finding.target.parse()?;
    let family = catalogue.family(&name)?;
    let bug = Bug {
        folder: &folder,
        file: &file,
        resolved: resolved.as_ref(),
        cases,
        family,
    };
    let text = bug.text();
    match &args.output {
        None => print(text.trim_end()),
        Some(path) => {
            std::fs::write(path, &text)
                .with_context(|| path.display().to_string())
                .context(Fault::CannotWrite)?;
            print(&path.display().to_string());
        }
    }
    if let Some(tracker) = &family.tracker {
        console.say(&format!("tracker: {tracker}"));
    }
    if let Some(guide) = &family.policy.guide {
        console.say(&format!("what upstream asks for: {guide}"));
    }
    Ok(ExitCode::Clean)
}
