//! The target files that come with Lydite, and the drivers that they name, as texts inside of
//! the program.

/// The target files that come with Lydite.
pub(crate) const BUILT_IN: &[(&str, &str)] = &[
    ("z3.toml", include_str!("../../../targets/z3.toml")),
    ("cvc5.toml", include_str!("../../../targets/cvc5.toml")),
    ("cvc4.toml", include_str!("../../../targets/cvc4.toml")),
    (
        "bitwuzla.toml",
        include_str!("../../../targets/bitwuzla.toml"),
    ),
    (
        "boolector.toml",
        include_str!("../../../targets/boolector.toml"),
    ),
    ("yices.toml", include_str!("../../../targets/yices.toml")),
    ("gcc.toml", include_str!("../../../targets/gcc.toml")),
    ("clang.toml", include_str!("../../../targets/clang.toml")),
    ("g++.toml", include_str!("../../../targets/g++.toml")),
    (
        "clang++.toml",
        include_str!("../../../targets/clang++.toml"),
    ),
    (
        "clang-tidy.toml",
        include_str!("../../../targets/clang-tidy.toml"),
    ),
    (
        "clang-tidy++.toml",
        include_str!("../../../targets/clang-tidy++.toml"),
    ),
    ("rustc.toml", include_str!("../../../targets/rustc.toml")),
    ("scala.toml", include_str!("../../../targets/scala.toml")),
    ("tcc.toml", include_str!("../../../targets/tcc.toml")),
    ("pcc.toml", include_str!("../../../targets/pcc.toml")),
    (
        "chibicc.toml",
        include_str!("../../../targets/chibicc.toml"),
    ),
    (
        "c-meaning.toml",
        include_str!("../../../targets/c-meaning.toml"),
    ),
    ("sdcc.toml", include_str!("../../../targets/sdcc.toml")),
    ("lua.toml", include_str!("../../../targets/lua.toml")),
    ("luajit.toml", include_str!("../../../targets/luajit.toml")),
    ("sqlite.toml", include_str!("../../../targets/sqlite.toml")),
    ("duckdb.toml", include_str!("../../../targets/duckdb.toml")),
    (
        "postgres.toml",
        include_str!("../../../targets/postgres.toml"),
    ),
    (
        "mariadb.toml",
        include_str!("../../../targets/mariadb.toml"),
    ),
    (
        "datafusion.toml",
        include_str!("../../../targets/datafusion.toml"),
    ),
    ("turso.toml", include_str!("../../../targets/turso.toml")),
    ("chdb.toml", include_str!("../../../targets/chdb.toml")),
    ("polars.toml", include_str!("../../../targets/polars.toml")),
    ("pglite.toml", include_str!("../../../targets/pglite.toml")),
    ("alasql.toml", include_str!("../../../targets/alasql.toml")),
    (
        "stoolap.toml",
        include_str!("../../../targets/stoolap.toml"),
    ),
    (
        "firebird.toml",
        include_str!("../../../targets/firebird.toml"),
    ),
    ("h2.toml", include_str!("../../../targets/h2.toml")),
    (
        "databend.toml",
        include_str!("../../../targets/databend.toml"),
    ),
    ("sqljs.toml", include_str!("../../../targets/sqljs.toml")),
    ("apsw.toml", include_str!("../../../targets/apsw.toml")),
    ("node.toml", include_str!("../../../targets/node.toml")),
    ("bun.toml", include_str!("../../../targets/bun.toml")),
    (
        "quickjs.toml",
        include_str!("../../../targets/quickjs.toml"),
    ),
    (
        "quickjs-ng.toml",
        include_str!("../../../targets/quickjs-ng.toml"),
    ),
    (
        "quickjs-python.toml",
        include_str!("../../../targets/quickjs-python.toml"),
    ),
    ("mujs.toml", include_str!("../../../targets/mujs.toml")),
    (
        "duktape.toml",
        include_str!("../../../targets/duktape.toml"),
    ),
    ("boa.toml", include_str!("../../../targets/boa.toml")),
    ("hermes.toml", include_str!("../../../targets/hermes.toml")),
    ("sval.toml", include_str!("../../../targets/sval.toml")),
    (
        "gnu-sed.toml",
        include_str!("../../../targets/gnu-sed.toml"),
    ),
    (
        "busybox-sed.toml",
        include_str!("../../../targets/busybox-sed.toml"),
    ),
    (
        "toybox-sed.toml",
        include_str!("../../../targets/toybox-sed.toml"),
    ),
    (
        "uutils-sed.toml",
        include_str!("../../../targets/uutils-sed.toml"),
    ),
    ("guile.toml", include_str!("../../../targets/guile.toml")),
    (
        "chicken.toml",
        include_str!("../../../targets/chicken.toml"),
    ),
    ("gambit.toml", include_str!("../../../targets/gambit.toml")),
    ("scm.toml", include_str!("../../../targets/scm.toml")),
    (
        "scheme9.toml",
        include_str!("../../../targets/scheme9.toml"),
    ),
    (
        "sigscheme.toml",
        include_str!("../../../targets/sigscheme.toml"),
    ),
    ("gawk.toml", include_str!("../../../targets/gawk.toml")),
    ("mawk.toml", include_str!("../../../targets/mawk.toml")),
    (
        "original-awk.toml",
        include_str!("../../../targets/original-awk.toml"),
    ),
    (
        "busybox-awk.toml",
        include_str!("../../../targets/busybox-awk.toml"),
    ),
    ("jq.toml", include_str!("../../../targets/jq.toml")),
    (
        "jq-python.toml",
        include_str!("../../../targets/jq-python.toml"),
    ),
    (
        "jq-wasm.toml",
        include_str!("../../../targets/jq-wasm.toml"),
    ),
    ("jqjs.toml", include_str!("../../../targets/jqjs.toml")),
    ("gojq.toml", include_str!("../../../targets/gojq.toml")),
    ("jaq.toml", include_str!("../../../targets/jaq.toml")),
    ("xq.toml", include_str!("../../../targets/xq.toml")),
    ("dash.toml", include_str!("../../../targets/dash.toml")),
    ("bash.toml", include_str!("../../../targets/bash.toml")),
    ("mksh.toml", include_str!("../../../targets/mksh.toml")),
    ("yash.toml", include_str!("../../../targets/yash.toml")),
    ("ksh.toml", include_str!("../../../targets/ksh.toml")),
    (
        "busybox-sh.toml",
        include_str!("../../../targets/busybox-sh.toml"),
    ),
    ("jsc.toml", include_str!("../../../targets/jsc.toml")),
    ("solc.toml", include_str!("../../../targets/solc.toml")),
    (
        "solc-yul.toml",
        include_str!("../../../targets/solc-yul.toml"),
    ),
    (
        "ganache.toml",
        include_str!("../../../targets/ganache.toml"),
    ),
    (
        "slither.toml",
        include_str!("../../../targets/slither.toml"),
    ),
    ("solar.toml", include_str!("../../../targets/solar.toml")),
    ("wake.toml", include_str!("../../../targets/wake.toml")),
    (
        "prettier-solidity.toml",
        include_str!("../../../targets/prettier-solidity.toml"),
    ),
    (
        "forge-fmt.toml",
        include_str!("../../../targets/forge-fmt.toml"),
    ),
    (
        "solc-smt.toml",
        include_str!("../../../targets/solc-smt.toml"),
    ),
    ("edr.toml", include_str!("../../../targets/edr.toml")),
    ("pyrevm.toml", include_str!("../../../targets/pyrevm.toml")),
    (
        "ganache-cli.toml",
        include_str!("../../../targets/ganache-cli.toml"),
    ),
    ("resolc.toml", include_str!("../../../targets/resolc.toml")),
    (
        "solhint.toml",
        include_str!("../../../targets/solhint.toml"),
    ),
    (
        "solc-typed-ast.toml",
        include_str!("../../../targets/solc-typed-ast.toml"),
    ),
    ("slang.toml", include_str!("../../../targets/slang.toml")),
    (
        "ethereumjs.toml",
        include_str!("../../../targets/ethereumjs.toml"),
    ),
    (
        "solidity-parser.toml",
        include_str!("../../../targets/solidity-parser.toml"),
    ),
];

/// The drivers that come with Lydite.
pub(crate) const DRIVERS: &[(&str, &str)] = &[
    ("cvc5.c", include_str!("../../../targets/drivers/cvc5.c")),
    (
        "boolector.c",
        include_str!("../../../targets/drivers/boolector.c"),
    ),
    (
        "run-scala.sh",
        include_str!("../../../targets/drivers/run-scala.sh"),
    ),
    (
        "stdarg.h",
        include_str!("../../../targets/drivers/stdarg.h"),
    ),
    (
        "run-cvc5.py",
        include_str!("../../../targets/drivers/run-cvc5.py"),
    ),
    (
        "run-bitwuzla.py",
        include_str!("../../../targets/drivers/run-bitwuzla.py"),
    ),
    (
        "run-duckdb.py",
        include_str!("../../../targets/drivers/run-duckdb.py"),
    ),
    (
        "run-postgres.py",
        include_str!("../../../targets/drivers/run-postgres.py"),
    ),
    (
        "run-mariadb.py",
        include_str!("../../../targets/drivers/run-mariadb.py"),
    ),
    (
        "sql_session.py",
        include_str!("../../../targets/drivers/sql_session.py"),
    ),
    (
        "sql-session.js",
        include_str!("../../../targets/drivers/sql-session.js"),
    ),
    (
        "run-datafusion.py",
        include_str!("../../../targets/drivers/run-datafusion.py"),
    ),
    (
        "run-turso.py",
        include_str!("../../../targets/drivers/run-turso.py"),
    ),
    (
        "run-chdb.py",
        include_str!("../../../targets/drivers/run-chdb.py"),
    ),
    (
        "run-polars.py",
        include_str!("../../../targets/drivers/run-polars.py"),
    ),
    (
        "run-apsw.py",
        include_str!("../../../targets/drivers/run-apsw.py"),
    ),
    (
        "run-pglite.mjs",
        include_str!("../../../targets/drivers/run-pglite.mjs"),
    ),
    (
        "run-alasql.js",
        include_str!("../../../targets/drivers/run-alasql.js"),
    ),
    (
        "run-sqljs.js",
        include_str!("../../../targets/drivers/run-sqljs.js"),
    ),
    (
        "run-stoolap.py",
        include_str!("../../../targets/drivers/run-stoolap.py"),
    ),
    (
        "run-firebird.py",
        include_str!("../../../targets/drivers/run-firebird.py"),
    ),
    (
        "run-databend.py",
        include_str!("../../../targets/drivers/run-databend.py"),
    ),
    (
        "RunJdbc.java",
        include_str!("../../../targets/drivers/RunJdbc.java"),
    ),
    (
        "run-quickjs.py",
        include_str!("../../../targets/drivers/run-quickjs.py"),
    ),
    (
        "run-quickjs.js",
        include_str!("../../../targets/drivers/run-quickjs.js"),
    ),
    (
        "run-sval.js",
        include_str!("../../../targets/drivers/run-sval.js"),
    ),
    (
        "run-jq.py",
        include_str!("../../../targets/drivers/run-jq.py"),
    ),
    (
        "run-jq.js",
        include_str!("../../../targets/drivers/run-jq.js"),
    ),
    (
        "requests.js",
        include_str!("../../../targets/drivers/requests.js"),
    ),
    (
        "run-edr.js",
        include_str!("../../../targets/drivers/run-edr.js"),
    ),
    (
        "run-pyrevm.py",
        include_str!("../../../targets/drivers/run-pyrevm.py"),
    ),
    (
        "run-resolc.js",
        include_str!("../../../targets/drivers/run-resolc.js"),
    ),
    (
        "run-solhint.js",
        include_str!("../../../targets/drivers/run-solhint.js"),
    ),
    (
        "run-solc.js",
        include_str!("../../../targets/drivers/run-solc.js"),
    ),
    (
        "run-ganache.js",
        include_str!("../../../targets/drivers/run-ganache.js"),
    ),
    (
        "analysers.py",
        include_str!("../../../targets/drivers/analysers.py"),
    ),
    (
        "run-wake.py",
        include_str!("../../../targets/drivers/run-wake.py"),
    ),
    (
        "run-slither.py",
        include_str!("../../../targets/drivers/run-slither.py"),
    ),
    (
        "run-prettier-solidity.mjs",
        include_str!("../../../targets/drivers/run-prettier-solidity.mjs"),
    ),
    (
        "run-solc-typed-ast.js",
        include_str!("../../../targets/drivers/run-solc-typed-ast.js"),
    ),
    (
        "run-slang.mjs",
        include_str!("../../../targets/drivers/run-slang.mjs"),
    ),
    (
        "run-ethereumjs.mjs",
        include_str!("../../../targets/drivers/run-ethereumjs.mjs"),
    ),
    (
        "run-solidity-parser.js",
        include_str!("../../../targets/drivers/run-solidity-parser.js"),
    ),
];
