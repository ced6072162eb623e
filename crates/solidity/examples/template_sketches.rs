//! Every combination of qualifiers of templates that are written by hand, with
//! what we say of it, as lines of JSON for a compiler to confirm:
//! `template_sketches VERSION`.
#![allow(clippy::disallowed_methods)] // An example is a program: it has arguments.

mod sketches;

use sketches::SKETCHES;

fn main() {
    let Some(version) = std::env::args().nth(1) else {
        eprintln!("template_sketches VERSION");
        std::process::exit(2);
    };
    for sketch in &SKETCHES {
        let combinations = sketch.combinations(&version).into_iter();
        for (number, (program, expect)) in combinations.enumerate() {
            let text = String::from_utf8_lossy(&program.source().text).into_owned();
            println!(
                "{{\"name\":{:?},\"expect\":{expect},\"files\":{{\"case.sol\":{text:?}}}}}",
                format!("{}-{number}", sketch.name),
            );
        }
    }
}
