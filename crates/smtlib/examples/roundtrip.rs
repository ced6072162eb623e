//! Reads, types, prints and reads again every SMT-LIB file below the given folders:
//! `cargo run --release --example roundtrip -- DIR…`. Exit code 1 if a file
//! does not come back as the same script. With `--out FOLDER` first, what was
//! printed is written there under the files' numbers, for solvers to compare.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads files.

use std::path::PathBuf;
use std::process::ExitCode;

use lydite_smtlib::{print, syntax, typing};

fn main() -> ExitCode {
    let mut folders: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    let mut out = None;
    if folders.len() > 1 && folders[0].as_os_str() == "--out" {
        out = Some(folders.remove(1));
        folders.remove(0);
    }
    let mut files = Vec::new();
    while let Some(path) = folders.pop() {
        if !path.is_dir() {
            files.push(path);
            continue;
        }
        match std::fs::read_dir(&path) {
            Ok(entries) => folders.extend(entries.flatten().map(|entry| entry.path())),
            Err(error) => eprintln!("{}: {error}", path.display()),
        }
    }
    files.sort();
    let mut failures = 0;
    for (number, file) in files.iter().enumerate() {
        let out = out.as_ref().map(|out| out.join(format!("{number}.smt2")));
        if let Err(problem) = check(file, out) {
            println!("{}: {problem}", file.display());
            failures += 1;
        }
    }
    println!("{} files, {failures} failures", files.len());
    ExitCode::from(u8::from(failures > 0))
}

fn check(file: &PathBuf, out: Option<PathBuf>) -> Result<(), String> {
    let text = std::fs::read(file).map_err(|error| error.to_string())?;
    let script = syntax::parse(&text).map_err(|error| error.to_string())?;
    typing::check(&script, &typing::Options::default()).map_err(|errors| {
        let text = String::from_utf8_lossy(&text);
        errors[0].located(&text)
    })?;
    let layouts: [fn(&syntax::Script) -> String; 2] = [print::script, print::pretty];
    for layout in layouts {
        let printed = layout(&script);
        let again = syntax::parse_str(&printed).map_err(|error| format!("printed: {error}"))?;
        if again != script {
            return Err("printed text reads to another script".to_string());
        }
    }
    match out {
        None => Ok(()),
        Some(out) => std::fs::write(out, print::pretty(&script)).map_err(|error| error.to_string()),
    }
}
