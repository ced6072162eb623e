//! A claim that everybody contradicts is ours: nobody is accused, and the case
//! is kept for whoever mends lydite.

use crate::lydite::Folder;

#[test]
fn a_wrong_label_accuses_nobody_if_all_contradict_it() {
    let folder = Folder::new();
    folder
        .run(&["targets", "install", "z3@5.4.0", "cvc5@1.4.2", "-q"])
        .expect(0);
    // The label of the first seed is wrong, that of the second is right.
    for (name, status) in [("a", "sat"), ("b", "unsat")] {
        let text = format!(
            "(set-info :status {status})\n(declare-const x Int)\n(assert (< x x))\n(check-sat)\n"
        );
        folder.write(&format!("seeds/{name}.smt2"), text);
    }
    let hunt = [
        "hunt", "-t", "z3@5.4.0", "-t", "cvc5@1.4.2", "--seeds", "seeds", "--oracles",
        "crash,answer,differential", "-o", "out",
    ];
    let json = folder.run(&[&hunt[..], &["-q", "--json"]].concat()).json();
    assert_eq!(json["findings"], 0, "{json}");
    assert_eq!(json["contested"], 1, "{json}");
    let place = folder.path().join("out/contested/0");
    let text = std::fs::read_to_string(place.join("README.md")).unwrap();
    assert!(
        text.contains("cvc5 and z3 all contradict `sat`: unsat not sat"),
        "{text}"
    );
    let mut files = std::fs::read_dir(place.join("0")).unwrap();
    let program = std::fs::read_to_string(files.next().unwrap().unwrap().path()).unwrap();
    assert!(program.contains("(assert (< x x))"), "{program}");
    let recipe = std::fs::read_to_string(place.join("recipe.json")).unwrap();
    assert!(recipe.contains("\"index\": 0"), "{recipe}");
    // Once more: nothing is left to do, and it is said again.
    folder.run(&hunt).says(&[
        "1 case(s) in which everybody contradicts lydite",
        "contested",
    ]);
    // One family alone is accused.
    let args = [
        "check", "seeds/a.smt2", "-t", "z3@5.4.0", "--oracles", "answer", "--json",
    ];
    let json = folder.run(&args).json();
    assert_eq!(json["symptoms"][0]["kind"], "refutation-unsound", "{json}");
}
