//! What is here and whether it works: the data behind `lydite targets list`
//! and `lydite targets doctor`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use lydite_core::{Answer, Observation, Outcome, Program, Role, TargetName};
use serde::Serialize;

use super::available::available;
use super::is_current;
use crate::cache::{Cache, Manifest};
use crate::system;
use crate::{AllowedOption, COUNTS, Catalogue, Family, RunLimits, SourceKind, Target};
use lydite_process::Scratch;

/// One family, for `list`.
#[derive(Clone, Debug, Serialize)]
pub struct FamilyListing {
    /// Its name.
    pub family: String,
    /// The language that it processes.
    pub language: String,
    /// What it is, in one sentence.
    pub about: String,
    /// Where its bugs are reported.
    pub tracker: Option<String>,
    /// The versions that are installed, oldest first.
    pub installed: Vec<String>,
    /// The versions that can be installed, oldest first; empty if nobody asked for them.
    pub available: Vec<String>,
    /// The features of its language that it knows; none if that is all of them.
    pub knows: Vec<String>,
    /// Its variants.
    pub variants: Vec<String>,
    /// The options that a campaign may vary.
    pub options: Vec<String>,
    /// One sentence per source that could not be asked.
    pub problems: Vec<String>,
}

/// One installed target, for `doctor`.
#[derive(Clone, Debug, Serialize)]
pub struct Health {
    /// The name of the target.
    pub target: TargetName,
    /// Where it came from.
    pub source: String,
    /// The binary.
    pub binary: String,
    /// What it says its version is.
    pub reported_version: Option<String>,
    /// The outcome of the smoke run.
    pub smoke: String,
    /// How long the smoke run took.
    pub smoke_ms: u64,
    /// What is wrong and what to do; empty if all is well.
    pub problems: Vec<String>,
}

impl Health {
    /// True if nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Lists all families. Asks the registries only if `ask` is true; with `refresh` also where the
/// last answer is less than a day old.
pub fn list(catalogue: &Catalogue, cache: &Cache, ask: bool, refresh: bool) -> Vec<FamilyListing> {
    let listing = |family: &std::sync::Arc<Family>| {
        let mut installed: Vec<_> = cache
            .installed(family, None)
            .into_iter()
            .chain(system::installed(family))
            .map(|installed| installed.version)
            .collect();
        installed.sort();
        installed.dedup();
        let builds = family.variant.keys().filter_map(|name| {
            let build = family.build_name(Some(name))?;
            let versions = cache.installed(family, Some(build)).into_iter();
            Some(versions.map(move |build| format!("{}:{name}", build.version)))
        });
        let offered = match ask {
            true => available(family, false, cache, refresh),
            false => Default::default(),
        };
        FamilyListing {
            family: family.family.clone(),
            language: family.language.clone(),
            about: family.about.clone(),
            tracker: family.tracker.clone(),
            installed: installed
                .iter()
                .map(ToString::to_string)
                .chain(builds.flatten())
                .collect(),
            available: offered
                .offers
                .iter()
                .map(|o| o.version.to_string())
                .collect(),
            knows: family.knows.iter().flatten().cloned().collect(),
            variants: family.variant.keys().cloned().collect(),
            options: family.option.iter().map(|o| o.args.join(" ")).collect(),
            problems: offered.problems,
        }
    };
    catalogue.families().map(listing).collect()
}

/// Examines every installed target, or those of `names`.
pub fn doctor(
    catalogue: &Catalogue,
    names: &[TargetName],
    cache: &Cache,
    scratch: &Scratch,
) -> anyhow::Result<Vec<Health>> {
    let every = |family: &std::sync::Arc<Family>| TargetName {
        family: family.family.clone(),
        version: Some("*".to_string()),
        variant: None,
    };
    let builds = |family: &std::sync::Arc<Family>| -> Vec<TargetName> {
        let names = family
            .variant
            .keys()
            .filter(|name| family.build_name(Some(name)).is_some());
        let named = |name: &String| TargetName {
            variant: Some(name.clone()),
            ..every(family)
        };
        names.map(named).collect()
    };
    let with_builds = catalogue.families().flat_map(|family| {
        let plain = std::iter::once(every(family));
        plain.chain(builds(family)).collect::<Vec<_>>()
    });
    let asked: Vec<TargetName> = match names.is_empty() {
        true => with_builds.collect(),
        false => names.to_vec(),
    };
    let mut healths = Vec::new();
    for name in &asked {
        match catalogue.resolve(name, cache) {
            Ok(targets) => {
                healths.extend(
                    targets
                        .iter()
                        .map(|target| examine(catalogue, target, scratch)),
                );
            }
            // Without names, what is not installed is no trouble.
            Err(crate::ResolveError::NotInstalled { .. }) if names.is_empty() => {}
            Err(crate::ResolveError::Broken { name, why }) => {
                healths.push(broken(&name, &format!("{why:#}")));
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(healths)
}

fn broken(name: &TargetName, why: &str) -> Health {
    Health {
        target: name.clone(),
        source: String::new(),
        binary: String::new(),
        reported_version: None,
        smoke: String::new(),
        smoke_ms: 0,
        problems: vec![format!("{why}: lydite targets install {name}")],
    }
}

fn examine(catalogue: &Catalogue, target: &Target, scratch: &Scratch) -> Health {
    let (family, installed) = (target.family(), target.installed());
    let variant = target.name.variant.as_deref();
    let again = TargetName {
        family: family.family.clone(),
        version: Some(target.version.to_string()),
        variant: family.build_name(variant).map(str::to_string),
    };
    let again = format!("lydite targets install {again}");
    let mut problems = Vec::new();
    if installed.get.from != SourceKind::System {
        if let Err(error) = check_tree(&installed.root) {
            problems.push(format!("{error:#}: {again}"));
        }
        if !is_current(catalogue, target) {
            problems.push(format!("installed by an older recipe: {again}"));
        }
    }
    let reported = reported_version(target, scratch).unwrap_or_else(|error| {
        problems.push(format!("does not say its version ({error:#}): {again}"));
        None
    });
    let observation = smoke_run(target, scratch);
    let smoke = smoke_text(&observation.outcome);
    if !is_expected(&smoke, &family.smoke.expect) {
        problems.push(format!(
            "smoke run gave `{smoke}`, not `{}`{}: {again}",
            family.smoke.expect,
            complaint(&observation)
        ));
    }
    Health {
        target: target.name.clone(),
        source: installed.source.clone(),
        binary: installed.bin.display().to_string(),
        reported_version: reported,
        smoke,
        smoke_ms: u64::try_from(observation.wall.as_millis()).unwrap_or(u64::MAX),
        problems,
    }
}

/// What a target says of its version; that of its source, if its file does not say
/// how to ask.
fn reported_version(target: &Target, scratch: &Scratch) -> anyhow::Result<Option<String>> {
    let family = target.family();
    if family.version.argv.is_empty() {
        return Ok(Some(target.version.to_string()));
    }
    let folder = scratch.folder()?;
    let target = target.with_env(COUNTS, &folder.path().to_string_lossy());
    let said = system::said(&target.version_argv(), &target.environment())?;
    Ok(system::version_in(family, &said).map(|version| version.to_string()))
}

/// How many options are given in one run at first.
const TOGETHER: usize = 16;

/// Runs a target on the program whose answer is known with the options that a campaign may
/// give it: what it does not take is a problem, never skipped. Options go together in one
/// run, and a run that goes wrong is divided until the option that it is about is alone.
pub fn check_options(target: &Target, scratch: &Scratch) -> Vec<String> {
    let family = target.family();
    let wrong = |options: &[&AllowedOption]| {
        let args = options.iter().flat_map(|option| option.args.clone());
        let with = target.with_options(args.collect());
        let said = smoke_text(&smoke_run(&with, scratch).outcome);
        (!is_expected(&said, &family.smoke.expect)).then_some(said)
    };
    let taken: Vec<&AllowedOption> = (family.option.iter())
        .filter(|option| target.takes(option))
        .collect();
    let problems = divide(bundles(&taken), &wrong);
    let problem = |(option, said): (&AllowedOption, String)| {
        format!(
            "with option `{}` the smoke run gave `{said}`, not `{}` (see [[option]] in its target file)",
            option.args.join(" "),
            family.smoke.expect
        )
    };
    problems.into_iter().map(problem).collect()
}

/// Options that may be given together, none that sets what another one sets.
fn bundles<'a>(options: &[&'a AllowedOption]) -> Vec<Vec<&'a AllowedOption>> {
    let mut bundles: Vec<Vec<&AllowedOption>> = Vec::new();
    for &option in options {
        let fits = |bundle: &&mut Vec<&AllowedOption>| {
            bundle.len() < TOGETHER && !bundle.iter().any(|other| other.excludes(option))
        };
        match bundles.iter_mut().find(fits) {
            Some(bundle) => bundle.push(option),
            None => bundles.push(vec![option]),
        }
    }
    bundles
}

/// The options with which the run is wrong even when each is given alone, and what was said.
fn divide<'a>(
    mut bundles: Vec<Vec<&'a AllowedOption>>,
    wrong: &(dyn Fn(&[&AllowedOption]) -> Option<String> + Sync),
) -> Vec<(&'a AllowedOption, String)> {
    let mut alone = Vec::new();
    while !bundles.is_empty() {
        let said = all_of(&bundles, wrong);
        let mut smaller = Vec::new();
        for (bundle, said) in bundles.iter().zip(said) {
            match (bundle.as_slice(), said) {
                (_, None) => {}
                ([one], Some(said)) => alone.push((*one, said)),
                (many, Some(_)) => {
                    let halves = many.chunks(many.len().div_ceil(2));
                    smaller.extend(halves.map(<[_]>::to_vec));
                }
            }
        }
        bundles = smaller;
    }
    alone
}

/// What is said of each bundle, on all cores.
fn all_of(
    bundles: &[Vec<&AllowedOption>],
    wrong: &(dyn Fn(&[&AllowedOption]) -> Option<String> + Sync),
) -> Vec<Option<String>> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = bundles.len().div_ceil(cores).max(1);
    std::thread::scope(|scope| {
        let shares: Vec<_> = bundles
            .chunks(share)
            .map(|chunk| {
                let one = |bundle: &Vec<&AllowedOption>| wrong(bundle);
                scope.spawn(move || chunk.iter().map(one).collect::<Vec<_>>())
            })
            .collect();
        let said = shares
            .into_iter()
            .map(|share| share.join().expect("a run that fails says so"));
        said.flatten().collect()
    })
}

/// The same once for each binary, target file and variant: that nothing was wrong is
/// kept in the cache.
pub fn check_options_once(target: &Target, cache: &Cache, scratch: &Scratch) -> Vec<String> {
    let kept = checked_file(target, cache);
    if kept.as_ref().is_some_and(|file| file.is_file()) {
        return Vec::new();
    }
    let problems = check_options(target, scratch);
    if let (true, Some(file)) = (problems.is_empty(), kept) {
        // Not being able to keep it costs a few seconds the next time.
        let folder = file.parent().unwrap_or(cache.root());
        let _ = fs::create_dir_all(folder).and_then(|()| fs::write(&file, b""));
    }
    problems
}

/// The file that says that the options of a target were tried.
fn checked_file(target: &Target, cache: &Cache) -> Option<PathBuf> {
    let rows: Vec<&[String]> = (target.family().option.iter())
        .filter(|option| target.takes(option))
        .map(|option| option.args.as_slice())
        .collect();
    let text = format!("{} {} {rows:?}", target.name, target.fingerprint().ok()?);
    let hash = blake3::hash(text.as_bytes()).to_hex();
    Some(cache.root().join("options").join(hash.as_str()))
}

fn smoke_run(target: &Target, scratch: &Scratch) -> Observation {
    let family = target.family();
    let program = Program::single(
        family.run.file.clone(),
        family.smoke.program.as_bytes().to_vec(),
    );
    let limits = RunLimits {
        wall: Duration::from_secs(30),
        ..RunLimits::default()
    };
    target.observe(&program, 0, Role::Tested, &limits, scratch)
}

/// The last line on standard error, where the outcome does not have it.
fn complaint(observation: &Observation) -> String {
    let said = String::from_utf8_lossy(&observation.stderr.head);
    match said.trim().lines().last() {
        Some(line) if !observation.outcome.to_string().contains(line) => {
            format!(" (standard error: {line})")
        }
        _ => String::new(),
    }
}

fn check_tree(root: &Path) -> anyhow::Result<()> {
    let folder = root.parent().unwrap_or(root);
    Manifest::load(folder)?.check_files(folder)
}

/// A variant that only compiles says no more than that it accepts.
fn is_expected(said: &str, expected: &str) -> bool {
    said == expected || said == Answer::Accepted.to_string()
}

/// An outcome as a target file writes it: output as it stands, trimmed.
fn smoke_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered(Answer::Output { status: 0, text }) => {
            String::from_utf8_lossy(text).trim().to_string()
        }
        Outcome::Answered(Answer::Program { text }) => {
            String::from_utf8_lossy(text).trim().to_string()
        }
        // Of code it is enough that there is some.
        Outcome::Answered(Answer::Code { .. }) => Answer::Accepted.to_string(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(words: &[&str]) -> Vec<AllowedOption> {
        let row = |word: &&str| AllowedOption::of(vec![word.to_string()]);
        words.iter().map(row).collect()
    }

    #[test]
    fn options_that_set_the_same_are_never_given_together() {
        let rows = rows(&["a=1", "a=2", "b", "a=3"]);
        let shown: Vec<String> = bundles(&rows.iter().collect::<Vec<_>>())
            .iter()
            .map(|bundle| bundle.iter().flat_map(|row| row.args.clone()).collect())
            .collect();
        assert_eq!(shown, ["a=1b", "a=2", "a=3"]);
    }

    #[test]
    fn each_wrong_option_is_found_and_what_only_clashes_is_not_wrong() {
        let names: Vec<String> = (0..200).map(|number| format!("o{number}=1")).collect();
        let rows = rows(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let runs = std::sync::atomic::AtomicUsize::new(0);
        let wrong = |bundle: &[&AllowedOption]| {
            runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let has = |name: &str| bundle.iter().any(|row| row.args[0] == name);
            (has("o7=1") || has("o150=1") || has("o20=1") && has("o21=1")).then(|| "no".to_string())
        };
        let found = divide(bundles(&rows.iter().collect::<Vec<_>>()), &wrong);
        let names: Vec<&str> = found.iter().map(|(row, _)| row.args[0].as_str()).collect();
        assert_eq!(names, ["o7=1", "o150=1"]);
        let runs = runs.into_inner();
        assert!(runs < 50, "{runs}");
    }
}
