//! `lydite bisect`: since which version a finding is there, and until which.

use anyhow::Result;
use lydite_lab::bisect::{Seen, VersionRun, life};
use lydite_lab::work::{Among, Bisected, bisect};
use serde_json::json;

use super::named::all_named;
use super::toolbox::Toolbox;
use crate::args::BisectArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &BisectArgs, console: &Console) -> Result<ExitCode> {
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let voice = toolbox.voice(console);
    let among = Among {
        versions: &args.versions,
        install: args.install,
    };
    let mut failures = Vec::new();
    for named in all_named(&args.what, args.campaign.as_deref())? {
        let (mut workplace, ids) = named.hold(toolbox.tools(&voice)?)?;
        for id in ids {
            match bisect(&mut workplace, &id, &among) {
                Ok(bisected) => report(args.json, &bisected),
                Err(error) => {
                    let error = error.context(id);
                    console.error(&error);
                    failures.push(ExitCode::of(&error));
                }
            }
        }
        workplace.end()?;
    }
    Ok(ExitCode::of_all(&failures))
}

fn report(as_json: bool, bisected: &Bisected) {
    let Bisected { id, runs, known } = bisected;
    let life = life(runs, known);
    let (since, before) = life.since.unwrap_or((known.clone(), None));
    if as_json {
        let object = json!({
            "id": id,
            "since": since,
            "last_good": before,
            "fixed_in": life.fixed,
            "versions": runs,
        });
        print_json(&object.to_string());
        return;
    }
    let word = |seen: Seen| match seen {
        Seen::Bad => "bad",
        Seen::Good => "good",
        Seen::Unclear => "-",
    };
    let row = |run: &VersionRun| {
        vec![
            run.version.to_string(),
            word(run.seen).to_string(),
            run.said.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = runs.iter().map(row).collect();
    print_table(&["version", "shows it", "said"], &rows);
    let since = match before {
        Some(before) => format!("since {since} (good in {before})"),
        None => format!("since {since} or earlier"),
    };
    let fixed = life.fixed.map_or_else(
        || "not fixed as far as was looked".to_string(),
        |version| format!("fixed in {version}"),
    );
    print(&format!("{id}: {since}; {fixed}"));
}
