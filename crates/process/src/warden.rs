//! The warden: a small shell that outlives us for a moment.
//!
//! It waits for the end of a pipe whose other end only we hold. If we die,
//! however we die, the pipe ends; the warden then kills every process that
//! carries our token and removes our scratch root. Its own process group
//! keeps it out of reach of a Ctrl-C on the terminal.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use super::child_table::{TAG, child_table};
use super::long_lived::LongLived;
use super::patience::{KILL_PATIENCE, ends_within};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// `$1` is what to look for in environments, `$2` the folder to remove. A
/// line on standard input means that we have tidied up ourselves.
/// A process that forks while the first round runs is met by the next.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM PIPE
read -r line && exit 0
round=0
while [ "$round" -lt 50 ]; do
    round=$((round + 1))
    alive=
    for environ in $(grep -laF -- "$1" /proc/[0-9]*/environ 2>/dev/null); do
        pid=${environ#/proc/}
        kill -KILL "${pid%/environ}" 2>/dev/null && alive=yes
    done
    [ -n "$alive" ] || break
done
chmod -R u+rwX -- "$2" 2>/dev/null
rm -rf -- "$2"
"#;

/// Sees to it that nothing of ours survives us. Dropping it ends it.
#[derive(Debug)]
pub(super) struct Warden {
    shell: LongLived,
}

impl Warden {
    /// Starts the warden over our processes and this folder.
    pub(super) fn start(root: &Path) -> io::Result<Warden> {
        let token = format!("{TAG}={}.", child_table().token);
        let mut process = Command::new("/bin/sh");
        process
            .args([OsStr::new("-c"), OsStr::new(SCRIPT)])
            .args([OsStr::new("lydite-warden"), token.as_ref(), root.as_ref()])
            .current_dir("/")
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("LC_ALL", "C")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let shell = LongLived::start_untagged(&mut process)
            .map_err(|error| io::Error::new(error.kind(), format!("/bin/sh (warden): {error}")))?;
        Ok(Warden { shell })
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        let child = self.shell.child();
        let pid = Pid::from_child(child);
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(b"done\n");
        }
        if let Ok(pidfd) = pidfd_open(pid, PidfdFlags::empty()) {
            ends_within(&pidfd, KILL_PATIENCE);
        }
    }
}
