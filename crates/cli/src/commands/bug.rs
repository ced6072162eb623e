//! `lydite bug`: the report of a finding in its tracker's form.

use anyhow::{Context, Result};
use lydite_core::fault::{Blame, Fault};
use lydite_lab::campaign::Resolved;
use lydite_lab::finding::{self, FullFinding};
use lydite_lab::triage::Bug;
use lydite_store::Store;
use lydite_store::folder::ReadFolder;

use super::named::{Named, find};
use super::toolbox::catalogue_of;
use crate::args::BugArgs;
use crate::console::{Console, print};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &BugArgs, console: &Console) -> Result<ExitCode> {
    let (full, resolved, cases) = match find(&args.finding, args.campaign.as_deref())? {
        Named::Alone(folder) => (FullFinding::read(&folder)?, None, None),
        Named::Campaign(path, id) => {
            let folder = ReadFolder::campaign(&path)?;
            let (store, resolved) = (Store::open_checked(&folder)?, Resolved::read(&folder)?);
            let id = id.unwrap_or_default();
            let full = finding::full_named(&store, &resolved, &id)?;
            let full = full.with_context(|| format!("finding {id}: not in this campaign"));
            (
                full.or_usage()?,
                Some(resolved),
                Some(store.totals()?.cases),
            )
        }
    };
    let catalogue = catalogue_of(resolved.as_ref(), &args.target_files.paths)?;
    let family = catalogue.family(&full.file.finding.target).or_usage()?;
    let bug = Bug {
        full: &full,
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
