//! Lists the seeds that come with lydite, so that the program can carry them.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root =
        Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../seeds");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    let mut table = String::from(
        "/// Path and text of every seed.\nconst SHIPPED_SEEDS: &[(&str, &[u8])] = &[\n",
    );
    for file in &files {
        let name = file
            .strip_prefix(&root)
            .expect("it is below")
            .to_str()
            .expect("names are plain");
        let text = fs::read(file).expect("a seed can be read");
        // FNV-1a over names and texts: tells versions apart, no more.
        for byte in name.bytes().chain(text) {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let path = file.canonicalize().expect("it exists");
        table += &format!("    ({name:?}, include_bytes!({path:?})),\n");
    }
    table += &format!(
        "];\n/// Changes with their content.\nconst SHIPPED_SEEDS_DIGEST: &str = \"{digest:016x}\";\n"
    );
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("shipped_seeds.rs");
    fs::write(out, table).expect("the build folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| {
            [
                "smt2", "awk", "c", "cpp", "jq", "js", "lua", "rs", "scala", "sol",
            ]
            .iter()
            .any(|own| extension == *own)
        }) {
            files.push(path);
        }
    }
}
