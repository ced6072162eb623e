//! Packages of a Debian-like system, without root.
//!
//! apt runs with state and cache folders of our own, so its lists are ours
//! and nothing of the system is locked or changed; it reads the system's
//! sources and its list of installed packages. A simulated install gives the
//! packages that the system lacks; they are downloaded and unpacked side by
//! side, and run from there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};

use super::archive::{Caps, Unpacking};
use crate::cache::Cache;
use crate::tool;

/// How long package lists are good for.
const LISTS_LAST: Duration = Duration::from_secs(24 * 3600);

/// apt with folders of our own.
#[derive(Debug)]
pub(super) struct Apt {
    options: Vec<String>,
}

impl Apt {
    /// Opens the private state in the cache; fetches the package lists if
    /// they are old or `refresh` asks for it.
    pub(super) fn open(cache: &Cache, refresh: bool) -> Result<Apt> {
        Apt::open_in(cache, "apt", Vec::new(), refresh)
    }

    /// As [`Apt::open`], for source packages, which most systems do not list:
    /// the system's sources are written down again as sources of source
    /// packages.
    pub(super) fn open_sources(cache: &Cache, refresh: bool) -> Result<Apt> {
        let parts = cache.folder("apt-source/parts")?;
        let _writing = cache.lock("apt-source-parts")?;
        for file in system_sources() {
            let name = file.file_name().context("a file of sources has a name")?;
            let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
            fs::write(parts.join(name), for_source_packages(&text))?;
        }
        let options = [
            set("Dir::Etc::sourcelist", "/dev/null"),
            set("Dir::Etc::sourceparts", &parts.display().to_string()),
        ];
        Apt::open_in(cache, "apt-source", options.concat(), refresh)
    }

    fn open_in(cache: &Cache, name: &str, more: Vec<String>, refresh: bool) -> Result<Apt> {
        let root = cache.folder(name)?;
        for folder in ["state/lists/partial", "cache/archives/partial", "log"] {
            fs::create_dir_all(root.join(folder)).with_context(|| root.display().to_string())?;
        }
        let below = |name: &str| root.join(name).display().to_string();
        let mut apt = Apt {
            options: [
                set("Dir::State", &below("state")),
                set("Dir::Cache", &below("cache")),
                set("Dir::Log", &below("log")),
                set("Dir::State::status", "/var/lib/dpkg/status"),
                // The sandbox user could not write to our folders, and the
                // system's locks are not ours to take.
                set("APT::Sandbox::User", ""),
                set("Debug::NoLocking", "1"),
                set("APT::Get::List-Cleanup", "0"),
                set("Acquire::Languages", "none"),
            ]
            .concat(),
        };
        apt.options.extend(more);
        let _updating = cache.lock(name)?;
        let stamp = root.join("updated");
        let age = fs::metadata(&stamp).and_then(|metadata| metadata.modified());
        let fresh = age.is_ok_and(|at| {
            SystemTime::now()
                .duration_since(at)
                .is_ok_and(|age| age < LISTS_LAST)
        });
        if refresh || !fresh {
            cache.check_room()?;
            // One broken source among many is no reason to stop: if the
            // package is not found, that is the error.
            let updated = tool::ask(apt.command("apt-get").args(["-q", "update"]));
            match updated {
                Ok(_) => fs::write(&stamp, "")?,
                Err(error) if !has_lists(&root.join("state/lists")) => return Err(error),
                Err(_) => {}
            }
        }
        Ok(apt)
    }

    /// The versions of a package, as Debian writes them.
    pub(super) fn versions(&self, package: &str) -> Result<Vec<String>> {
        let text = tool::ask(self.command("apt-cache").args(["madison", package]))?;
        let version = |line: &str| Some(line.split('|').nth(1)?.trim().to_string());
        Ok(text.lines().filter_map(version).collect())
    }

    /// Downloads a package in a version, those that go with it, and all that
    /// they need and the system lacks.
    pub(super) fn download(
        &self,
        package: &str,
        version: &str,
        with: &[String],
        folder: &Path,
    ) -> Result<Vec<PathBuf>> {
        let main = format!("{package}={version}");
        let mut simulate = self.command("apt-get");
        simulate.args([
            "-s", "-q", "-y", "--no-install-recommends", "install", &main,
        ]);
        let simulated = tool::ask(simulate.args(with).env("LC_ALL", "C"))?;
        let mut wanted: Vec<String> = simulated.lines().filter_map(lacking).collect();
        // What is installed already is not among them, but may be wanted in
        // this very place.
        let listed = |wanted: &[String], name: &str| {
            wanted
                .iter()
                .any(|w| w.split(['=', ':']).next() == Some(name))
        };
        if !listed(&wanted, package) {
            wanted.push(main);
        }
        for name in with {
            if !listed(&wanted, name) {
                wanted.push(name.clone());
            }
        }
        let mut download = self.command("apt-get");
        download.current_dir(folder).args(["-q", "download"]);
        tool::ask(download.args(&wanted))?;
        let mut files: Vec<PathBuf> = fs::read_dir(folder)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| path.extension().is_some_and(|extension| extension == "deb"))
            .collect();
        files.sort();
        ensure!(
            files.len() >= wanted.len(),
            "apt-get download gave {} of {} packages",
            files.len(),
            wanted.len()
        );
        Ok(files)
    }

    /// Downloads a source package into `folder` and unpacks it, with Debian's
    /// patches, into `into`, which is not there yet.
    pub(super) fn unpack_source(
        &self,
        package: &str,
        version: &str,
        folder: &Path,
        into: &Path,
    ) -> Result<()> {
        let wanted = format!("{package}={version}");
        let mut download = self.command("apt-get");
        download.current_dir(folder);
        tool::ask(download.args(["-q", "source", "--download-only", &wanted]))?;
        let files = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
        let is_description = |path: &PathBuf| path.extension().is_some_and(|end| end == "dsc");
        let description = files.into_iter().find(is_description);
        let description =
            description.with_context(|| format!("apt-get gave no source of {wanted}"))?;
        let mut unpack = Command::new("dpkg-source");
        unpack
            .args(["--no-check", "--extract"])
            .arg(&description)
            .arg(into);
        tool::ask(&mut unpack)?;
        Ok(())
    }

    /// The names and sizes of the archives that a source package was packed
    /// from, before anything is downloaded.
    pub(super) fn original_sizes(
        &self,
        package: &str,
        version: &str,
    ) -> Result<Vec<(String, u64)>> {
        let mut list = self.command("apt-get");
        // What lies in the folder already would not be listed.
        list.current_dir("/");
        let wanted = format!("{package}={version}");
        let text = tool::ask(list.args(["-qq", "source", "--tar-only", "--print-uris", &wanted]))?;
        Ok(text.lines().filter_map(named_size).collect())
    }

    /// Downloads the archives that a source package was packed from, without
    /// Debian's patches, into `folder`; what lies there in part is gone on with.
    pub(super) fn download_original(
        &self,
        package: &str,
        version: &str,
        folder: &Path,
    ) -> Result<()> {
        let wanted = format!("{package}={version}");
        let mut download = self.command("apt-get");
        download.current_dir(folder);
        tool::ask(download.args(["-q", "source", "--tar-only", "--download-only", &wanted]))?;
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(&self.options)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .env("LC_ALL", "C");
        command
    }
}

/// The main archive among those that a source package was packed from:
/// components have a name of their own (`.orig-NAME.`).
pub(super) fn main_archive(folder: &Path) -> Result<PathBuf> {
    let mut files = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path()));
    let main = files.find(|path| path.to_string_lossy().contains(".orig.tar."));
    main.context("apt-get gave no source: the package has no archive of upstream's")
}

/// A setting, as apt's commands take it.
fn set(name: &str, value: &str) -> [String; 2] {
    [String::from("-o"), format!("{name}={value}")]
}

/// The files in which the system names its sources.
fn system_sources() -> Vec<PathBuf> {
    let is_list = |path: &PathBuf| {
        let end = path.extension();
        end.is_some_and(|end| end == "list" || end == "sources")
    };
    let parts = fs::read_dir("/etc/apt/sources.list.d")
        .into_iter()
        .flatten();
    let parts = parts.filter_map(|entry| Some(entry.ok()?.path()));
    let all = std::iter::once(PathBuf::from("/etc/apt/sources.list")).chain(parts);
    let mut files: Vec<PathBuf> = all.filter(|path| path.is_file() && is_list(path)).collect();
    files.sort();
    files
}

/// The same sources, asked for source packages instead: `deb` lines of the one
/// style, `Types` of the other.
fn for_source_packages(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("deb ") {
        Some(rest) => format!("deb-src {rest}\n"),
        None if line.starts_with("Types:") => String::from("Types: deb-src\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// `'URL' NAME BYTES HASH` without the address.
fn named_size(line: &str) -> Option<(String, u64)> {
    let mut words = line.split_whitespace().skip(1);
    Some((words.next()?.to_string(), words.next()?.parse().ok()?))
}

/// `Inst NAME [OLD] (VERSION REPOSITORY [ARCH])` as `NAME=VERSION`.
fn lacking(line: &str) -> Option<String> {
    let rest = line.strip_prefix("Inst ")?;
    let name = rest.split(' ').next()?;
    let (_, after) = rest.split_once('(')?;
    let version = after.split([' ', ')']).next()?;
    Some(format!("{name}={version}"))
}

fn has_lists(folder: &Path) -> bool {
    let is_list = |path: PathBuf| {
        let path = path.to_string_lossy();
        path.contains("_Packages") || path.contains("_Sources")
    };
    fs::read_dir(folder).is_ok_and(|mut entries| {
        entries.any(|entry| entry.is_ok_and(|entry| is_list(entry.path())))
    })
}

/// Unpacks packages into `root`, one over the other.
pub(super) fn unpack(packages: &[PathBuf], root: &Path) -> Result<()> {
    let mut unpacking = Unpacking::of_distribution(root, Caps::default());
    for package in packages {
        let named = || package.display().to_string();
        let mut child = Command::new("dpkg-deb")
            .arg("--fsys-tarfile")
            .arg(package)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("dpkg-deb not found: install dpkg")?;
        let stream = child.stdout.take().context("the pipe was asked for")?;
        let unpacked = unpacking.tar(stream);
        let status = child.wait()?;
        unpacked.with_context(named)?;
        ensure!(status.success(), "{}: not a Debian package", named());
    }
    Ok(())
}

/// The upstream version in a version of Debian's: without epoch, revision,
/// and what was packed or added (`+dfsg`, `+git2020…`).
pub(super) fn upstream(version: &str) -> &str {
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    let version = version.rsplit_once('-').map_or(version, |(rest, _)| rest);
    version.split('+').next().unwrap_or(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upstream_version_is_what_people_call_it() {
        for (debian, version) in [
            ("1.0.3-1", "1.0.3"),
            ("1:14.0.6-12", "14.0.6"),
            ("1:13.0.1-11+b2", "13.0.1"),
            ("0.9.27+git20200814.62c30a4a-1", "0.9.27"),
            ("2.1.0~beta3+git20220320+dfsg-4.1+deb12u1", "2.1.0~beta3"),
            ("5.4.4-3+deb12u1", "5.4.4"),
            ("12", "12"),
        ] {
            assert_eq!(upstream(debian), version);
        }
    }

    #[test]
    fn sources_of_both_styles_become_sources_of_source_packages() {
        let lines = "# ours\ndeb [arch=amd64] URL bookworm main\ndeb-src URL bookworm main\n";
        assert_eq!(
            for_source_packages(lines),
            "# ours\ndeb-src [arch=amd64] URL bookworm main\ndeb-src URL bookworm main\n"
        );
        let block = "Types: deb\nURIs: URL\nSuites: bookworm\n";
        assert_eq!(
            for_source_packages(block),
            "Types: deb-src\nURIs: URL\nSuites: bookworm\n"
        );
    }

    #[test]
    fn apt_says_how_large_a_source_is() {
        let line =
            "'http://x/g/gcc-12_12.2.0.orig.tar.gz' gcc-12_12.2.0.orig.tar.gz 87090343 SHA256:12";
        let expected = ("gcc-12_12.2.0.orig.tar.gz".to_string(), 87_090_343);
        assert_eq!(named_size(line), Some(expected));
        assert_eq!(named_size("Reading package lists..."), None);
    }

    #[test]
    fn a_simulated_install_names_what_the_system_lacks() {
        let line = "Inst libllvm14 (1:14.0.6-12 Debian:12.11/stable [amd64])";
        assert_eq!(lacking(line).as_deref(), Some("libllvm14=1:14.0.6-12"));
        let upgrade = "Inst libc6 [2.36-9] (2.36-9+deb12u10 Debian:12 [amd64]) []";
        assert_eq!(lacking(upgrade).as_deref(), Some("libc6=2.36-9+deb12u10"));
        assert_eq!(lacking("Conf libllvm14 (1:14.0.6-12)"), None);
        assert_eq!(lacking("Inst "), None);
    }
}
