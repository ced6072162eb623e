//! Plans that come with lydite, and the seeds that they use.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::fault::Fault;
use lydite_core::nearest::nearest;
use lydite_lab::plan::Plan;

/// A plan that comes with lydite.
pub(crate) struct Preset {
    pub name: &'static str,
    pub about: &'static str,
    text: &'static str,
}

impl Preset {
    /// The plan as it is written.
    pub(crate) fn text(&self) -> &'static str {
        self.text
    }

    /// The plan, its seeds below the folder `seeds`.
    pub(crate) fn plan(&self, seeds: &Path) -> Result<Plan> {
        let mut plan = Plan::parse(self.text, &format!("{}.toml", self.name), seeds)?;
        plan.name = self.name.to_string();
        Ok(plan)
    }
}

/// All campaigns of the audit, one after the other.
pub(crate) const AUDIT: &str = "audit";

/// The presets that the audit is made of, and the ending of seeds that each
/// may be given.
pub(crate) const AUDIT_PARTS: &[(&str, Option<&str>)] = &[
    ("audit-smt", Some("smt2")),
    ("audit-solidity", Some("sol")),
    ("audit-c", None),
    ("audit-gates", Some("c")),
    ("audit-sql", None),
];

/// True if the preset may be given seeds of the user's.
pub(crate) fn takes_seeds(name: &str) -> bool {
    let mut parts = AUDIT_PARTS.iter();
    name == AUDIT || parts.any(|(part, ending)| *part == name && ending.is_some())
}

/// What a bare `lydite hunt` runs.
pub(crate) const DEFAULT: &str = "smt-quick";

/// All presets.
pub(crate) const PRESETS: &[Preset] = &[
    Preset {
        name: "smt-quick",
        about: "a minute of what has found most on the newest z3 and cvc5, from the seeds that come with lydite",
        text: include_str!("../presets/smt-quick.toml"),
    },
    Preset {
        name: "smt-all",
        about: "every strategy on the newest z3 and cvc5 for an hour, with solver options varied",
        text: include_str!("../presets/smt-all.toml"),
    },
    Preset {
        name: "smt-files",
        about: "the newest z3 and cvc5 on the seeds that come with lydite, as they stand",
        text: include_str!("../presets/smt-files.toml"),
    },
    Preset {
        name: "smt-old",
        about: "old releases of z3 beside the newest z3 and cvc5 on the seeds that come with lydite: real bugs to look at",
        text: include_str!("../presets/smt-old.toml"),
    },
    Preset {
        name: "smt-fusion",
        about: "the newest z3 and cvc5 on pairs of seeds fused into one of known answer",
        text: include_str!("../presets/smt-fusion.toml"),
    },
    Preset {
        name: "smt-operators",
        about: "the newest z3 and cvc5 on seeds with operators changed, ten minutes",
        text: include_str!("../presets/smt-operators.toml"),
    },
    Preset {
        name: "smt-typed",
        about: "the newest z3 and cvc5 on seeds with terms replaced by new ones, ten minutes",
        text: include_str!("../presets/smt-typed.toml"),
    },
    Preset {
        name: "smt-sets",
        about: "the newest z3 and cvc5 on finite sets, fields, bags and relations, ten minutes",
        text: include_str!("../presets/smt-sets.toml"),
    },
    Preset {
        name: "smt-new",
        about: "the newest features of the newest z3 and cvc5, with exact answers, proofs checked and options varied, twenty minutes",
        text: include_str!("../presets/smt-new.toml"),
    },
    Preset {
        name: "smt-enumerate",
        about: "every small script of twelve theories, smallest first, on two cores of the newest z3 and cvc5, twenty minutes",
        text: include_str!("../presets/smt-enumerate.toml"),
    },
    Preset {
        name: "smt-weaken",
        about: "the newest z3 and cvc5 beside older ones on chains of ever weaker or stronger scripts, five minutes",
        text: include_str!("../presets/smt-weaken.toml"),
    },
    Preset {
        name: "smt-regressions",
        about: "the regression tests of other solvers, mutated, on the newest z3 and cvc5 with options varied, half an hour",
        text: include_str!("../presets/smt-regressions.toml"),
    },
    Preset {
        name: "c-crash",
        about: "tcc, pcc, chibicc and sdcc on every pattern of variable use of our C seeds: crashes and hangs",
        text: include_str!("../presets/c-crash.toml"),
    },
    Preset {
        name: "c-crash-levels",
        about: "gcc and clang at each optimization level and for two machines on the programs of c-crash",
        text: include_str!("../presets/c-crash-levels.toml"),
    },
    Preset {
        name: "cpp-crash",
        about: "g++ and clang++ on every pattern of variable use of our C++ seeds: crashes and hangs",
        text: include_str!("../presets/cpp-crash.toml"),
    },
    Preset {
        name: "c-spe",
        about: "the crash campaign of the SPE paper: gcc's torture programs on gcc and clang, two levels, two machines, an hour",
        text: include_str!("../presets/c-spe.toml"),
    },
    Preset {
        name: "c-spe-wrong-code",
        about: "the programs of c-spe compiled and run; those of defined behaviour are compared with sanitizer builds, an hour",
        text: include_str!("../presets/c-spe-wrong-code.toml"),
    },
    Preset {
        name: "c-splice",
        about: "C compilers on pieces of our C seeds in the places of others, valid or not: crashes and hangs",
        text: include_str!("../presets/c-splice.toml"),
    },
    Preset {
        name: "cpp-splice",
        about: "g++ and clang++ on pieces of our C++ seeds in the places of others, valid or not: crashes and hangs",
        text: include_str!("../presets/cpp-splice.toml"),
    },
    Preset {
        name: "c-crash-machines",
        about: "clang for a dozen machines on gcc's torture programs, varied and mixed: crashes and hangs",
        text: include_str!("../presets/c-crash-machines.toml"),
    },
    Preset {
        name: "cpp-suite",
        about: "g++ and clang++ on their own regression tests, varied and mixed: crashes and hangs",
        text: include_str!("../presets/cpp-suite.toml"),
    },
    Preset {
        name: "cpp-tidy",
        about: "clang-tidy on the tests of clang and g++, varied and mixed: Clang's newest front end, and all checks",
        text: include_str!("../presets/cpp-tidy.toml"),
    },
    Preset {
        name: "rust-skeleton",
        about: "rustc at each level on every pattern of variable use of our Rust seeds: crashes, and levels that disagree",
        text: include_str!("../presets/rust-skeleton.toml"),
    },
    Preset {
        name: "scala-skeleton",
        about: "scalac's back ends and optimizers on every pattern of variable use of our Scala seeds: crashes, and settings that disagree",
        text: include_str!("../presets/scala-skeleton.toml"),
    },
    Preset {
        name: "scala-crash",
        about: "scalac on its own tests, varied and mixed: crashes and hangs",
        text: include_str!("../presets/scala-crash.toml"),
    },
    Preset {
        name: "c-retype",
        about: "C compilers on our C seeds with other types and qualifiers, mostly to be refused: crashes and hangs",
        text: include_str!("../presets/c-retype.toml"),
    },
    Preset {
        name: "cpp-retype",
        about: "g++ and clang++ on our C++ seeds with other types and qualifiers, mostly to be refused: crashes and hangs",
        text: include_str!("../presets/cpp-retype.toml"),
    },
    Preset {
        name: "c-delete",
        about: "C compilers on our C seeds without statements that no run reaches: the output has to stay",
        text: include_str!("../presets/c-delete.toml"),
    },
    Preset {
        name: "c-wrong-code",
        about: "the programs of c-crash compiled and run; those of defined behaviour are compared with sanitizer builds",
        text: include_str!("../presets/c-wrong-code.toml"),
    },
    Preset {
        name: "c-spec",
        about: "C compilers at every optimization level on random programs without undefined behaviour; the minority is accused",
        text: include_str!("../presets/c-spec.toml"),
    },
    Preset {
        name: "c-known",
        about: "C programs whose output is known, on C compilers at every optimization level",
        text: include_str!("../presets/c-known.toml"),
    },
    Preset {
        name: "c-spec-crash",
        about: "C compilers at every optimization level on random programs that should compile: crashes, refusals and hangs",
        text: include_str!("../presets/c-spec-crash.toml"),
    },
    Preset {
        name: "c-gnu",
        about: "gcc and clang on random programs with vectors and statement expressions: crashes, refusals and hangs",
        text: include_str!("../presets/c-gnu.toml"),
    },
    Preset {
        name: "lua-spec",
        about: "Lua 5.1 to 5.4 and LuaJIT on random programs; the minority is accused",
        text: include_str!("../presets/lua-spec.toml"),
    },
    Preset {
        name: "lua-modern",
        about: "Lua 5.3 and 5.4 on random programs with goto, integer division and bit operations",
        text: include_str!("../presets/lua-modern.toml"),
    },
    Preset {
        name: "lua-skeleton",
        about: "Lua 5.1 to 5.4 and LuaJIT on every pattern of variable use of our seeds; the minority is accused",
        text: include_str!("../presets/lua-skeleton.toml"),
    },
    Preset {
        name: "javascript-spec",
        about: "JavaScript engines, small and large, on random programs of ECMAScript 5; the minority is accused",
        text: include_str!("../presets/javascript-spec.toml"),
    },
    Preset {
        name: "javascript-calls",
        about: "calls of ECMAScript 5's functions at the edge of what they take: wrong output",
        text: include_str!("../presets/javascript-calls.toml"),
    },
    Preset {
        name: "javascript-modern",
        about: "V8, JavaScriptCore, QuickJS and an interpreter on random programs of today's JavaScript",
        text: include_str!("../presets/javascript-modern.toml"),
    },
    Preset {
        name: "javascript-skeleton",
        about: "JavaScript engines on every pattern of variable use of our seeds; the minority is accused",
        text: include_str!("../presets/javascript-skeleton.toml"),
    },
    Preset {
        name: "awk-spec",
        about: "gawk, mawk, the original awk and BusyBox on random programs; the minority is accused",
        text: include_str!("../presets/awk-spec.toml"),
    },
    Preset {
        name: "awk-skeleton",
        about: "gawk, mawk, the original awk and BusyBox on every pattern of variable use of our seeds",
        text: include_str!("../presets/awk-skeleton.toml"),
    },
    Preset {
        name: "jq-spec",
        about: "the newest jq in two builds on random filters: crashes, hangs, differences",
        text: include_str!("../presets/jq-spec.toml"),
    },
    Preset {
        name: "jq-skeleton",
        about: "gojq and jaq beside jq on every pattern of variable use of our seeds",
        text: include_str!("../presets/jq-skeleton.toml"),
    },
    Preset {
        name: "sed-spec",
        about: "GNU sed, BusyBox and toybox on random scripts with their input; the minority is accused",
        text: include_str!("../presets/sed-spec.toml"),
    },
    Preset {
        name: "scheme-spec",
        about: "guile, chicken, gambit, scm and scheme9 on random programs of Scheme; the minority is accused",
        text: include_str!("../presets/scheme-spec.toml"),
    },
    Preset {
        name: "sh-spec",
        about: "dash, bash, mksh, yash, ksh and BusyBox on random programs of the POSIX shell; the minority is accused",
        text: include_str!("../presets/sh-spec.toml"),
    },
    Preset {
        name: "smt-wide",
        about: "newest z3 and cvc5 on random scripts of arrays, sequences, datatypes, quantifiers, with a stack of assertions",
        text: include_str!("../presets/smt-wide.toml"),
    },
    Preset {
        name: "sql-spec",
        about: "sqlite, duckdb, postgres and mariadb on random scripts; the minority is accused",
        text: include_str!("../presets/sql-spec.toml"),
    },
    Preset {
        name: "sql-new",
        about: "the newest releases of eight databases on random scripts; the minority is accused",
        text: include_str!("../presets/sql-new.toml"),
    },
    Preset {
        name: "sql-known",
        about: "scripts of SQL whose output is known, on newest databases",
        text: include_str!("../presets/sql-known.toml"),
    },
    Preset {
        name: "sql-one",
        about: "one database against itself (-t NAME): each script in several texts that print the same rows",
        text: include_str!("../presets/sql-one.toml"),
    },
    Preset {
        name: "smt-spec",
        about: "old and new solvers on random scripts (bit-vectors, floats, strings); the minority, or whose model is wrong, is accused",
        text: include_str!("../presets/smt-spec.toml"),
    },
    Preset {
        name: "evaluator",
        about: "our exact evaluator against the newest z3 and cvc5: 100,000 closed terms per theory",
        text: include_str!("../presets/evaluator.toml"),
    },
    Preset {
        name: "sol-template",
        about: "solc 0.7.1, which still has internal errors to find, on random contracts with many combinations of qualifiers",
        text: include_str!("../presets/sol-template.toml"),
    },
    Preset {
        name: "sol-new",
        about: "the newest solc on the contracts of sol-template, also by way of Yul and optimized",
        text: include_str!("../presets/sol-new.toml"),
    },
    Preset {
        name: "sol-quick",
        about: "five minutes of contracts whose behaviour is known and of equivalent variants, on the newest solc with three settings",
        text: include_str!("../presets/sol-quick.toml"),
    },
    Preset {
        name: "sol-suite",
        about: "solc's own tests with variables, types and qualifiers exchanged and pieces spliced, on the newest solc: crashes and hangs, half an hour",
        text: include_str!("../presets/sol-suite.toml"),
    },
    Preset {
        name: "sol-optimizer",
        about: "the newest solc: settings of the optimizer must not change what the contracts that come with lydite do",
        text: include_str!("../presets/sol-optimizer.toml"),
    },
    Preset {
        name: "sol-equivalence",
        about: "the newest solc at every setting of its optimizer: contracts against variants that must behave alike",
        text: include_str!("../presets/sol-equivalence.toml"),
    },
    Preset {
        name: "sol-pipelines",
        about: "the newest solc on random contracts, by its new code generator, with the encoders of its model checkers, and with all that it can print",
        text: include_str!("../presets/sol-pipelines.toml"),
    },
    Preset {
        name: "sol-yul",
        about: "the newest solc on objects of Yul whose behaviour is known: without its optimizer, with it, with random steps of it, and by its new code generator",
        text: include_str!("../presets/sol-yul.toml"),
    },
    Preset {
        name: "sol-format",
        about: "formatters of Solidity, and a writer of syntax trees: what they print becomes the same code, by the newest solc",
        text: include_str!("../presets/sol-format.toml"),
    },
    Preset {
        name: "sol-itself",
        about: "the newest solc against itself: names of files, comments, what it printed and reads again must not change its code",
        text: include_str!("../presets/sol-itself.toml"),
    },
    Preset {
        name: "sol-smt",
        about: "the model checkers of the newest solc on assertions of which it is known whether they fail",
        text: include_str!("../presets/sol-smt.toml"),
    },
    Preset {
        name: "sol-nodes",
        about: "EVMs of others on contracts whose behaviour is known",
        text: include_str!("../presets/sol-nodes.toml"),
    },
    Preset {
        name: "sol-tools",
        about: "a linter, parsers, analysers and a compiler for another machine on random contracts",
        text: include_str!("../presets/sol-tools.toml"),
    },
    Preset {
        name: "sol-suite-tools",
        about: "a linter, parsers and analysers on solc's own tests, changed and spliced",
        text: include_str!("../presets/sol-suite-tools.toml"),
    },
    Preset {
        name: "sol-solar",
        about: "the compiler solar on random contracts, and on contracts whose behaviour is known",
        text: include_str!("../presets/sol-solar.toml"),
    },
    Preset {
        name: "audit-smt",
        about: "strategies for SMT-LIB whose claims can be wrong, on the newest z3 and cvc5",
        text: include_str!("../presets/audit-smt.toml"),
    },
    Preset {
        name: "audit-solidity",
        about: "strategies for Solidity whose claims can be wrong, on several settings of the newest solc",
        text: include_str!("../presets/audit-solidity.toml"),
    },
    Preset {
        name: "audit-c",
        about: "spec c-safe on gcc and clang, with sanitizers",
        text: include_str!("../presets/audit-c.toml"),
    },
    Preset {
        name: "audit-gates",
        about: "what the gates of c-wrong-code call defined, on the newest gcc and clang",
        text: include_str!("../presets/audit-gates.toml"),
    },
    Preset {
        name: "audit-sql",
        about: "spec sql on sqlite, duckdb and postgres",
        text: include_str!("../presets/audit-sql.toml"),
    },
];

include!(concat!(env!("OUT_DIR"), "/shipped_seeds.rs"));

/// The plan of that name; its seeds are laid out below `cache`.
pub(crate) fn plan(name: &str, cache: &Path) -> Result<Plan> {
    let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) else {
        let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        match nearest(name, names.iter().copied()) {
            Some(near) => bail!("preset `{name}` is not known; did you mean `{near}`?"),
            None => bail!("preset `{name}` is not known (known: {})", names.join(", ")),
        }
    };
    let seeds = lay_out_seeds(cache)?;
    preset.plan(&seeds)
}

/// Writes the shipped seeds into the cache, under a name that tells their
/// content, and returns that folder.
fn lay_out_seeds(cache: &Path) -> Result<PathBuf> {
    let folder = cache.join("seeds").join(SHIPPED_SEEDS_DIGEST);
    if folder.is_dir() {
        return Ok(folder);
    }
    let fresh = cache
        .join("seeds")
        .join(format!(".{}.{SHIPPED_SEEDS_DIGEST}", std::process::id()));
    let written = (|| -> Result<()> {
        for (path, text) in SHIPPED_SEEDS {
            let file = fresh.join(path);
            fs::create_dir_all(file.parent().unwrap_or(&fresh))?;
            fs::write(&file, text)?;
        }
        // Another process may have been quicker; its copy is the same.
        if fs::rename(&fresh, &folder).is_err() && folder.is_dir() {
            fs::remove_dir_all(&fresh)?;
        }
        Ok(())
    })();
    written
        .with_context(|| folder.display().to_string())
        .context(Fault::CannotWrite)?;
    Ok(folder)
}

#[cfg(test)]
mod tests;
