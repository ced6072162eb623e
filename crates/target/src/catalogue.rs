//! All families: those that are built in, and the user's own, which replace
//! or extend them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use anyhow::{Context, Result, ensure};
use lydite_core::TargetName;
use lydite_core::nearest::nearest;

use crate::built_in::{BUILT_IN, DRIVERS};
use crate::cache::{Cache, Installed};
use crate::family::Family;
use crate::family::SourceKind;
use crate::family::read_family;
use crate::read::Reading;
use crate::resolve_error::{ResolveError, version_set};
use crate::run::Target;
use lydite_core::version::Version;

/// A target file larger than this is none.
const FILE_BYTES: u64 = 1 << 20;

/// All families that are known, by name.
#[derive(Clone, Debug)]
pub struct Catalogue {
    entries: BTreeMap<String, CatalogueEntry>,
}

/// A family that is known. A file that comes with Lydite is read when somebody asks
/// for its family: most commands want one or two of them.
#[derive(Clone, Debug)]
struct CatalogueEntry {
    built_in: Option<(&'static str, &'static str)>,
    read: OnceLock<ReadFamily>,
}

#[derive(Clone, Debug)]
struct ReadFamily {
    family: Arc<Family>,
    /// As read and merged, for files that extend it.
    table: toml::Table,
    /// The folder of the user's file.
    folder: Option<PathBuf>,
}

impl Catalogue {
    /// The built-in families, then those of `user` (files, or folders of
    /// `*.toml`) in order: a later file of the same family replaces, or if it
    /// says `extends`, builds on what was there.
    pub fn load(user: &[PathBuf]) -> Result<Catalogue> {
        let built_in = BUILT_IN.iter().map(|(file, text)| {
            let entry = CatalogueEntry {
                built_in: Some((file, text)),
                read: OnceLock::new(),
            };
            (file.trim_end_matches(".toml").to_string(), entry)
        });
        let mut catalogue = Catalogue {
            entries: built_in.collect(),
        };
        for path in user {
            catalogue.add_path(path)?;
        }
        Ok(catalogue)
    }

    /// The user's folders that are there: `$XDG_CONFIG_HOME/lydite/targets`
    /// (or `~/.config/…`) and `./lydite-targets`.
    pub fn user_folders() -> Vec<PathBuf> {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let config = variable("XDG_CONFIG_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".config")));
        let folders = config
            .map(|config| config.join("lydite/targets"))
            .into_iter()
            .chain([PathBuf::from("lydite-targets")]);
        folders.filter(|folder| folder.is_dir()).collect()
    }

    /// Adds a target file or a folder of them.
    pub fn add_path(&mut self, path: &Path) -> Result<()> {
        let named = || path.display().to_string();
        if !path.is_dir() {
            let length = fs::metadata(path).with_context(named)?.len();
            ensure!(
                length <= FILE_BYTES,
                "{}: too large for a target file",
                named()
            );
            let text = fs::read_to_string(path).with_context(named)?;
            let folder = path.parent().map(Path::to_path_buf);
            return self.add(path, &text, folder);
        }
        let mut files = Vec::new();
        for entry in fs::read_dir(path).with_context(named)? {
            let file = entry.with_context(named)?.path();
            if file
                .extension()
                .is_some_and(|extension| extension == "toml")
            {
                files.push(file);
            }
        }
        files.sort();
        files.iter().try_for_each(|file| self.add_path(file))
    }

    fn add(&mut self, file: &Path, text: &str, folder: Option<PathBuf>) -> Result<()> {
        let read = self.read(file, text, folder)?;
        // The built-in ones are checked by a test.
        let reading = read.family.check_reading();
        reading.with_context(|| file.display().to_string())?;
        let name = read.family.family.clone();
        let entry = CatalogueEntry {
            built_in: None,
            read: OnceLock::from(read),
        };
        self.entries.insert(name, entry);
        Ok(())
    }

    fn read(&self, file: &Path, text: &str, folder: Option<PathBuf>) -> Result<ReadFamily> {
        let base = |name: &str| Some(self.known(name)?.table.clone());
        let (mut family, table) = read_family(file, text, &base)?;
        for get in family
            .get
            .iter_mut()
            .filter(|get| matches!(get.from, SourceKind::Archive | SourceKind::Source))
        {
            get.path = get.path.take().map(|path| placed(&path, folder.as_deref()));
        }
        Ok(ReadFamily {
            table,
            folder,
            family: Arc::new(family),
        })
    }

    /// The family of that name, read if it was not.
    fn known(&self, name: &str) -> Option<&ReadFamily> {
        let entry = self.entries.get(name)?;
        Some(entry.read.get_or_init(|| {
            let (file, text) = entry.built_in.expect("a file of the user was read before");
            let read = self.read(Path::new(file), text, None);
            read.expect("a test reads all built-in files")
        }))
    }

    /// All families, by name.
    pub fn families(&self) -> impl Iterator<Item = &Arc<Family>> {
        let names = self.entries.keys();
        names.filter_map(|name| Some(&self.known(name)?.family))
    }

    /// The family of a target.
    pub fn family(&self, name: &TargetName) -> Result<&Arc<Family>, ResolveError> {
        self.entry(name).map(|entry| &entry.family)
    }

    /// The rules by which the output of a target is read.
    pub fn reading(&self, name: &TargetName) -> Result<&Arc<Reading>, ResolveError> {
        self.entry(name).map(|entry| entry.family.reading())
    }

    /// The text of a driver: beside the user's target file, else built in.
    pub fn driver(&self, family: &Family, driver: &str) -> Result<String> {
        let known = self.known(&family.family);
        let folder = known.and_then(|known| known.folder.as_ref());
        if let Some(path) = folder.map(|folder| folder.join(driver))
            && path.is_file()
        {
            return fs::read_to_string(&path).with_context(|| path.display().to_string());
        }
        let built_in = DRIVERS.iter().find(|(name, _)| *name == driver);
        let (_, text) = built_in.with_context(|| {
            format!(
                "family {}: no driver `{driver}` beside its file",
                family.family
            )
        })?;
        Ok(text.to_string())
    }

    /// The installed targets that a name means, oldest version first. Without
    /// a version: the newest that is installed.
    pub fn resolve(&self, name: &TargetName, cache: &Cache) -> Result<Vec<Target>, ResolveError> {
        let entry = self.entry(name)?;
        self.check_variant(name)?;
        let set = version_set(name)?;
        let build = entry.family.build_name(name.variant.as_deref());
        let mut installed = cache.installed(&entry.family, build);
        if build.is_none() {
            installed.extend(crate::system::installed(&entry.family));
        }
        let versions: Vec<Version> = installed.iter().map(|i| i.version.clone()).collect();
        let chosen = set.select(&versions);
        if chosen.is_empty() {
            return Err(ResolveError::NotInstalled { name: name.clone() });
        }
        let mut targets = Vec::new();
        for version in &chosen {
            // The cache comes first: what was installed on purpose wins over
            // what the system happens to have.
            let found = installed.iter().find(|i| i.version == *version);
            let installed = found.expect("the versions come from this list");
            targets.extend(entry.target(name, installed)?);
        }
        match targets.is_empty() {
            false => Ok(targets),
            true => Err(self.not_in_version(name)?),
        }
    }

    /// The error for a variant that no version of the name has.
    pub(crate) fn not_in_version(&self, name: &TargetName) -> Result<ResolveError, ResolveError> {
        let versions = self.entry(name)?.versions_of_variant(name);
        Ok(ResolveError::VariantNotInVersion {
            name: name.clone(),
            versions,
        })
    }

    /// Refuses a variant that the family does not have.
    pub fn check_variant(&self, name: &TargetName) -> Result<(), ResolveError> {
        let entry = self.entry(name)?;
        match &name.variant {
            Some(variant) if !entry.family.variant.contains_key(variant) => {
                let known = entry.family.variant.keys().map(String::as_str);
                Err(ResolveError::UnknownVariant {
                    name: name.clone(),
                    near: nearest(variant, known).map(str::to_string),
                })
            }
            _ => Ok(()),
        }
    }

    fn entry(&self, name: &TargetName) -> Result<&ReadFamily, ResolveError> {
        self.known(&name.family).ok_or_else(|| {
            let known = self.entries.keys().map(String::as_str);
            ResolveError::UnknownFamily {
                name: name.clone(),
                near: nearest(&name.family, known).map(str::to_string),
            }
        })
    }
}

impl ReadFamily {
    /// The target, or nothing if this version does not have the variant.
    fn target(
        &self,
        name: &TargetName,
        installed: &Installed,
    ) -> Result<Option<Target>, ResolveError> {
        let variant = self.family.variant(name.variant.as_deref());
        let variant = variant.expect("the variant was checked before");
        if !variant.versions.contains(&installed.version) {
            return Ok(None);
        }
        let broken = |why| ResolveError::Broken {
            name: TargetName {
                version: Some(installed.version.to_string()),
                ..name.clone()
            },
            why,
        };
        installed.check_binary().map_err(broken)?;
        Ok(Some(Target::new(
            &self.family,
            name.variant.as_deref(),
            variant,
            installed.clone(),
        )))
    }

    fn versions_of_variant(&self, name: &TargetName) -> String {
        let variant = self.family.variant(name.variant.as_deref());
        variant.map_or_else(String::new, |variant| variant.versions.as_str().to_string())
    }
}

fn placed(path: &str, folder: Option<&Path>) -> String {
    if let Some(rest) = path.strip_prefix("~/")
        && let Some(home) = std::env::var_os("HOME")
    {
        return Path::new(&home).join(rest).display().to_string();
    }
    let Some(folder) = folder else {
        return path.to_string();
    };
    // The same source, from wherever the file was named.
    let joined = folder.join(path);
    let placed = std::path::absolute(&joined).unwrap_or(joined);
    placed.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(text: &str) -> String {
        let catalogue = Catalogue::load(&[]).unwrap();
        let cache = Cache::at(std::env::temp_dir().join("lydite-no-such-cache"));
        let name: TargetName = text.parse().unwrap();
        catalogue.resolve(&name, &cache).unwrap_err().to_string()
    }

    #[test]
    fn every_built_in_file_reads_and_names_its_drivers() {
        let catalogue = Catalogue::load(&[]).unwrap();
        assert_eq!(catalogue.families().count(), BUILT_IN.len());
        for family in catalogue.families() {
            let file = format!("{}.toml", family.family);
            assert!(BUILT_IN.iter().any(|(name, _)| *name == file), "{file}");
            let ours = family.policy.per_week == Some(0);
            assert!(family.tracker.is_some() || ours, "{file}");
            assert!(family.check_reading().is_ok(), "{file}");
            assert!(!family.smoke.program.is_empty(), "{file}");
            for file in family.get.iter().flat_map(crate::Get::files) {
                catalogue.driver(family, file).unwrap();
            }
        }
    }

    #[test]
    fn the_files_of_large_targets_read() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/targets");
        let catalogue = Catalogue::load(&[folder.into()]).unwrap();
        assert_eq!(catalogue.families().count(), BUILT_IN.len() + 2);
        for name in ["frama-c", "zig"] {
            let mut families = catalogue.families();
            let family = families.find(|family| family.family == name).unwrap();
            assert!(family.check_reading().is_ok(), "{name}");
            assert!(!family.smoke.program.is_empty(), "{name}");
        }
    }

    #[test]
    fn a_bad_expression_in_a_file_of_the_user_is_named() {
        let mut catalogue = Catalogue::load(&[]).unwrap();
        let text = "family = \"z3\"\nextends = \"z3\"\n[read]\ncrash = [\"(\"]\n";
        let added = catalogue.add(Path::new("my.toml"), text, Some(PathBuf::from(".")));
        let error = format!("{:#}", added.unwrap_err());
        assert!(error.starts_with("my.toml: `read.crash`"), "{error}");
    }

    #[test]
    fn names_that_give_no_target_say_why() {
        assert_eq!(
            resolved("z3@4.8.7"),
            "target z3@4.8.7: not installed (lydite targets install z3@4.8.7)"
        );
        assert_eq!(
            resolved("z3@>=4.8"),
            "target z3@>=4.8: not installed (lydite targets install 'z3@>=4.8')"
        );
        assert_eq!(
            resolved("zz3"),
            "target zz3: no family `zz3` (did you mean `z3`?)"
        );
        assert_eq!(
            resolved("cvc5:check-model"),
            "target cvc5:check-model: no variant of that name (did you mean `check-models`?)"
        );
        assert!(resolved("z3@>>4").starts_with("target z3@>>4: versions `>>4`"));
    }
}
