#![allow(clippy::disallowed_methods, clippy::unwrap_used)]
use std::collections::BTreeMap;
use lydite_core::{Choices, Settings};
use lydite_solidity::behaviour::Complete;
use lydite_solidity::generate::Options;
use lydite_solidity::version::Dialect;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (version, count, out) = (&args[1], args[2].parse::<u64>().unwrap(), &args[3]);
    let dialect: Dialect = version.parse().unwrap();
    let mut settings = Settings::default();
    for pair in &args[4..] { let (k, v) = pair.split_once('=').unwrap(); settings.set(k, v); }
    let options = Options::read(&settings).unwrap();
    let complete = Complete::new(dialect, options, 6);
    let mut rejects: BTreeMap<String, u64> = BTreeMap::new();
    let mut made = 0;
    for index in 0..count {
        match complete.case(&mut Choices::seeded(7, index)) {
            Ok(case) => {
                made += 1;
                for file in &case.programs[0].files { std::fs::create_dir_all(format!("{out}/{index}")).unwrap(); std::fs::write(format!("{out}/{index}/{}", file.name), &file.text).unwrap(); }
                if let Some(lydite_core::Answer::Output { text, .. }) = case.claim.answer() { std::fs::write(format!("{out}/{index}/expected"), text).unwrap(); }
            }
            Err(why) => *rejects.entry(why.to_string()).or_default() += 1,
        }
    }
    println!("{made} made"); for (why, n) in rejects { println!("{n:6} {why}"); }
}
