//! Bringing a corpus into the cache.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use lydite_core::quantity::Size;

use super::file::{Corpus, Globs};
use super::installed::{
    ArchiveRecord, CorpusManifest, FORMAT, InstalledCorpus, installed, version_folder,
};
use crate::cache::hash_file;
use crate::install::{Cache, Caps, Unpacking, pick};

/// How often something is said while nothing else happens.
const SAY_EVERY: Duration = Duration::from_secs(3);

/// The licence, as it lies beside the seeds.
const LICENCE: &str = "LICENCE";

/// Where files lie before they are split. No archive has such a folder below
/// the one that seeds go to.
const PICKED: &str = "picked";

/// What getting a corpus would cost.
#[derive(Clone, Debug)]
pub struct Price {
    /// The version, as the registry writes it.
    pub registry_version: String,
    /// The version, as we write it.
    pub version: String,
    /// How much would be downloaded, where the registry says it.
    pub bytes: Option<u64>,
}

/// Which version `get` would bring, and how large its download is. `refresh` asks
/// again although the last answer is less than a day old.
pub fn price(corpus: &Corpus, cache: &Cache, refresh: bool) -> Result<Price> {
    let source = corpus.source();
    let registry_version = match &corpus.version {
        Some(version) => version.clone(),
        None => source.newest(cache, refresh)?,
    };
    let version = source.own_version(&registry_version);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.+~".contains(&b);
    ensure!(
        version.bytes().all(plain) && version.starts_with(|c: char| c.is_ascii_alphanumeric()),
        "version `{}` is no plain name",
        version.escape_debug()
    );
    Ok(Price {
        bytes: source.download_bytes(&registry_version, cache)?,
        version,
        registry_version,
    })
}

/// Brings a corpus into the cache; what is there already is left alone.
pub fn get(
    corpus: &Corpus,
    cache: &Cache,
    refresh: bool,
    progress: &mut dyn FnMut(&str),
) -> Result<InstalledCorpus> {
    let got = get_named(corpus, cache, refresh, progress);
    got.with_context(|| format!("corpus {}", corpus.corpus))
}

fn get_named(
    corpus: &Corpus,
    cache: &Cache,
    refresh: bool,
    progress: &mut dyn FnMut(&str),
) -> Result<InstalledCorpus> {
    let name = &corpus.corpus;
    let _getting = cache.lock(&format!("corpus-{name}"))?;
    let here = |version: &str| -> Result<Option<InstalledCorpus>> {
        let here = installed(corpus, cache)?;
        Ok(here.into_iter().find(|one| one.manifest.version == version))
    };
    // A pinned version needs no question.
    if let Some(version) = &corpus.version
        && !refresh
        && let Some(found) = here(&corpus.source().own_version(version))?
    {
        return Ok(found);
    }
    let price = price(corpus, cache, refresh)?;
    if let Some(found) = here(&price.version)? {
        return Ok(found);
    }
    let size = price
        .bytes
        .map(|bytes| format!(", {}", Size(bytes).rounded()));
    progress(&format!(
        "{name}: getting {} {}{}, licence {}",
        corpus.source().key(),
        price.registry_version,
        size.unwrap_or_default(),
        corpus.licence
    ));
    let label = format!("{name}-{}", price.version);
    let downloads = cache.folder("downloads")?.join(label);
    fs::create_dir_all(&downloads).with_context(|| downloads.display().to_string())?;
    let archives = download(corpus, &price, &downloads, cache, progress)?;
    let work = cache.work()?;
    let folder = work.path().join("version");
    fs::create_dir(&folder)?;
    let manifest = make(corpus, &price, &archives, &folder, progress)?;
    save(&manifest, &folder)?;
    let place = version_folder(cache, name, &price.version);
    cache.publish(&work, &folder, &place)?;
    // A download that is no longer wanted; the corpus is there.
    let _ = fs::remove_dir_all(&downloads);
    progress(&format!("{name}: {} seeds", manifest.files));
    Ok(InstalledCorpus {
        seeds: place.join(name),
        manifest,
    })
}

/// Downloads the package, and says from time to time how far that is.
fn download(
    corpus: &Corpus,
    price: &Price,
    folder: &Path,
    cache: &Cache,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<PathBuf>> {
    let (done, is_done) = mpsc::channel();
    thread::scope(|scope| {
        let task = scope.spawn(move || {
            let archives = corpus
                .source()
                .download(&price.registry_version, folder, cache);
            // Nobody listens after a panic, and then nobody has to know.
            let _ = done.send(());
            archives
        });
        while is_done.recv_timeout(SAY_EVERY) == Err(RecvTimeoutError::Timeout) {
            let sizes = fs::read_dir(folder).into_iter().flatten().flatten();
            let sizes = sizes.filter_map(|entry| Some(entry.metadata().ok()?.len()));
            let of = price
                .bytes
                .map(|bytes| format!(" of {}", Size(bytes).rounded()));
            progress(&format!(
                "{}: downloading, {}{}",
                corpus.corpus,
                Size(sizes.sum()).rounded(),
                of.unwrap_or_default()
            ));
        }
        match task.join() {
            Ok(archives) => archives,
            Err(_) => bail!("the download ended with a panic"),
        }
    })
}

/// Makes the folder of a version out of the archives of its package.
fn make(
    corpus: &Corpus,
    price: &Price,
    archives: &[PathBuf],
    folder: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<CorpusManifest> {
    let picked = folder.join(PICKED);
    fs::create_dir(&picked)?;
    pick_files(corpus, archives, folder, &picked, progress)?;
    let mut manifest = CorpusManifest {
        format: FORMAT,
        corpus: corpus.corpus.clone(),
        version: price.version.clone(),
        package: corpus.source().key(),
        registry_version: price.registry_version.clone(),
        recipe: corpus.recipe()?,
        language: corpus.language.clone(),
        licence: corpus.licence.clone(),
        archives: Vec::new(),
        files: 0,
        bytes: 0,
        blake3: String::new(),
        copies: 0,
        empty: 0,
    };
    for path in archives.iter().filter(|path| path.is_file()) {
        let name = path.file_name().unwrap_or_default();
        manifest.archives.push(ArchiveRecord {
            name: name.to_string_lossy().into_owned(),
            bytes: fs::metadata(path)?.len(),
            blake3: hash_file(path).with_context(|| path.display().to_string())?,
        });
    }
    let seeds = folder.join(&corpus.corpus);
    fs::create_dir(&seeds)?;
    make_seeds(corpus, &picked, &seeds, &mut manifest)?;
    fs::remove_dir_all(&picked)?;
    ensure!(
        manifest.files > 0,
        "no file of {} {} is what `files` asks for",
        manifest.package,
        manifest.registry_version
    );
    Ok(manifest)
}

/// Unpacks what is wanted of the archives into `picked`, and the licence beside it.
fn pick_files(
    corpus: &Corpus,
    archives: &[PathBuf],
    folder: &Path,
    picked: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    let inner = folder.join("inner");
    let archives = match &corpus.archive {
        None => archives.to_vec(),
        Some(pattern) => unpack_inner(pattern, archives, &inner)?,
    };
    let (files, leave_out) = (Globs::new(&corpus.files)?, Globs::new(&corpus.leave_out)?);
    let licence_file: Vec<String> = corpus.licence_file.iter().cloned().collect();
    let licence = Globs::new(&licence_file)?;
    let mut licence_found = false;
    let mut said = Instant::now();
    let mut count = 0u64;
    let mut place = |path: &str| {
        if said.elapsed() > SAY_EVERY {
            progress(&format!("{}: unpacking, {count} files", corpus.corpus));
            said = Instant::now();
        }
        if !licence_found && licence.matched(path).is_some() {
            licence_found = true;
            return Some(LICENCE.to_string());
        }
        let wanted = files.matched(path)?;
        if leave_out.matched(path).is_some() {
            return None;
        }
        count += 1;
        Some(format!("{PICKED}/{wanted}"))
    };
    let mut unpacking = Unpacking::new(folder, Caps::default());
    debug_assert!(picked.ends_with(PICKED));
    for archive in &archives {
        pick(archive, &mut unpacking, &mut place)?;
    }
    ensure!(
        licence_found || corpus.licence_file.is_none(),
        "the package has no file `{}` that says the licence",
        licence_file.join("")
    );
    if inner.exists() {
        fs::remove_dir_all(&inner)?;
    }
    Ok(())
}

/// Unpacks the archives that are in the archives, where `pattern` says, into a new folder.
fn unpack_inner(pattern: &String, archives: &[PathBuf], folder: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir(folder)?;
    let wanted = Globs::new(std::slice::from_ref(pattern))?;
    let mut place = |path: &str| wanted.matched(path).map(str::to_string);
    let mut unpacking = Unpacking::new(folder, Caps::default());
    for archive in archives {
        pick(archive, &mut unpacking, &mut place)?;
    }
    let found = below(folder)?;
    ensure!(
        !found.is_empty(),
        "no file of the package matches `archive = \"{pattern}\"`"
    );
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Every regular file below a folder, with its relative path, sorted by that.
fn below(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(current) = folders.pop() {
        for entry in fs::read_dir(&current).with_context(|| current.display().to_string())? {
            let entry = entry?;
            let (path, kind) = (entry.path(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                let relative = path.strip_prefix(folder)?.to_string_lossy().into_owned();
                found.push((relative, path));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Turns the files below `picked` into seeds below `seeds`, and counts them.
fn make_seeds(
    corpus: &Corpus,
    picked: &Path,
    seeds: &Path,
    manifest: &mut CorpusManifest,
) -> Result<()> {
    let mut known = HashSet::new();
    let mut all = blake3::Hasher::new();
    let mut written = Vec::new();
    for (name, path) in below(picked)? {
        let content = fs::read(&path).with_context(|| name.clone())?;
        fs::remove_file(&path)?;
        let programs = programs(corpus, &name, content);
        if programs.is_empty() {
            manifest.empty += 1;
        }
        for (name, program) in programs {
            let hash = blake3::hash(&program);
            if !known.insert(hash) {
                manifest.copies += 1;
                continue;
            }
            let (name, place) = free_name(seeds, name);
            fs::create_dir_all(place.parent().context("a seed lies in a folder")?)?;
            let mut file = File::create_new(&place).with_context(|| format!("seed {name}"))?;
            file.write_all(&program).with_context(|| name.clone())?;
            manifest.files += 1;
            manifest.bytes += program.len() as u64;
            all.update(format!("{} {name}\n", hash.to_hex()).as_bytes());
            written.push(place);
        }
    }
    // All at the end: the disk then has most of them already.
    for place in written {
        File::open(&place)?.sync_all()?;
    }
    manifest.blake3 = all.finalize().to_hex().to_string();
    Ok(())
}

/// A name that is not taken: two files may come to one by their new ending, or
/// by the number of a part.
fn free_name(seeds: &Path, mut name: String) -> (String, PathBuf) {
    while seeds.join(&name).exists() {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", &name));
        let slash = if folder.is_empty() { "" } else { "/" };
        name = format!("{folder}{slash}_{file}");
    }
    let place = seeds.join(&name);
    (name, place)
}

/// The programs of a file with their names.
fn programs(corpus: &Corpus, name: &str, content: Vec<u8>) -> Vec<(String, Vec<u8>)> {
    let with_ending = |name: &str| match &corpus.ending {
        Some(ending) if !name.ends_with(&format!(".{ending}")) => format!("{name}.{ending}"),
        _ => name.to_string(),
    };
    let blank = content.iter().all(u8::is_ascii_whitespace);
    let Some(split) = corpus.split.as_ref().filter(|_| !blank) else {
        return match blank {
            true => Vec::new(),
            false => vec![(with_ending(name), content)],
        };
    };
    // What is no text is no file of programs.
    let Ok(text) = String::from_utf8(content) else {
        return Vec::new();
    };
    let mut programs = split.programs(&text);
    if programs.len() == 1 {
        return vec![(with_ending(name), programs.remove(0).into_bytes())];
    }
    let (stem, ending) = match name.rsplit_once('.') {
        Some((stem, ending)) if !ending.contains('/') => (stem, ending),
        _ => (name, ""),
    };
    let ending = corpus.ending.as_deref().unwrap_or(ending);
    let numbered = programs.into_iter().enumerate().map(|(number, program)| {
        let name = format!("{stem}-{:03}.{ending}", number + 1);
        (name, program.into_bytes())
    });
    numbered.collect()
}

fn save(manifest: &CorpusManifest, folder: &Path) -> Result<()> {
    let path = folder.join("manifest.json");
    let mut file = File::create(&path).with_context(|| path.display().to_string())?;
    file.write_all(&serde_json::to_vec_pretty(manifest)?)?;
    file.sync_all()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tar file with these entries, whatever their names.
    fn tar_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut builder = tar::Builder::new(Vec::new());
        for (name, content) in entries {
            let mut header = tar::Header::new_gnu();
            // The library would not write a hostile name.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            builder.append(&header, *content).unwrap();
        }
        builder.into_inner().unwrap()
    }

    struct Place {
        folder: tempfile::TempDir,
        cache: Cache,
    }

    impl Place {
        fn new() -> Place {
            let folder = tempfile::tempdir().unwrap();
            let cache = Cache::at(folder.path().join("cache"));
            Place { folder, cache }
        }

        /// Gets a corpus out of an archive.
        fn get(&self, archive: &[u8], more: &str) -> Result<InstalledCorpus> {
            fs::write(self.folder.path().join("toy.tar"), archive).unwrap();
            let text = format!(
                "corpus = \"toy\"\nabout = \"toys\"\nlanguage = \"c\"\nfrom = \"archive\"\n\
                 path = \"toy.tar\"\nversion = \"1.0\"\nlicence = \"MIT\"\n{more}"
            );
            let corpus = Corpus::read(&text, &self.folder.path().join("toy.toml"))?;
            get(&corpus, &self.cache, false, &mut |_| {})
        }
    }

    fn seeds(got: &InstalledCorpus) -> Vec<String> {
        let found = below(&got.seeds).unwrap();
        found.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn the_files_that_are_asked_for_become_seeds_with_their_licence() {
        let place = Place::new();
        let archive = tar_of(&[
            ("toy-1.0/LICENSE", b"take it"),
            ("toy-1.0/t/a.c", b"int a;"),
            ("toy-1.0/t/deep/copy.c", b"int a;"),
            ("toy-1.0/t/b.c", b"int b;"),
            ("toy-1.0/t/slow/c.c", b"int c;"),
            ("toy-1.0/t/empty.c", b" \n"),
            ("toy-1.0/src/main.c", b"int main;"),
        ]);
        let more =
            "files = [\"t/**/*.c\"]\nleave-out = [\"t/slow/*\"]\nlicence-file = \"LICENSE\"\n";
        let got = place.get(&archive, more).unwrap();
        assert_eq!(seeds(&got), ["t/a.c", "t/b.c"]);
        let manifest = &got.manifest;
        assert_eq!((manifest.files, manifest.bytes), (2, 12));
        assert_eq!((manifest.copies, manifest.empty), (1, 1));
        let version = got.seeds.parent().unwrap();
        assert_eq!(fs::read(version.join(LICENCE)).unwrap(), b"take it");
        // What is there is left alone; another recipe makes it anew.
        fs::remove_file(place.folder.path().join("toy.tar")).unwrap();
        let again = place.get(b"", more).unwrap();
        assert_eq!(again.manifest, *manifest);
        let other = place.get(&archive, "files = [\"src/*.c\"]\n").unwrap();
        assert_eq!(seeds(&other), ["src/main.c"]);
    }

    #[test]
    fn an_archive_may_lie_in_the_package_and_a_file_hold_several_programs() {
        let place = Place::new();
        let inner = tar_of(&[
            ("x/t/all.test", b"int a;\n--\nint b;\n"),
            ("x/t/all-001.c", b"1"),
        ]);
        let archive = tar_of(&[("toy/deps/x-2.tar", &inner), ("toy/t/no.test", b"no")]);
        let more = "archive = \"deps/x-*.tar\"\nfiles = [\"t/*\"]\nending = \"c\"\n\
                    [split]\nat = '^--$'\n";
        let got = place.get(&archive, more).unwrap();
        assert_eq!(seeds(&got), ["t/_all-001.c", "t/all-001.c", "t/all-002.c"]);
    }

    #[test]
    fn what_is_not_there_and_what_leads_outside_is_refused() {
        let place = Place::new();
        let good: (&str, &[u8]) = ("toy/a.c", b"int a;");
        for (archive, more, expected) in [
            (tar_of(&[good, ("../evil.c", b"x")]), "", "leads outside"),
            (tar_of(&[good, ("/etc/evil.c", b"x")]), "", "leads outside"),
            (tar_of(&[("toy/a.h", b"x")]), "", "no file of archive"),
            (tar_of(&[good]), "licence-file = \"COPYING\"\n", "COPYING"),
            (tar_of(&[good]), "archive = \"*.tgz\"\n", "*.tgz"),
            (b"this is no archive".repeat(99), "", "toy.tar"),
        ] {
            let more = format!("files = [\"*.c\"]\n{more}");
            let error = format!("{:#}", place.get(&archive, &more).unwrap_err());
            assert!(error.contains("corpus toy"), "{error}");
            assert!(error.contains(expected), "{expected}: {error}");
        }
        assert!(!place.folder.path().join("evil.c").exists());
        assert!(!place.cache.root().join("corpora").exists());
    }
}
