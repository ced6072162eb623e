//! `lydite dedup`: which findings are one bug, and which finding is several.

use anyhow::Result;
use lydite_lab::work::{Deduplicated, Effort, Workplace, dedup};
use serde_json::json;

use super::toolbox::{Toolbox, cores, stop_on_signals};
use crate::args::DedupArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &DedupArgs, console: &Console) -> Result<ExitCode> {
    let stop = stop_on_signals()?;
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let voice = toolbox.voice(console);
    let mut workplace = Workplace::hold(toolbox.tools(&voice)?, &args.folder)?;
    let effort = Effort {
        threads: args.jobs.map_or_else(cores, usize::from),
        duration: Some(args.duration),
        tests: None,
    };
    let result = dedup(&mut workplace, &effort, &args.versions, &stop);
    // What was found out of some of them is kept, whatever became of the rest.
    let ended = workplace.end();
    let result = result?;
    ended?;
    if result.interrupted {
        return Ok(ExitCode::Interrupted);
    }
    show(args, &result);
    Ok(ExitCode::Clean)
}

fn show(args: &DedupArgs, result: &Deduplicated) {
    let Deduplicated {
        before,
        all,
        groups,
        ..
    } = result;
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
            print_json(&object.to_string());
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
