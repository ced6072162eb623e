//! Templates and programs per CPU second:
//! `cargo run --release -p lydite-solidity --example bench_template`.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads the clock.

fn main() {
    let maker = lydite_solidity::Maker::new(
        "0.8.20".parse().expect("a version"),
        lydite_solidity::generate::Options::default(),
    );
    let mut failed = 0;
    for index in 0..5 {
        match maker.template(&mut lydite_core::Choices::seeded(1, index)) {
            Err(reject) => println!("{reject}"),
            Ok(template) => {
                if *template.count() == lydite_core::BigUint::ZERO {
                    failed += 1;
                }
                println!(
                    "// {} {:?} pinned {} nodes {}",
                    template.count(),
                    template.placeholders(),
                    template.pinned,
                    template.solutions().nodes()
                );
                if let Some(solution) = template.solutions().nth(&lydite_core::BigUint::ZERO) {
                    for file in maker.program(&template, &solution).files {
                        println!("{}", String::from_utf8_lossy(&file.text));
                    }
                }
            }
        }
    }
    println!("{failed}");
}
