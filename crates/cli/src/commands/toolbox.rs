//! Names from the command line turned into targets, languages and places to
//! run: what every command that runs something needs first.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, Result, bail};
use lydite_core::fault::{Blame, Fault};
use lydite_core::{Language, Role, TargetName};
use lydite_lab::campaign::Resolved;
use lydite_lab::registry::Registry;
use lydite_lab::work::Tools;
use lydite_process::Scratch;
use lydite_target::install::{self, Cache, ChosenTarget, VersionScope, WantedTarget};
use lydite_target::{Catalogue, Family, Target};

use crate::console::Console;
use crate::exit_code::ExitCode;
use crate::registry::{language_of, registry};

/// The strategies, families and installed targets that commands work with.
pub(super) struct Toolbox {
    pub registry: Registry,
    pub catalogue: Catalogue,
    pub cache: Cache,
}

impl Toolbox {
    /// The built-in families, the user's, and those of `target_files`.
    pub(super) fn open(target_files: &[PathBuf]) -> Result<Toolbox> {
        let mut catalogue = Catalogue::load(&Catalogue::user_folders()).or_usage()?;
        for path in target_files {
            catalogue.add_path(path).or_usage()?;
        }
        Ok(Toolbox {
            registry: registry(),
            catalogue,
            cache: Cache::open().or_usage()?,
        })
    }

    /// The targets of these names, tested ones first. Those that are missing
    /// are installed if they are chosen among what is offered, and are an
    /// error otherwise.
    pub(super) fn targets(
        &self,
        wanted: &[WantedTarget],
        scope: VersionScope,
        console: &Console,
    ) -> Result<Vec<(Target, Role)>> {
        let choices = self.choose(wanted, scope, console)?;
        let target = |choice: ChosenTarget| {
            let target = self.target(&choice.name, scope, console);
            Ok((target.context(Fault::TargetUnusable)?, choice.role))
        };
        choices.into_iter().map(target).collect()
    }

    /// The installed targets of names that a person wrote, tested ones first.
    pub(super) fn installed(
        &self,
        tested: &[TargetName],
        references: &[TargetName],
        console: &Console,
    ) -> Result<Vec<(Target, Role)>> {
        self.targets(
            &written(tested, references),
            VersionScope::Installed,
            console,
        )
    }

    /// What the names mean, tested ones first; nothing is installed.
    pub(super) fn choose(
        &self,
        wanted: &[WantedTarget],
        scope: VersionScope,
        console: &Console,
    ) -> Result<Vec<ChosenTarget>> {
        let mut progress = |text: &str| console.say(text);
        let (catalogue, cache) = (&self.catalogue, &self.cache);
        let mut choices = install::choose(catalogue, wanted, scope, cache, &mut progress)?;
        choices.sort_by_key(|choice| choice.role == Role::Reference);
        if scope == VersionScope::Installed {
            for choice in choices.iter().filter(|choice| is_open(&choice.written)) {
                console.say(&format!(
                    "{} is {}, the newest that is installed",
                    choice.written, choice.name
                ));
            }
        }
        Ok(choices)
    }

    /// The target of a name with exactly one version.
    pub(super) fn target(
        &self,
        name: &TargetName,
        scope: VersionScope,
        console: &Console,
    ) -> Result<Target> {
        if scope == VersionScope::Offered {
            let mut progress = |text: &str| console.say(text);
            return install::install_exactly(&self.catalogue, name, &self.cache, &mut progress);
        }
        let mut targets = self.catalogue.resolve(name, &self.cache)?;
        targets
            .pop()
            .context("a name means a target or is an error")
    }

    /// Runs each target once on a program whose answer is known: one that
    /// cannot start is an error before the hunt, never a silent skip.
    pub(super) fn preflight(&self, targets: &[(Target, Role)], scratch: &Scratch) -> Result<()> {
        let names: Vec<TargetName> = targets
            .iter()
            .map(|(target, _)| target.name.clone())
            .collect();
        for health in install::doctor(&self.catalogue, &names, &self.cache, scratch)? {
            if let Some(problem) = health.problems.first() {
                let error = anyhow::anyhow!("target {}: {problem}", health.target);
                return Err(error.context(Fault::TargetUnusable));
            }
        }
        Ok(())
    }

    /// Runs each target once with each option that it may be given: one that
    /// is wrong is an error before the hunt too. Hunts after that know it.
    pub(super) fn preflight_options(
        &self,
        targets: &[(Target, Role)],
        scratch: &Scratch,
    ) -> Result<()> {
        if targets
            .iter()
            .all(|(target, _)| target.family().option.is_empty())
        {
            bail!("options: no target has any ([[option]] in a target file)");
        }
        for (target, _) in targets {
            let problems = install::check_options_once(target, &self.cache, scratch);
            if let Some(problem) = problems.first() {
                let error = anyhow::anyhow!("target {}: {problem}", target.name);
                return Err(error.context(Fault::TargetUnusable));
            }
        }
        Ok(())
    }

    /// The tools for work on findings.
    pub(super) fn tools<'a>(&'a self, voice: &'a Voice<'a>) -> Result<Tools<'a>> {
        Ok(Tools {
            registry: &self.registry,
            catalogue: self.catalogue.clone(),
            cache: &self.cache,
            scratch: scratch()?,
            language_of: &*voice.language_of,
            vouch: &super::profile::vouch,
            say: &*voice.say,
            warn: &*voice.warn,
        })
    }

    /// Tells people how work on findings goes on.
    pub(super) fn voice<'a>(&'a self, console: &'a Console) -> Voice<'a> {
        Voice {
            language_of: Box::new(|family| language_of(&self.registry, family)),
            say: Box::new(|text| console.say(text)),
            warn: Box::new(|text| console.warn(text)),
        }
    }

    /// Tells somebody else how work on findings goes on.
    pub(super) fn voice_to<'a>(&'a self, say: &'a dyn Fn(&str)) -> Voice<'a> {
        Voice {
            language_of: Box::new(|family| language_of(&self.registry, family)),
            say: Box::new(say),
            warn: Box::new(say),
        }
    }

    /// The one language that all targets read.
    pub(super) fn language(
        &self,
        targets: &[(Target, Role)],
        asked: Option<&str>,
    ) -> Result<Arc<dyn Language>> {
        if let Some(name) = asked {
            return self.registry.language(name);
        }
        let Some((first, _)) = targets.first() else {
            bail!("no target");
        };
        let wanted = &first.family().language;
        for (target, _) in targets {
            let other = &target.family().language;
            if other != wanted {
                bail!(
                    "targets {} ({wanted}) and {} ({other}) read different languages",
                    first.name,
                    target.name
                );
            }
        }
        Ok(language_of(&self.registry, first.family()))
    }
}

/// The names that a person wrote.
pub(super) fn written(tested: &[TargetName], references: &[TargetName]) -> Vec<WantedTarget> {
    let wanted = |role: Role| {
        move |name: &TargetName| WantedTarget {
            name: name.clone(),
            role,
            by_user: true,
        }
    };
    let tested = tested.iter().map(wanted(Role::Tested));
    let references = references.iter().map(wanted(Role::Reference));
    tested.chain(references).collect()
}

/// True if the name leaves open which version is meant.
fn is_open(name: &TargetName) -> bool {
    matches!(name.version.as_deref(), None | Some("latest"))
}

/// The versions that names may mean: those that are offered if missing targets may be installed,
/// and otherwise the installed ones.
pub(super) fn scope(install: bool) -> VersionScope {
    if install {
        VersionScope::Offered
    } else {
        VersionScope::Installed
    }
}

/// The families that a campaign knew, for commands that run nothing.
pub(super) fn catalogue_of(
    resolved: Option<&Resolved>,
    target_files: &[PathBuf],
) -> Result<Catalogue> {
    let mut catalogue = Catalogue::load(&Catalogue::user_folders()).or_usage()?;
    let planned = resolved.into_iter().flat_map(|r| &r.plan.target_files);
    // The files of a campaign from elsewhere may not be here.
    for path in planned.filter(|path| path.exists()).chain(target_files) {
        catalogue.add_path(path).or_usage()?;
    }
    Ok(catalogue)
}

/// Gives the language of a family.
type LanguageOf<'a> = dyn Fn(&Family) -> Arc<dyn Language> + 'a;

/// What [`Tools`] borrow.
pub(super) struct Voice<'a> {
    language_of: Box<LanguageOf<'a>>,
    say: Box<dyn Fn(&str) + 'a>,
    warn: Box<dyn Fn(&str) + 'a>,
}

/// A place to run targets: everything in it is gone when it is dropped, and
/// also when we are killed.
pub(super) fn scratch() -> Result<Arc<Scratch>> {
    let scratch = Scratch::new()
        .context("scratch folder")
        .context(Fault::CannotWrite)?;
    Ok(Arc::new(scratch))
}

/// As many threads as there are cores.
pub(super) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The first Ctrl-C (or SIGTERM) asks to finish, the second ends at once;
/// the warden then ends what still runs.
pub(super) fn stop_on_signals() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let code = ExitCode::Interrupted as i32;
        signal_hook::flag::register_conditional_shutdown(signal, code, stop.clone())?;
        signal_hook::flag::register(signal, stop.clone())?;
    }
    Ok(stop)
}

/// The language that a file or folder is written in, by the endings of its
/// files. Whoever lets the language be said adds how.
pub(super) fn guess_language(registry: &Registry, paths: &[PathBuf]) -> Result<Arc<dyn Language>> {
    for path in paths {
        path.metadata()
            .with_context(|| format!("{}: cannot be read", path.display()))?;
        if let Some(language) = guess(registry, path, 0) {
            return Ok(language);
        }
    }
    let names: Vec<&str> = registry
        .languages
        .iter()
        .map(|language| language.name())
        .collect();
    let files: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    bail!(
        "{}: no file whose ending tells its language ({})",
        files.join(", "),
        names.join(", ")
    )
}

fn guess(registry: &Registry, path: &Path, depth: usize) -> Option<Arc<dyn Language>> {
    if path.is_dir() {
        let mut entries: Vec<PathBuf> = std::fs::read_dir(path)
            .ok()?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        entries.sort();
        let deeper = |entry: PathBuf| {
            (depth < 8)
                .then(|| guess(registry, &entry, depth + 1))
                .flatten()
        };
        return entries.into_iter().find_map(deeper);
    }
    let extension = path.extension()?.to_str()?;
    let knows = |language: &&Arc<dyn Language>| language.extensions().contains(&extension);
    registry.languages.iter().find(knows).cloned()
}
