//! Removing a folder whatever is in it.
//!
//! Not recursive, and with two open files at a time: a hostile program can
//! nest folders deeper than any stack or file table. A folder that is not
//! empty is moved to the top and emptied there. Links are never followed.

use std::ffi::{CStr, CString};
use std::path::Path;

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, RenameFlags, chmodat, fchmod, openat, renameat,
    renameat_with, unlinkat,
};
use rustix::io::Errno;

const FOLDER: OFlags = OFlags::DIRECTORY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

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
    let top = open_folder(CWD, path)?;
    let mut moved = Moved::default();
    empty(&top, None, &mut moved)?;
    if !moved.todo.is_empty() {
        fchmod(&top, Mode::RWXU)?;
    }
    while let Some(name) = moved.todo.pop() {
        let folder = open_folder(&top, name.as_c_str())?;
        empty(&folder, Some(top.as_fd()), &mut moved)?;
        unlinkat(&top, name.as_c_str(), AtFlags::REMOVEDIR)?;
    }
    unlinkat(CWD, path, AtFlags::REMOVEDIR)
}

/// Folders at the top that wait to be emptied.
#[derive(Default)]
struct Moved {
    todo: Vec<CString>,
    count: u64,
}

/// Removes what is in `folder`. Folders in it that are not empty go to the
/// top, or stay where they are if this is the top.
fn empty(folder: &OwnedFd, top: Option<BorrowedFd>, moved: &mut Moved) -> Result<(), Errno> {
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
        let flags = match entry.file_type() {
            FileType::Directory => AtFlags::REMOVEDIR,
            _ => AtFlags::empty(),
        };
        let mut result = unlinkat(folder, name, flags);
        if matches!(result, Err(Errno::ACCESS | Errno::PERM)) {
            fchmod(folder, Mode::RWXU)?;
            result = unlinkat(folder, name, flags);
        }
        match (result, top) {
            (Ok(()) | Err(Errno::NOENT), _) => {}
            // `ISDIR` on file systems that do not tell an entry's type.
            (Err(Errno::ISDIR | Errno::NOTEMPTY | Errno::EXIST), None) => {
                moved.todo.push(name.to_owned());
            }
            (Err(Errno::ISDIR | Errno::NOTEMPTY | Errno::EXIST), Some(top)) => {
                move_up(folder, name, top, moved)?;
            }
            (Err(error), _) => return Err(error),
        }
    }
    Ok(())
}

fn move_up(folder: &OwnedFd, name: &CStr, top: BorrowedFd, moved: &mut Moved) -> Result<(), Errno> {
    loop {
        let target = CString::new(format!(".lydite-{}", moved.count))
            .expect("a formatted number has no NUL byte");
        moved.count += 1;
        let mut result = rename_new(folder, name, top, &target);
        if result == Err(Errno::ACCESS) {
            // Moving a folder changes its `..`, so it has to be writable.
            chmodat(folder, name, Mode::RWXU, AtFlags::empty())?;
            result = rename_new(folder, name, top, &target);
        }
        match result {
            // The child has used such a name itself.
            Err(Errno::EXIST | Errno::NOTEMPTY) => {}
            Ok(()) => {
                moved.todo.push(target);
                return Ok(());
            }
            Err(error) => return Err(error),
        }
    }
}

fn rename_new(folder: &OwnedFd, name: &CStr, top: BorrowedFd, target: &CStr) -> Result<(), Errno> {
    match renameat_with(folder, name, top, target, RenameFlags::NOREPLACE) {
        // A file system that cannot say no; an empty folder may be replaced.
        Err(Errno::INVAL) => renameat(folder, name, top, target),
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
        for _ in 0..5000 {
            mkdirat(&at, "d", Mode::RWXU).unwrap();
            mkdirat(&at, "e", Mode::RWXU).unwrap();
            at = openat(&at, "d", FOLDER, Mode::empty()).unwrap();
        }
        assert_eq!(remove(&root), Ok(()));
        assert!(!root.exists());
    }

    #[test]
    fn closed_folders_odd_names_and_our_own_names_go_and_links_are_not_followed() {
        let outside = fresh("outside");
        fs::write(outside.join("precious"), "x").unwrap();
        let root = fresh("odd");
        for (index, name) in [".lydite-0", "a\nb", "-rf", "ü \u{1b}[31m", "*"]
            .iter()
            .enumerate()
        {
            let folder = root.join(name).join("inner").join(".lydite-1");
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
