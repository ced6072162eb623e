//! Which attributes may depend on which: section III-B of the *Smith paper.

mod reading;

use reading::{check, problems};

/// What a guarded class synthesizes depends on its
/// guards, and those on all that it inherits.
#[test]
fn an_unguarded_class_may_pass_attributes_both_ways_and_a_guarded_one_may_not() {
    let plain = "class A { a(\"${x : B}\") { x.i = x.s; x.j = 1; } }\n\
                 class B { inh i : Int; inh j : Int; syn s : Int; syn t : Int;\n\
                 b(\"#{this.t}\") { this.s = this.j; this.t = this.i; } }";
    assert_eq!(problems(plain), Vec::<String>::new());
    let guard = "syn t : Int; grd g;";
    for guarded in [
        plain
            .replace("syn t : Int;", guard)
            .replace("this.s =", "this.g = this.i > 0; this.s ="),
        // The guard reads nothing of it: the order of building does not know.
        plain
            .replace("syn t : Int;", guard)
            .replace("this.s =", "this.g = this.j > 0; this.s ="),
        plain.replace("class B", "@unit class B"),
        plain.replace("b(\"#{this.t}\")", "b([1, 2], \"#{this.t}\") : Int"),
        // One of several productions is a generator.
        plain.replace(
            "b(\"#{this.t}\")",
            "c([1]) : Int { this.s = 1; this.t = 1; } b(\"#{this.t}\")",
        ),
    ] {
        check(&[(
            &guarded,
            "1:11: production `a`: attributes depend on themselves: x.i -> x.s -> x.i",
        )]);
    }
}

/// Neither of two guarded nodes could be built first.
#[test]
fn two_guarded_nodes_do_not_wait_for_each_other() {
    let text = |guard: &str, rule: &str| {
        format!(
            "class A {{ a(\"${{x : B}}${{y : B}}\") {{ x.i = 1; x.j = y.s; y.i = 1; y.j = x.s; }} }}\n\
             class B {{ inh i : Int; inh j : Int; syn s : Int; {guard}\n\
             b(\"#{{this.j}}\") {{ this.s = this.i; {rule} }} }}"
        )
    };
    assert_eq!(problems(&text("", "")), Vec::<String>::new());
    check(&[(
        &text("grd g;", "this.g = this.i > 0;"),
        "1:11: production `a`: attributes depend on themselves: x.j -> x.s -> y.j -> y.s -> x.j",
    )]);
}

/// No tree is cyclic, for no node has both productions; but a spec has to be
/// *strongly* non-cyclic, which looks at the productions of a class together.
#[test]
fn dependencies_of_all_productions_of_a_class_count_together() {
    let text = |second: &str| {
        format!(
            "class A {{ a(\"${{x : B}}\") {{ x.i = x.t; x.j = x.s; }} }}\n\
             class B {{ inh i : Int; inh j : Int; syn s : Int; syn t : Int;\n\
             b(\"#{{this.j}}\") {{ this.s = this.i; this.t = 1; }}\n\
             c(\"#{{this.i}}\") {{ this.s = 1; this.t = {second}; }} }}"
        )
    };
    assert_eq!(problems(&text("1")), Vec::<String>::new());
    check(&[(
        &text("this.j"),
        "1:11: production `a`: attributes depend on themselves: x.i -> x.s -> x.j -> x.t -> x.i",
    )]);
}

/// The way from what a class inherits to what it synthesizes may be long.
#[test]
fn dependencies_are_followed_through_the_classes_between() {
    let chain = |last: &str| {
        let mut text = String::from("class A { a(\"${x : C0}\") { x.i = x.s; x.j = 1; } }\n");
        for at in 0..30 {
            text.push_str(&format!(
                "@copy class C{at} {{ inh i : Int; inh j : Int; syn s : Int; c(\"${{x : C{}}}\") {{}} }}\n",
                at + 1
            ));
        }
        text + &format!(
            "class C30 {{ inh i : Int; inh j : Int; syn s : Int; c(\"#{{this.i + this.j}}\") {{ this.s = this.{last}; }} }}"
        )
    };
    assert_eq!(problems(&chain("j")), Vec::<String>::new());
    check(&[(
        &chain("i"),
        "1:11: production `a`: attributes depend on themselves: x.i -> x.s -> x.i",
    )]);
}
