//! A death without a word: the reference that tells sites is asked on such a program
//! alone, the finding has its site, and is reduced with it.

use crate::lydite::Folder;
use crate::lydite::script::{write_seeds, write_target_with};

/// Dies of a constant `boom`; with `--san`, where a report says it.
const SCRIPT: &str = r#"
san=; [ "$1" = --san ] && { san=1; shift; echo asked >> "$(dirname "$0")/asked"; }
if grep -q boom "$1"; then
  [ -z "$san" ] && kill -SEGV $$
  printf '==7==ERROR: AddressSanitizer: SEGV on unknown address\n    #0 0x1 in spill /a/toy.c:3\n\n' >&2
  exit 1
fi
echo sat"#;

#[test]
fn a_death_without_a_word_gets_the_site_of_the_sanitizer_build() {
    let folder = Folder::new();
    let more = "[variant.sanitize]\noptions = [\"--san\"]\nsites = true";
    let words = ["{options}", "{file}"];
    write_target_with(&folder, "toy", SCRIPT, &words, more);
    write_seeds(&folder, &["calm", "quiet", "boom", "still"]);
    let args = [
        "hunt", "-t", "toy", "--reference", "toy:sanitize", "--seeds", "seeds", "--strategy",
        "files", "--cases", "4", "--target-files", "targets", "-o", "out", "-q", "--json",
    ];
    folder.run(&args).expect(10);
    let found = folder.run(&["findings", "out", "--json"]).json_lines();
    let signatures: Vec<&str> = found
        .iter()
        .map(|finding| finding["signature"].as_str().unwrap())
        .collect();
    assert_eq!(
        signatures,
        ["v1 crash toy site=\"AddressSanitizer: SEGV toy.c:N spill\""]
    );
    // Once to look at it, once at the first run of the case.
    let asked = std::fs::read_to_string(folder.path().join("bin/asked")).unwrap();
    assert!(asked.lines().count() < 5, "{asked}");
    let reduced = folder.run(&["reduce", "out", "--target-files", "targets", "-q"]);
    reduced.expect(0);
    let id = found[0]["id"].as_str().unwrap();
    let case = format!("out/findings/{id}/case.smt2");
    let case = std::fs::read_to_string(folder.path().join(case)).unwrap();
    assert!(case.contains("boom") && !case.contains("other"), "{case}");
}
