#![allow(clippy::disallowed_methods, clippy::unwrap_used)]
use lydite_core::{Choices, Settings};
use std::collections::BTreeMap;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (version, count, out) = (&args[1], args[2].parse::<u64>().unwrap(), &args[3]);
    let mut given: BTreeMap<String, String> = args[4..]
        .iter()
        .map(|pair| {
            let (k, v) = pair.split_once('=').unwrap();
            (k.to_string(), v.to_string())
        })
        .collect();
    given.insert("solc".into(), version.clone());
    let settings = Settings::checked(&lydite_solidity::behaviour::CompleteStrategy, given).unwrap();
    let complete = lydite_solidity::behaviour::complete(&settings).unwrap();
    let mut rejects: BTreeMap<String, u64> = BTreeMap::new();
    let mut made = 0;
    for index in 0..count {
        match complete.case(&mut Choices::seeded(7, index)) {
            Ok(case) => {
                made += 1;
                for file in &case.programs[0].files {
                    std::fs::create_dir_all(format!("{out}/{index}")).unwrap();
                    std::fs::write(format!("{out}/{index}/{}", file.name), &file.text).unwrap();
                }
                if let Some(lydite_core::Answer::Output { text, .. }) = case.claim.answer() {
                    std::fs::write(format!("{out}/{index}/expected"), text).unwrap();
                }
            }
            Err(why) => *rejects.entry(why.to_string()).or_default() += 1,
        }
    }
    println!("{made} made");
    for (why, n) in rejects {
        println!("{n:6} {why}");
    }
}
