//! The table of operators.

use lydite_smtlib::operators::Operators;
use lydite_smtlib::sort::{Sort, Sorts};
use lydite_smtlib::syntax;
use lydite_smtlib::typing::{self, Options};

#[test]
fn the_table_reads_and_users_can_add_to_it() {
    let table = Operators::built_in();
    assert!(table.iter().count() > 250);
    for alias in table.aliases() {
        assert!(!table.named(&alias.target).is_empty(), "{}", alias.name);
    }
    let more = table
        .extended("theory mine\n(_ pad n) : (_ BitVec m) -> (_ BitVec m+2*n) where n<m\n")
        .unwrap();
    let script = syntax::parse_str("(assert (= ((_ pad 1) #b00) #b0000))").unwrap();
    let options = Options {
        strict: true,
        operators: &more,
    };
    assert!(typing::check(&script, &options).is_ok());
    assert!(typing::check(&script, &Options::default()).is_err());
    for (text, error) in [
        ("f : Foo -> Int", "operators, line 1: unknown sort `Foo`"),
        (
            "\nf : Int -> Int :left-asoc",
            "operators, line 2: unknown attribute `:left-asoc`; did you mean `:left-assoc`?",
        ),
        (
            "f : Int Int",
            "operators, line 1: expected `->` before the result",
        ),
        (
            "f : -> Int",
            "operators, line 1: a constant has no arrow: `f : S`",
        ),
        ("f Int", "operators, line 1: expected `:`, found `Int`"),
        (
            "f : (_ BitVec m%2) -> Int",
            "operators, line 1: `m%2` is not a number",
        ),
    ] {
        assert_eq!(table.extended(text).unwrap_err().to_string(), error);
    }
}

#[test]
fn operators_can_be_found_by_sorts() {
    let table = Operators::built_in();
    let mut sorts = Sorts::default();
    let byte = sorts.bit_vec(8);
    let names = |ids: Vec<_>| -> Vec<&str> {
        ids.into_iter()
            .map(|id| table.get(id).name.as_str())
            .collect()
    };
    let compatible = names(table.compatible(&[byte, byte], Sort::BOOL, &mut sorts));
    assert!(
        ["=", "distinct", "bvult", "bvsge"]
            .iter()
            .all(|name| compatible.contains(name))
    );
    assert!(!compatible.contains(&"bvadd"));
    let giving = names(table.giving(byte, &sorts));
    assert!(
        ["ite", "bvadd", "concat", "select", "extract"]
            .iter()
            .all(|name| giving.contains(name))
    );
    assert!(!giving.contains(&"str.len"));
}
