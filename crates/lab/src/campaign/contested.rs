//! Cases whose claim everybody contradicts: trouble of our own, kept for
//! whoever mends lydite.
//!
//! The store has their numbers; a case is remade from its number, so its files
//! are written when a campaign ends.

use std::path::Path;

use anyhow::{Context, Result};
use lydite_core::Case;

use super::engine::Engine;
use super::steer::Schedule;
use crate::resolved::Recipe;
use lydite_store::Store;
use lydite_store::folder::{LockedFolder, NewFile, RelativePath};
use lydite_store::record::Failure;

/// The name of the folder of contested claims, in the campaign's folder.
pub const FOLDER: &str = "contested";

/// How many cases are written at most; the others can be remade.
const MOST_CASES: usize = 20;

/// Writes the files of contested cases that are not there yet.
pub(super) fn write_cases(folder: &LockedFolder, engine: &Engine, store: &Store) -> Result<()> {
    for (index, failure) in store.contested(MOST_CASES)? {
        let place = RelativePath::new(format!("{FOLDER}/{index}"))?;
        if folder.place(&place).exists() {
            continue;
        }
        let schedule = store.schedule_of_case(index)?;
        let by = store.schedule(schedule)?.map(Schedule::new);
        let drawn = engine.source.drawn(index, by.as_ref());
        let Ok(case) = drawn.case else {
            continue;
        };
        let plan = &engine.resolved.plan;
        let recipe = Recipe {
            strategy: plan.strategies[drawn.strategy].name.clone(),
            mode: engine.source.mode(),
            seed: plan.seed,
            index,
            schedule,
            seeds: Vec::new(),
        };
        let recipe = serde_json::to_string_pretty(&recipe)? + "\n";
        let mut files = programs(&case)?;
        let readme = readme(&case, &failure);
        files.push((RelativePath::new("README.md")?, readme.into_bytes()));
        files.push((RelativePath::new("recipe.json")?, recipe.into_bytes()));
        let files: Vec<NewFile<'_>> = files
            .iter()
            .map(|(path, content)| NewFile {
                path,
                content,
                runs: false,
            })
            .collect();
        folder.write_folder(&place, &files)?;
    }
    Ok(())
}

/// The files of all programs, each program in a folder of its own.
fn programs(case: &Case) -> Result<Vec<(RelativePath, Vec<u8>)>> {
    let mut files = Vec::new();
    for (number, program) in case.programs.iter().enumerate() {
        for file in &program.files {
            // Strategies name their files themselves; a seed's name is not trusted.
            let name = Path::new(&file.name).file_name();
            let name = name.context("a file without a name")?.to_string_lossy();
            let path = RelativePath::new(format!("{number}/{name}"))?;
            files.push((path, file.text.to_vec()));
        }
    }
    Ok(files)
}

fn readme(case: &Case, failure: &Failure) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let steps = case.steps.iter().map(|step| format!("- {step}\n"));
    let steps: String = steps.collect();
    format!(
        "# A claim of lydite {version} that all targets contradict\n\n\
         Lydite claims `{}` of these programs; {}. Nobody confirms it, so nobody is accused: \
         lydite itself is wrong here, or the answer that a seed came with.\n\n\
         Please report it where lydite comes from, with this folder (the programs, `recipe.json`) \
         and the campaign's `plan.json`: with these the case can be made again.\n\n{}",
        case.claim,
        failure.reason(),
        match steps.is_empty() {
            true => String::new(),
            false => format!("How the programs were made:\n\n{steps}"),
        },
    )
}
