//! Removing a folder whatever is in it.
//!
//! Not recursive, and with two open files at a time: a hostile program can
//! nest folders deeper than any stack or file table. The way back up is `..`,
//! checked to be the folder that we came from. Links are never followed.

use std::ffi::{CStr, CString};
use std::path::Path;

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, chmodat, fchmod, fstat, openat, unlinkat,
};
use rustix::io::Errno;

const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Removes `path`, be it a folder, something else, or gone, whatever is in it and whatever may be
/// done with that.
pub fn remove_whole(path: &Path) -> std::io::Result<()> {
    Ok(remove(path)?)
}

/// Something may still be writing into it.
const TRIES: usize = 3;

/// Removes `path`, be it a folder, something else, or gone.
pub(super) fn remove(path: &Path) -> Result<(), Errno> {
    let mut result = Ok(());
    for _ in 0..TRIES {
        result = remove_once(path);
        if result.is_ok() {
            break;
        }
    }
    result
}

fn remove_once(path: &Path) -> Result<(), Errno> {
    match unlinkat(CWD, path, AtFlags::REMOVEDIR) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTDIR) => return unlinkat(CWD, path, AtFlags::empty()),
        Err(_) => {}
    }
    let mut here = open_folder(CWD, path)?;
    let mut above: Vec<(Identity, CString)> = Vec::new();
    loop {
        if let Some(name) = empty(&here)? {
            let inner = open_folder(&here, name.as_c_str())?;
            above.push((identity(&here)?, name));
            here = inner;
        } else if let Some((parent, name)) = above.pop() {
            here = open_folder(&here, c"..")?;
            if identity(&here)? != parent {
                return Err(Errno::STALE);
            }
            unlinkat(&here, name.as_c_str(), AtFlags::REMOVEDIR)?;
        } else {
            return unlinkat(CWD, path, AtFlags::REMOVEDIR);
        }
    }
}

/// Device and number of a folder.
type Identity = (u64, u64);

fn identity(folder: &OwnedFd) -> Result<Identity, Errno> {
    let stat = fstat(folder)?;
    Ok((stat.st_dev, stat.st_ino))
}

/// Removes what is in `folder`, up to the first folder that is not empty.
fn empty(folder: &OwnedFd) -> Result<Option<CString>, Errno> {
    let mut entries = Dir::read_from(folder).or_else(|_| {
        fchmod(folder, Mode::RWXU)?;
        Dir::read_from(folder)
    })?;
    while let Some(entry) = entries.read() {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        match remove_entry(folder, name, entry.file_type()) {
            Ok(()) | Err(Errno::NOENT) => {}
            // `ISDIR` on file systems that do not tell an entry's type.
            Err(Errno::ISDIR | Errno::NOTEMPTY | Errno::EXIST) => return Ok(Some(name.to_owned())),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

fn remove_entry(folder: &OwnedFd, name: &CStr, kind: FileType) -> Result<(), Errno> {
    let flags = match kind {
        FileType::Directory => AtFlags::REMOVEDIR,
        _ => AtFlags::empty(),
    };
    match unlinkat(folder, name, flags) {
        Err(Errno::ACCESS | Errno::PERM) => {
            fchmod(folder, Mode::RWXU)?;
            unlinkat(folder, name, flags)
        }
        result => result,
    }
}

fn open_folder(at: impl AsFd, name: impl rustix::path::Arg + Copy) -> Result<OwnedFd, Errno> {
    match openat(&at, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            chmodat(&at, name, Mode::RWXU, AtFlags::empty())?;
            openat(&at, name, FOLDER, Mode::empty())
        }
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::PathBuf;

    use rustix::fs::mkdirat;

    use super::*;

    fn fresh(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("lydite-{name}-{}", std::process::id()));
        fs::create_dir(&path).unwrap();
        path
    }

    #[test]
    fn a_folder_nested_deeper_than_the_file_table_goes() {
        let root = fresh("deep");
        let mut at = openat(CWD, &root, FOLDER, Mode::empty()).unwrap();
        for _ in 0..1100 {
            mkdirat(&at, "d", Mode::RWXU).unwrap();
            at = openat(&at, "d", FOLDER, Mode::empty()).unwrap();
        }
        assert_eq!(remove(&root), Ok(()));
        assert!(!root.exists());
    }

    #[test]
    fn closed_folders_and_odd_names_go_and_links_are_not_followed() {
        let outside = fresh("outside");
        fs::write(outside.join("precious"), "x").unwrap();
        let root = fresh("odd");
        for (index, name) in [".hidden", "a\nb", "-rf", "ü \u{1b}[31m", "*"]
            .iter()
            .enumerate()
        {
            let folder = root.join(name).join("inner").join("innermost");
            fs::create_dir_all(&folder).unwrap();
            fs::write(folder.join(name), "x").unwrap();
            symlink(&outside, folder.join("link")).unwrap();
            let mode = [0o000, 0o100, 0o400, 0o500, 0o700][index];
            for closed in [
                folder.clone(),
                root.join(name).join("inner"),
                root.join(name),
            ] {
                fs::set_permissions(closed, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        symlink(&outside, root.join("link")).unwrap();
        fs::set_permissions(&root, fs::Permissions::from_mode(0o500)).unwrap();
        assert_eq!(remove(&root), Ok(()));
        assert!(!root.exists());
        assert!(outside.join("precious").exists());
        assert_eq!(remove(&outside), Ok(()));
    }

    #[test]
    fn what_is_gone_or_no_folder_is_removed_too() {
        let root = fresh("gone");
        let (file, link) = (root.join("file"), root.join("link"));
        fs::write(&file, "x").unwrap();
        symlink(&root, &link).unwrap();
        assert_eq!(remove(&file), Ok(()));
        assert_eq!(remove(&link), Ok(()));
        assert_eq!(remove(&root), Ok(()));
        assert_eq!(remove(&root), Ok(()));
    }
}
