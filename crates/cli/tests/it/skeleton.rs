//! The strategy `skeleton` as a user meets it: what
//! docs/strategies/skeleton.md shows, and a campaign on a real compiler.

use crate::lydite::Folder;

const DOCS: &str = include_str!("../../../../docs/strategies/skeleton.md");

/// The block of the documentation that begins with this line, without it.
fn block(first: &str) -> &'static str {
    let start = DOCS.find(first).expect("the documentation shows it") + first.len();
    let rest = DOCS[start..].trim_start_matches('\n');
    &rest[..rest.find("```").expect("the block ends")]
}

#[test]
fn count_and_generate_print_what_the_documentation_shows() {
    let folder = Folder::new();
    folder.write("figure6.c", block("```c\n"));
    let run = |command: &str| {
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        folder.run(&args).expect(0).stdout
    };
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    for command in [
        "lydite count skeleton figure6.c",
        "lydite generate skeleton --seeds figure6.c --from 21 -n 1 -o -",
    ] {
        let shown = block(&format!("$ {command}\n"));
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let printed = run(command).replace(&format!("{name}/"), "");
        assert_eq!(squeezed(&printed), squeezed(shown));
    }
}

#[test]
fn seeds_that_are_no_programs_are_left_out_with_a_reason() {
    let folder = Folder::new();
    folder.write("seeds/good.c", "int f(int a, int b) { return a - b; }\n");
    folder.write(
        "seeds/bad.c",
        "these are words, and nothing else: no program! ".repeat(20),
    );
    let json = folder
        .run(&["count", "skeleton", "seeds", "--json"])
        .expect(0)
        .json();
    assert_eq!(json["count"], "2");
    assert_eq!(json["parts"][1]["exact"], "2");
    let name = json["parts"][0]["name"].as_str().unwrap();
    assert!(name.contains("left out: not a program in c"), "{name}");
    let none = folder.run(&["count", "skeleton", "seeds/bad.c"]).expect(2);
    assert!(
        none.stderr.contains("no seed has a skeleton"),
        "{}",
        none.stderr
    );
}

#[test]
fn settings_are_checked() {
    let folder = Folder::new();
    folder.write("a.c", "int f(int a, int b) { return a - b; }\n");
    for (setting, said) in [
        ("mode=both", "`both` is not intra or inter"),
        ("types=all", "`all` is not exact or convertible"),
        ("threshold=0", "is not at least 1"),
        ("treshold=5", "did you mean `threshold`?"),
    ] {
        let run = folder
            .run(&["count", "skeleton", "a.c", "--set", setting])
            .expect(2);
        assert!(run.stderr.contains(said), "{}", run.stderr);
    }
}

#[test]
fn a_campaign_compiles_variants_on_a_real_compiler() {
    let folder = Folder::new();
    folder.write(
        "seeds/a.c",
        "int printf(const char *, ...);\nint main(void) { int a = 1, b = 2; printf(\"%d\\n\", a - b); return 0; }\n",
    );
    let json = folder
        .run(&[
            "hunt", "-t", "gcc:O0", "-t", "gcc:O2", "--strategy", "skeleton", "--seeds", "seeds",
            "--set", "classes=strict", "--oracles", "crash,differential", "-o", "out", "--json",
        ])
        .expect(0)
        .json();
    assert_eq!(json["cases"], 4);
    assert_eq!(json["findings"], 0);
}
