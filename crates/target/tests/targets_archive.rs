//! Archives that mean harm: nothing leaves the folder, nothing grows without
//! bound, and the message says why.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use lydite_target::install::{Caps, Unpacking};
use tar::{EntryType, Header};
use tempfile::TempDir;
use zip::write::{SimpleFileOptions, ZipWriter};

/// A folder with an empty `inside`, removed at the end.
struct Place(TempDir);

impl Place {
    fn new(name: &str) -> Place {
        let folder = TempDir::with_prefix(format!("lydite-archive-{name}-")).unwrap();
        fs::create_dir(folder.path().join("inside")).unwrap();
        Place(folder)
    }

    fn inside(&self) -> PathBuf {
        self.0.path().join("inside")
    }

    /// What lies beside the folder that was unpacked into.
    fn outside(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != "inside").collect()
    }
}

/// An entry: kind, name, contents or link target.
type Entry = (EntryType, &'static str, &'static str);

/// A tar archive with names as they are given, which the crate's own writer
/// would refuse or clean.
fn tar_of(entries: &[Entry]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (kind, name, text) in entries {
        let mut header = Header::new_gnu();
        let raw = header.as_gnu_mut().unwrap();
        raw.name[..name.len()].copy_from_slice(name.as_bytes());
        let is_link = matches!(kind, EntryType::Symlink | EntryType::Link);
        if is_link {
            raw.linkname[..text.len()].copy_from_slice(text.as_bytes());
        }
        let data = if is_link { "" } else { text };
        header.set_entry_type(*kind);
        header.set_mode(0o4777);
        header.set_size(data.len() as u64);
        header.set_cksum();
        archive.append(&header, data.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap()
}

fn zip_of(entries: &[Entry]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for (kind, name, text) in entries {
        match kind {
            EntryType::Symlink => archive.add_symlink(*name, *text, options).unwrap(),
            EntryType::Directory => archive.add_directory(*name, options).unwrap(),
            _ => {
                archive.start_file(*name, options).unwrap();
                archive.write_all(text.as_bytes()).unwrap();
            }
        }
    }
    archive.finish().unwrap().into_inner()
}

fn unpack_tar(archive: &[u8], root: &Path) -> Result<(), String> {
    let mut unpacking = Unpacking::new(root, Caps::default());
    unpacking.tar(archive).map_err(|error| format!("{error:#}"))
}

fn unpack_zip(archive: &[u8], root: &Path) -> Result<(), String> {
    let mut unpacking = Unpacking::new(root, Caps::default());
    let unpacked = unpacking.zip(Cursor::new(archive));
    unpacked.map_err(|error| format!("{error:#}"))
}

const FILE: EntryType = EntryType::Regular;
const LINK: EntryType = EntryType::Symlink;
const HARD: EntryType = EntryType::Link;

#[test]
fn entries_that_lead_outside_are_refused_in_zip_and_tar() {
    let cases: &[(&str, &[Entry], &str)] = &[
        ("parent", &[(FILE, "../evil", "x")], "`..`"),
        ("deep-parent", &[(FILE, "a/../../evil", "x")], "`..`"),
        ("absolute", &[(FILE, "/tmp/lydite-evil", "x")], "absolute"),
        ("backslash", &[(FILE, "..\\evil", "x")], "backslash"),
        ("link-up", &[(LINK, "l", "../evil")], "leads outside"),
        (
            "link-absolute",
            &[(LINK, "l", "/etc/passwd")],
            "leads outside",
        ),
        (
            "link-deep",
            &[(LINK, "a/b/l", "../../../evil")],
            "leads outside",
        ),
        // Each link stays inside on paper; together they would climb.
        (
            "link-of-link",
            &[(LINK, "a/b/up", "../.."), (LINK, "a/b/out", "up/..")],
            "leads outside",
        ),
        (
            "through-link",
            &[(LINK, "l", "a"), (FILE, "l/evil", "x")],
            "through a file or link",
        ),
        (
            "folder-over-link",
            &[(LINK, "l", "a"), (EntryType::Directory, "l/b/", "")],
            "through a file or link",
        ),
    ];
    for (name, entries, expected) in cases {
        for (format, result, place) in [
            {
                let place = Place::new(&format!("tar-{name}"));
                ("tar", unpack_tar(&tar_of(entries), &place.inside()), place)
            },
            {
                let place = Place::new(&format!("zip-{name}"));
                ("zip", unpack_zip(&zip_of(entries), &place.inside()), place)
            },
        ] {
            let error = result.expect_err(&format!("{format} {name} was unpacked"));
            assert!(error.contains(expected), "{format} {name}: {error}");
            assert!(place.outside().is_empty(), "{format} {name}");
        }
    }
    assert!(!Path::new("/tmp/lydite-evil").exists());
}

#[test]
fn hard_links_and_devices_of_a_tar_are_refused_where_they_do_harm() {
    for (name, entries, expected) in [
        ("hard-up", vec![(HARD, "h", "../secret")], "`..`"),
        (
            "hard-absolute",
            vec![(HARD, "h", "/etc/passwd")],
            "absolute",
        ),
        ("hard-nothing", vec![(HARD, "h", "nothing")], "no file"),
        ("device", vec![(EntryType::Char, "d", "")], "not unpacked"),
        ("pipe", vec![(EntryType::Fifo, "p", "")], "not unpacked"),
    ] {
        let place = Place::new(name);
        let error = unpack_tar(&tar_of(&entries), &place.inside()).unwrap_err();
        assert!(error.contains(expected), "{name}: {error}");
    }
    let place = Place::new("hard-good");
    let good = tar_of(&[(FILE, "a", "text"), (HARD, "b/c", "a")]);
    unpack_tar(&good, &place.inside()).unwrap();
    let linked = fs::read_to_string(place.inside().join("b/c")).unwrap();
    assert_eq!(linked, "text");
}

#[test]
fn size_and_number_are_bounded_by_what_is_unpacked() {
    let caps = Caps {
        bytes: 1 << 20,
        entries: 10,
    };
    // A megabyte of zeros packs into a kilobyte; the header may say anything.
    let mut bomb = ZipWriter::new(Cursor::new(Vec::new()));
    for name in ["a", "b"] {
        bomb.start_file(name, SimpleFileOptions::default()).unwrap();
        bomb.write_all(&vec![0; 600 << 10]).unwrap();
    }
    let bomb = bomb.finish().unwrap().into_inner();
    assert!(bomb.len() < 10_000);
    let place = Place::new("bomb");
    let inside = place.inside();
    let error = Unpacking::new(&inside, caps)
        .zip(Cursor::new(bomb))
        .unwrap_err();
    assert!(format!("{error:#}").contains("more than 1048576 bytes"));

    let place = Place::new("many");
    let inside = place.inside();
    let many: Vec<Entry> = vec![(FILE, "same", ""); 11];
    let error = Unpacking::new(&inside, caps)
        .tar(&tar_of(&many)[..])
        .unwrap_err();
    assert!(format!("{error:#}").contains("more than 10 entries"));
}

#[test]
fn what_is_no_archive_or_ends_early_is_an_error() {
    let whole_tar = tar_of(&[(FILE, "a", "some text")]);
    let whole_zip = zip_of(&[(FILE, "a", "some text")]);
    for (name, bytes) in [
        ("noise", b"PK\x03\x04 this is no archive at all".repeat(50)),
        ("tar-cut", whole_tar[..515].to_vec()),
        ("zip-cut", whole_zip[..whole_zip.len() - 10].to_vec()),
    ] {
        let place = Place::new(name);
        let outcomes = [
            unpack_tar(&bytes, &place.inside()),
            unpack_zip(&bytes, &place.inside()),
        ];
        assert!(outcomes.iter().all(Result::is_err), "{name}");
    }
}

#[test]
fn good_archives_keep_modes_and_links_and_lose_special_bits() {
    use std::os::unix::fs::PermissionsExt;
    let entries = [
        (EntryType::Directory, "bin/", ""),
        (FILE, "./bin/tool", "#!/bin/sh\n"),
        (LINK, "bin/alias", "tool"),
        (LINK, "lib/deep/link", "../../bin/tool"),
    ];
    let place = Place::new("good");
    unpack_tar(&tar_of(&entries), &place.inside()).unwrap();
    let mode = fs::metadata(place.inside().join("bin/tool"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o7777, 0o755);
    let text = fs::read_to_string(place.inside().join("lib/deep/link")).unwrap();
    assert_eq!(text, "#!/bin/sh\n");
}

#[test]
fn absolute_links_of_a_distribution_mean_its_own_root() {
    let place = Place::new("rebase");
    let inside = place.inside();
    let archive = tar_of(&[
        (FILE, "./usr/lib/real", "text"),
        (LINK, "./usr/bin/tool", "/usr/lib/real"),
    ]);
    let mut unpacking = Unpacking::of_distribution(&inside, Caps::default());
    unpacking.tar(&archive[..]).unwrap();
    assert_eq!(
        fs::read_to_string(inside.join("usr/bin/tool")).unwrap(),
        "text"
    );
}

#[test]
fn files_of_a_tar_keep_their_times_but_for_impossible_ones() {
    let place = Place::new("times");
    let mut archive = tar::Builder::new(Vec::new());
    let named = [
        ("old", 1_000_000_000),
        ("later", u64::MAX >> 1),
        ("never", 0),
    ];
    for (name, seconds) in named {
        let mut header = Header::new_gnu();
        header.set_path(name).unwrap();
        header.set_mode(0o644);
        header.set_mtime(seconds);
        header.set_size(0);
        header.set_cksum();
        archive.append(&header, &[][..]).unwrap();
    }
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    unpack_tar(&archive.into_inner().unwrap(), &place.inside()).unwrap();
    let time = |name: &str| {
        let metadata = fs::metadata(place.inside().join(name)).unwrap();
        metadata.modified().unwrap()
    };
    let since = |name| time(name).duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(since("old").as_secs(), 1_000_000_000);
    assert_eq!(since("never").as_secs(), 0);
    assert!(time("later") > before, "a time to come is not kept");
}
