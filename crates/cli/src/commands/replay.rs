//! `lydite replay`: does a finding still show, and can its case be remade?

use anyhow::Result;
use lydite_lab::work::replay;
use serde_json::json;

use super::check::{observation_json, symptom_json};
use super::named::find;
use super::toolbox::Toolbox;
use crate::args::ReplayArgs;
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;

pub(crate) fn run(args: &ReplayArgs, console: &Console) -> Result<ExitCode> {
    let toolbox = Toolbox::open(&args.target_files.paths)?;
    let voice = toolbox.voice(console);
    let named = find(&args.finding, args.campaign.as_deref())?;
    let (workplace, id) = named.read(toolbox.tools(&voice)?)?;
    let replayed = replay(&workplace, &id, args.times)?;
    let (shown, times, examined) = (replayed.shown, args.times, &replayed.examined);
    if args.json {
        let observations = examined.table.observations.iter();
        let object = json!({
            "id": replayed.id,
            "times": times,
            "shown": shown,
            "remade": replayed.remade.as_ref().map(Result::is_ok),
            "observations": observations.map(observation_json).collect::<Vec<_>>(),
            "symptoms": examined.symptoms.iter().map(symptom_json).collect::<Vec<_>>(),
        });
        print_json(&object.to_string());
    } else {
        print(&format!(
            "{}: shown in {shown} of {times} runs",
            replayed.id
        ));
        match replayed.remade {
            Some(Ok(())) => print("the recipe remakes the case byte for byte"),
            Some(Err(why)) => print(&format!("the recipe does not remake the case: {why:#}")),
            None => {}
        }
    }
    Ok(ExitCode::found(shown > 0))
}
