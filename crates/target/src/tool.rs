//! The package clients and compilers that an install calls, as they are
//! configured on this machine.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Result, anyhow, bail};

/// What to do where a command is missing.
const ADVICE: [(&str, &str); 9] = [
    ("python3", "install python3 and python3-pip"),
    ("npm", "install node and npm"),
    (
        "apt-get",
        "this source needs a Debian-like system; put the command on the PATH instead",
    ),
    ("apt-cache", "this source needs a Debian-like system"),
    ("dpkg-deb", "install dpkg"),
    ("dpkg-source", "install dpkg-dev"),
    ("cargo", "install cargo"),
    ("gcov", "install gcc, which has it"),
    ("cc", "no C compiler: install gcc, or set CC"),
];

/// Runs a tool to its end and gives its standard output; its last words are
/// the error if it fails.
pub(crate) fn ask(command: &mut Command) -> Result<String> {
    let output = run(command)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command line in a folder, as `ask` does.
pub fn ask_in(words: &[String], folder: &Path) -> Result<String> {
    let (program, args) = words
        .split_first()
        .ok_or_else(|| anyhow!("an empty command line"))?;
    ask(Command::new(program).args(args).current_dir(folder))
}

/// As [`ask`], for output that is no text.
pub(crate) fn run(command: &mut Command) -> Result<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|error| {
        let advice = ADVICE.iter().find(|(tool, _)| *tool == name);
        match (error.kind(), advice) {
            (ErrorKind::NotFound, Some((_, advice))) => anyhow!("{name} not found: {advice}"),
            _ => anyhow!("{name}: {error}"),
        }
    })?;
    if output.status.success() {
        return Ok(output);
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if name == "python3" && said.contains("No module named pip") {
        bail!("pip not found: install python3-pip");
    }
    let mut words = vec![name];
    let mut given = command.get_args();
    while let Some(word) = given.next() {
        // Settings of ours would hide what was asked.
        match word == "-o" {
            true => drop(given.next()),
            false => words.push(word.to_string_lossy().into_owned()),
        }
    }
    bail!("`{}` failed: {}", words.join(" "), last_words(&said))
}

/// The lines that say most: errors, else the last ones.
pub(crate) fn last_words(said: &str) -> String {
    let lines: Vec<&str> = said
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let tells = |line: &&&str| is_error(line);
    let mut errors: Vec<&str> = lines.iter().filter(tells).copied().collect();
    // A command that was tried again said the same.
    errors.dedup();
    errors.truncate(3);
    let chosen = match errors.is_empty() {
        false => errors,
        true => lines[lines.len().saturating_sub(2)..].to_vec(),
    };
    chosen.join("; ")
}

/// True if a line says what went wrong: a file whose name has such a word in it
/// does not.
fn is_error(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    let words = line.split(|c: char| !(c.is_alphanumeric() || "_./-".contains(c)));
    let mut named = words.map(|word| word.trim_end_matches('.'));
    line.starts_with("e:")
        || line.contains("*** ")
        || line.contains("undefined reference")
        || line.contains("no such file or directory")
        || named.any(|word| word.ends_with("error") && !word.contains(['_', '.', '/']))
}

/// The Python that wheels are installed for: the one that `python3` is, even
/// behind a wrapper that picks one.
pub(crate) fn python() -> Result<PathBuf> {
    let program = "import sys; print(sys.executable)";
    let path = ask(Command::new("python3").args(["-c", program]))?;
    Ok(PathBuf::from(path.trim()))
}

/// The C++ compiler: `$CXX`, or the first of the usual ones.
pub(crate) fn cxx_compiler() -> Option<PathBuf> {
    let named = std::env::var_os("CXX").filter(|name| !name.is_empty());
    match &named {
        Some(name) => find(name),
        None => ["c++", "g++", "clang++"].into_iter().find_map(find),
    }
}

/// The C compiler: `$CC`, or the first of the usual ones.
pub(crate) fn c_compiler() -> Result<PathBuf> {
    let named = std::env::var_os("CC").filter(|name| !name.is_empty());
    let found = match &named {
        Some(name) => find(name),
        None => ["cc", "gcc", "clang"].into_iter().find_map(find),
    };
    found.ok_or_else(|| anyhow!("no C compiler: install gcc, or set CC"))
}

/// A command on the PATH; where rustup stands in for it, the one that rustup
/// would run: that is the program, and it runs without rustup's settings.
pub(crate) fn find_real(name: &str) -> Option<PathBuf> {
    let path = find(name)?;
    let rustup = path.with_file_name("rustup");
    if name != "rustup" && executable(&rustup) {
        let real = ask(Command::new(&rustup).args(["which", name]));
        let real = real.map(|text| PathBuf::from(text.trim()));
        return Some(real.ok().filter(|real| executable(real)).unwrap_or(path));
    }
    Some(path)
}

/// A command on the PATH.
pub(crate) fn find(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = Path::new(name.as_ref());
    if name.components().count() > 1 {
        return executable(name).then(|| name.to_path_buf());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| executable(file))
}

fn executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let metadata = std::fs::metadata(file);
    metadata.is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}
