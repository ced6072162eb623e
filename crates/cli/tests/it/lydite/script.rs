//! Targets that are a few lines of shell.

use std::path::PathBuf;

use super::Folder;
use super::target_file::TargetFile;

/// Writes the program `bin/NAME` and its target file `targets/NAME.toml`. The
/// script is asked with the file as its first argument; it answers as an SMT
/// solver does, and any signal is a crash.
pub(crate) fn write_target(folder: &Folder, name: &str, script: &str) -> PathBuf {
    write_target_with(folder, name, script, &["{file}"], "")
}

/// The same with other words behind the program, and further lines.
pub(crate) fn write_target_with(
    folder: &Folder,
    name: &str,
    script: &str,
    words: &[&str],
    more: &str,
) -> PathBuf {
    let text =
        format!("#!/bin/sh\ncase \"$1\" in --version) echo {name} 1.0; exit 0;; esac\n{script}\n");
    let program = folder.write_program(&format!("bin/{name}"), text);
    TargetFile::new(name)
        .commands(&[program.display().to_string()])
        .step(&[&["{bin}"], words].concat())
        .tables(more)
        .write(folder, &format!("targets/{name}.toml"));
    program
}

/// Writes seeds that have a constant of each name, one file each.
pub(crate) fn write_seeds(folder: &Folder, names: &[&str]) {
    for (number, name) in names.iter().enumerate() {
        let text = format!(
            "(declare-const {name} Bool)\n(declare-const other Bool)\n(assert other)\n\
             (assert {name})\n(check-sat)\n"
        );
        folder.write(&format!("seeds/{number:03}.smt2"), text);
    }
}
