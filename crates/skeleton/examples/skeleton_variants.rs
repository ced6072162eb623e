//! Skeletons of a folder of programs, and some variants of each:
//! `skeleton_variants LANGUAGE FOLDER OUT N`. Writes `OUT/NUMBER-VARIANT.c`
//! and prints a line of JSON per file; `scripts/skeletons.py` compiles them.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads and writes files.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use lydite_core::Choices;
use lydite_skeleton::extract::Dialect;
use lydite_skeleton::{Options, Skeleton};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, language, folder, out, variants] = &args[..] else {
        eprintln!("skeleton_variants LANGUAGE FOLDER OUT N");
        std::process::exit(2);
    };
    let dialect = Dialect::of(language).expect("a language with skeletons");
    let variants: u64 = variants.parse().expect("a number");
    std::fs::create_dir_all(out).expect("a folder that can be made");
    let mut files = Vec::new();
    collect(Path::new(folder), language, &mut files);
    files.sort();
    for (number, file) in files.iter().enumerate() {
        let text: Arc<[u8]> = std::fs::read(file).expect("a file that can be read").into();
        let started = Instant::now();
        let name = file.display();
        let skeleton = match Skeleton::read(dialect, &text, Options::default()) {
            Ok(skeleton) => skeleton,
            Err(refusal) => {
                println!(
                    "{{\"number\":{number},\"file\":{name:?},\"refused\":{:?}}}",
                    refusal.to_string()
                );
                continue;
            }
        };
        assert_eq!(skeleton.render(skeleton.original()), *text, "{name}");
        let own = skeleton
            .fillings()
            .index_of(skeleton.original())
            .expect("its own pattern");
        assert_eq!(
            skeleton.nth(&own).expect("its own pattern"),
            *text,
            "{name}"
        );
        for variant in 0..variants {
            let mut choices = Choices::seeded(variant, number as u64);
            let made = skeleton.sample(&mut choices).expect("no limit");
            let path = Path::new(out).join(format!("{number}-{variant}.{}", extension(language)));
            std::fs::write(path, made).expect("a file that can be written");
        }
        let figures = skeleton.figures();
        println!(
            "{{\"number\":{number},\"file\":{name:?},\"holes\":{},\"scopes\":{},\"functions\":{},\"unread\":{},\"types\":{},\"exact\":\"{}\",\"naive\":\"{}\",\"ms\":{}}}",
            figures.holes,
            figures.scopes,
            figures.functions,
            figures.unread,
            figures.types,
            figures.exact,
            figures.naive,
            started.elapsed().as_millis(),
        );
    }
}

fn extension(language: &str) -> &str {
    match language {
        "c" => "c",
        "cpp" => "C",
        "solidity" => "sol",
        "lua" => "lua",
        "javascript" => "js",
        "rust" => "rs",
        other => other,
    }
}

fn collect(folder: &Path, language: &str, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder that can be read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, language, files);
        } else if path
            .extension()
            .is_some_and(|ending| ending == extension(language))
        {
            files.push(path);
        }
    }
}
