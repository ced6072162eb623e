//! `lydite seeds`: corpora of regression tests as seeds.

use std::path::PathBuf;

use anyhow::{Context, Result};
use lydite_core::fault::{Fault, usage};
use lydite_core::quantity::Size;
use lydite_lab::plan::{CorpusRecord, Plan, corpus_name};
use lydite_target::corpus::{self, Corpora, Corpus, InstalledCorpus};
use lydite_target::install::Cache;
use serde_json::{Value, json};

use crate::args::{SeedsArgs, SeedsCommand};
use crate::console::{Console, print, print_json};
use crate::exit_code::ExitCode;
use crate::table::print_table;

pub(crate) fn run(args: &SeedsArgs, console: &Console) -> Result<ExitCode> {
    let corpora = Corpora::load(&Corpora::user_folders())?;
    let cache = Cache::open()?;
    match &args.command {
        None => list(&[], false, &corpora, &cache),
        Some(SeedsCommand::List { names, json }) => list(names, *json, &corpora, &cache),
        Some(SeedsCommand::Get {
            names,
            dry_run: true,
            refresh,
            json,
        }) => show_prices(names, *refresh, *json, &corpora, &cache),
        Some(SeedsCommand::Get {
            names,
            refresh,
            json,
            ..
        }) => get_all(names, *refresh, *json, &corpora, &cache, console),
    }
}

/// The corpora of these names, or all.
fn chosen<'a>(names: &[String], corpora: &'a Corpora) -> Result<Vec<&'a Corpus>> {
    match names.is_empty() {
        true => Ok(corpora.all().collect()),
        false => names.iter().map(|name| corpora.find(name)).collect(),
    }
}

fn list(names: &[String], as_json: bool, corpora: &Corpora, cache: &Cache) -> Result<ExitCode> {
    let mut rows = Vec::new();
    for corpus in chosen(names, corpora)? {
        let here = corpus::installed(corpus, cache)?;
        if as_json {
            print_json(&listed(corpus, &here).to_string());
        } else if names.is_empty() {
            let newest = here.last().map(|one| &one.manifest);
            rows.push(vec![
                corpus.corpus.clone(),
                corpus.language.clone(),
                newest.map_or_else(String::new, |manifest| manifest.version.clone()),
                newest.map_or_else(String::new, |manifest| manifest.files.to_string()),
                corpus.licence.clone(),
                corpus.about.clone(),
            ]);
        } else {
            show(corpus, &here);
        }
    }
    if !rows.is_empty() {
        let heads = [
            "corpus", "language", "installed", "seeds", "licence", "about",
        ];
        print_table(&heads, &rows);
        print("");
        print("to get one: lydite seeds get NAME; to use it: lydite hunt --seeds corpus:NAME");
    }
    Ok(ExitCode::Clean)
}

fn listed(corpus: &Corpus, here: &[InstalledCorpus]) -> Value {
    let installed: Vec<Value> = here.iter().map(described).collect();
    json!({
        "corpus": corpus.corpus,
        "about": corpus.about,
        "language": corpus.language,
        "package": corpus.source().key(),
        "version": corpus.version,
        "licence": corpus.licence,
        "installed": installed,
    })
}

/// An installed corpus as JSON.
fn described(one: &InstalledCorpus) -> Value {
    let mut value = json!(one.manifest);
    value["folder"] = json!(one.seeds);
    value
}

/// Shows one corpus in full.
fn show(corpus: &Corpus, here: &[InstalledCorpus]) {
    let mut rows = vec![
        ["about", &corpus.about].map(str::to_string),
        ["language", &corpus.language].map(str::to_string),
        ["package", &corpus.source().key()].map(str::to_string),
        ["version", corpus.version.as_deref().unwrap_or("the newest")].map(str::to_string),
        ["licence", &corpus.licence].map(str::to_string),
        ["files", &corpus.files.join(" ")].map(str::to_string),
    ];
    for one in here {
        let manifest = &one.manifest;
        let text = format!(
            "{}: {} seeds, {}, in {}",
            manifest.version,
            manifest.files,
            Size(manifest.bytes).rounded(),
            one.seeds.display()
        );
        rows.push(["installed".to_string(), text]);
    }
    let rows: Vec<Vec<String>> = rows.into_iter().map(|row| row.to_vec()).collect();
    print_table(&["corpus", &corpus.corpus], &rows);
    print("");
}

fn show_prices(
    names: &[String],
    refresh: bool,
    as_json: bool,
    corpora: &Corpora,
    cache: &Cache,
) -> Result<ExitCode> {
    let mut rows = Vec::new();
    for corpus in chosen(names, corpora)? {
        let price = corpus::price(corpus, cache, refresh);
        let price = price.context(Fault::TargetUnusable)?;
        let here = corpus::installed(corpus, cache)?;
        let here = here.iter().any(|one| one.manifest.version == price.version);
        if as_json {
            let object = json!({
                "corpus": corpus.corpus, "package": corpus.source().key(),
                "version": price.version, "registry_version": price.registry_version,
                "download_bytes": price.bytes, "licence": corpus.licence, "installed": here,
            });
            print_json(&object.to_string());
            continue;
        }
        let bytes = price.bytes.map(|bytes| Size(bytes).rounded());
        rows.push(vec![
            corpus.corpus.clone(),
            format!("{} {}", corpus.source().key(), price.registry_version),
            bytes.unwrap_or_else(|| "the registry does not say".to_string()),
            corpus.licence.clone(),
            if here {
                "installed"
            } else {
                "would be downloaded"
            }
            .to_string(),
        ]);
    }
    if !as_json {
        print_table(
            &["corpus", "package", "download", "licence", "state"],
            &rows,
        );
    }
    Ok(ExitCode::Clean)
}

fn get_all(
    names: &[String],
    refresh: bool,
    as_json: bool,
    corpora: &Corpora,
    cache: &Cache,
    console: &Console,
) -> Result<ExitCode> {
    // A typo in the last name is known before the first download.
    for corpus in chosen(names, corpora)? {
        let mut progress = |text: &str| console.say(text);
        let got = corpus::get(corpus, cache, refresh, &mut progress);
        let got = got.context(Fault::TargetUnusable)?;
        if as_json {
            print_json(&described(&got).to_string());
            continue;
        }
        let manifest = &got.manifest;
        print(&format!(
            "{} {}: {} seeds, {}, licence {}, from {} ({} copies and {} files without a program left out), in {}",
            manifest.corpus,
            manifest.version,
            manifest.files,
            Size(manifest.bytes).rounded(),
            manifest.licence,
            manifest.package,
            manifest.copies,
            manifest.empty,
            got.seeds.display()
        ));
    }
    Ok(ExitCode::Clean)
}

/// Finds the corpora that paths among seeds may name.
pub(super) struct CorpusFinder<'a> {
    pub cache: &'a Cache,
    /// True if what is missing may be downloaded.
    pub install: bool,
    /// The versions that a campaign began with.
    pub begun: &'a [CorpusRecord],
    pub console: &'a Console,
}

impl CorpusFinder<'_> {
    /// Puts the folders of corpora in the place of their names in a plan, and
    /// writes down which they are.
    pub(super) fn find_in(&self, plan: &mut Plan) -> Result<()> {
        let mut records = std::mem::take(&mut plan.corpora);
        for strategy in &mut plan.strategies {
            records.extend(self.find(&mut strategy.seeds)?);
        }
        records.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
        records.dedup();
        plan.corpora = records;
        Ok(())
    }

    /// The same for the seeds of one strategy.
    pub(super) fn find(&self, seeds: &mut [PathBuf]) -> Result<Vec<CorpusRecord>> {
        let mut records = Vec::new();
        for path in seeds {
            let Some(name) = corpus_name(path).map(str::to_string) else {
                continue;
            };
            let found = self.installed(&name)?;
            let manifest = found.manifest;
            records.push(CorpusRecord {
                name: manifest.corpus,
                version: manifest.version,
                package: manifest.package,
                licence: manifest.licence,
                blake3: manifest.blake3,
            });
            *path = found.seeds;
        }
        Ok(records)
    }

    fn installed(&self, name: &str) -> Result<InstalledCorpus> {
        let corpora = Corpora::load(&Corpora::user_folders())?;
        let (name, version) = match name.split_once('@') {
            Some((name, version)) => (name, Some(version)),
            None => (name, None),
        };
        let corpus = corpora
            .find(name)
            .map_err(|error| usage(error.to_string()))?;
        let begun = self.begun.iter().find(|record| record.name == name);
        let version = version.or(begun.map(|record| record.version.as_str()));
        let mut here = corpus::installed(corpus, self.cache)?;
        here.retain(|one| version.is_none_or(|version| one.manifest.version == version));
        if let Some(newest) = here.pop() {
            return Ok(newest);
        }
        if self.install {
            let mut progress = |text: &str| self.console.say(text);
            let got = corpus::get(corpus, self.cache, false, &mut progress);
            let got = got.context(Fault::TargetUnusable)?;
            if version.is_none_or(|version| got.manifest.version == version) {
                return Ok(got);
            }
        }
        let at = version.map(|version| format!("@{version}"));
        Err(usage(format!(
            "corpus {name}{}: not installed (lydite seeds get {name})",
            at.unwrap_or_default()
        )))
    }
}

/// Puts the folders of installed corpora in the place of their names.
pub(super) fn locate(seeds: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut seeds = seeds.to_vec();
    if seeds.iter().any(|path| corpus_name(path).is_some()) {
        let cache = Cache::open()?;
        let finder = CorpusFinder {
            cache: &cache,
            install: false,
            begun: &[],
            // Nothing is installed, so there is nothing to say.
            console: &Console::new(true, 0),
        };
        finder.find(&mut seeds)?;
    }
    Ok(seeds)
}
