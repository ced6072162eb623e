//! Programs of specs, for tests of the engine.

#![allow(dead_code, reason = "each test file uses a part of this")]

use std::collections::{BTreeMap, BTreeSet};

use lydite_core::Odometer;
use lydite_grammar::spec::{Limits, Programs, Spec, Unmade};

pub(crate) fn spec(text: &str) -> Spec {
    Spec::read("test", text).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn programs(text: &str, limits: Limits) -> Programs {
    spec(text).programs(&BTreeMap::new(), limits).unwrap()
}

pub(crate) fn height(height: u32) -> Limits {
    Limits {
        height,
        verify: true,
        ..Limits::default()
    }
}

pub(crate) fn text(made: Result<Vec<u8>, Unmade>) -> String {
    String::from_utf8(made.unwrap()).unwrap()
}

/// Everything that the spec makes, over all tapes, and how many tapes.
pub(crate) fn reachable(programs: &Programs) -> (BTreeSet<String>, usize) {
    let mut odometer = Odometer::new(400);
    let (mut all, mut tapes) = (BTreeSet::new(), 0);
    while let Some((made, _)) = odometer.run(|choices| programs.make(choices)) {
        tapes += 1;
        assert!(tapes < 3_000_000, "too many tapes for a test");
        match made {
            Ok(text) => _ = all.insert(String::from_utf8(text).unwrap()),
            Err(Unmade::Impossible) => _ = all.insert("impossible".to_string()),
            Err(other) => panic!("{other}"),
        }
    }
    (all, tapes)
}

/// The paper's example, with a place for what a use is.
pub(crate) const ASSIGNMENTS: &str = r##"
use symbols;
class Program { prog("${s : Stmts}") { s.syms = no_symbols(); } }
@list(2) class Stmts {
  inh syms : Symbols;
  one("${s : Stmt}") { s.before = this.syms; }
  mult("${s : Stmt}${r : Stmts}") { s.before = this.syms; r.syms = s.after; }
}
class Stmt {
  inh before : Symbols;
  syn after : Symbols;
  assign("${i : Name}=${e : Expr};") {
    e.syms = this.before;
    this.after = define(this.before, i.str);
  }
}
@copy class Expr {
  inh syms : Symbols;
  num("1") {}
  used("${v : Use}") {}
}
class Use { inh syms : Symbols; USE }
class Name("[ab]");
"##;

pub(crate) const GUARD: &str =
    r##"grd known; var("${n : Name}") { this.known = is_defined(this.syms, n.str); }"##;
pub(crate) const GENERATOR: &str = "var(defined(this.syms)) : String {}";
