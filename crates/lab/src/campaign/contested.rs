//! Cases whose claim everybody contradicts: trouble of our own, kept for
//! whoever mends lydite.
//!
//! The store has their numbers; a case is remade from its number, so its files
//! are written when a campaign ends.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use lydite_core::Case;

use super::job::CONTESTED;
use super::source::Recipe;
use super::workshop::Workshop;
use crate::fault::Fault;
use crate::store::Store;

/// The folder in that of the campaign.
pub const FOLDER: &str = "contested";

/// So many cases are written; the others can be remade.
const MOST_CASES: usize = 20;

/// Writes the files of contested cases that are not there yet.
pub(super) fn write_cases(folder: &Path, workshop: &Workshop, store: &Store) -> Result<()> {
    for (index, failure) in store.failures_that_begin(CONTESTED, MOST_CASES)? {
        let place = folder.join(FOLDER).join(index.to_string());
        let (strategy, Ok(case)) = workshop.source.case(index) else {
            continue;
        };
        if place.exists() {
            continue;
        }
        let plan = &workshop.resolved.plan;
        let recipe = Recipe {
            strategy: plan.strategies[strategy].name.clone(),
            mode: workshop.source.mode(),
            seed: plan.seed,
            index,
            seeds: Vec::new(),
        };
        let recipe = serde_json::to_string_pretty(&recipe)?;
        let made = folder.join(FOLDER).join(format!("{index}.new"));
        write_case(&made, &case, &recipe, &failure)
            .and_then(|()| Ok(fs::rename(&made, &place)?))
            .with_context(|| place.display().to_string())
            .context(Fault::CannotWrite)?;
    }
    Ok(())
}

fn write_case(folder: &Path, case: &Case, recipe: &str, failure: &str) -> Result<()> {
    let why = failure.strip_prefix(CONTESTED).unwrap_or(failure);
    for (number, program) in case.programs.iter().enumerate() {
        let below = folder.join(number.to_string());
        fs::create_dir_all(&below)?;
        for file in &program.files {
            // Strategies name their files themselves; a seed's name is not trusted.
            let name = Path::new(&file.name).file_name();
            let name = name.context("a file without a name")?;
            fs::write(below.join(name), &file.text)?;
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    let steps: String = case
        .steps
        .iter()
        .map(|step| format!("- {step}\n"))
        .collect();
    let text = format!(
        "# A claim of lydite {version} that all targets contradict\n\n\
         Lydite claims `{}` of these programs; {why}. Nobody confirms it, so nobody is accused: \
         lydite itself is wrong here, or the answer that a seed came with.\n\n\
         Please report it where lydite comes from, with this folder (the programs, `recipe.json`) \
         and the campaign's `plan.json`: with these the case can be made again.\n\n{}",
        case.claim,
        match steps.is_empty() {
            true => String::new(),
            false => format!("How the programs were made:\n\n{steps}"),
        },
    );
    fs::write(folder.join("README.md"), text)?;
    fs::write(folder.join("recipe.json"), format!("{recipe}\n"))?;
    Ok(())
}
