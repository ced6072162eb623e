//! A family with several versions: the zoo's solver behind scripts that log
//! their calls.

use std::fs;

use super::Folder;
use super::target_file::TargetFile;

/// Writes the folder `targets`: a family `line` with these versions, each with
/// some bugs of the zoo's solver; and the zoo's solver itself.
pub(crate) fn write_versions(folder: &Folder, versions: &[(&str, &str)]) {
    let solver = super::zoo::program("zoo-solver");
    let mut commands = Vec::new();
    for (version, bugs) in versions {
        let script = format!(
            "#!/bin/sh\ncase \"$1\" in --version) echo line {version}; exit 0;; esac\n\
             echo x >> {calls}\nexec {solver} {bugs} \"$@\"\n",
            calls = folder.path().join(format!("calls-{version}")).display(),
            solver = solver.display(),
        );
        let path = folder.write_program(&format!("line-{version}"), script);
        commands.push(path.display().to_string());
    }
    let zoo = fs::read_to_string(super::zoo_targets() + "/zoo-solver.toml").unwrap();
    TargetFile::new("line")
        .commands(&commands)
        .like_zoo_solver()
        .write(folder, "targets/line.toml");
    folder.write("targets/zoo-solver.toml", zoo);
}

/// How often a version was run.
pub(crate) fn calls(folder: &Folder, version: &str) -> usize {
    let log = fs::read_to_string(folder.path().join(format!("calls-{version}")));
    log.unwrap_or_default().lines().count()
}
