//! From findings to reports: the page, what upstream wants, what people
//! decided.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod lydite;

use lydite::{Folder, zoo_targets};

/// Crashes `zoo-solver:assert-distinct`.
const DISTINCT: &str = "(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)\n\
                        (assert (distinct a b c))\n(check-sat)\n";

#[test]
fn the_page_shows_a_hostile_program_as_text() {
    let folder = Folder::new();
    let zoo = zoo_targets();
    let hostile = "; </pre><script>alert(1)</script> \u{1b}[2J \u{202e} &amp;\n";
    folder.write("seeds/a.smt2", format!("{hostile}{DISTINCT}"));
    // The same bug in a case that is far too large for a page.
    folder.write(
        "seeds/b.smt2",
        DISTINCT.to_string() + &hostile.repeat(60_000),
    );
    let args = [
        "hunt", "-t", "zoo-solver:assert-distinct", "--seeds", "seeds", "--target-files", &zoo,
        "-o", "out", "-q",
    ];
    folder.run(&args).expect(10);
    folder
        .run(&["reduce", "out", "-q", "--target-files", &zoo])
        .expect(0);
    folder.run(&["report", "out"]).expect(0);
    let page = std::fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(page.len() < 60_000, "{} bytes", page.len());
    assert!(!page.contains("<script") && !page.contains('\u{1b}') && !page.contains('\u{202e}'));
    // What the reduction removed is there, as text.
    assert!(
        page.contains("&lt;&#x2f;pre&gt;&lt;script&gt;alert(1)"),
        "{page}"
    );
    assert!(
        page.contains("<span class=\"tk\">distinct</span>"),
        "{page}"
    );
    assert!(
        page.contains("zoo-solver --bug assert-distinct case.smt2"),
        "{page}"
    );
    assert!(page.contains("ASSERTION VIOLATION"), "{page}");
    assert!(
        page.contains("not looked for: <code>lydite bisect"),
        "{page}"
    );
}
