//! A database that breaks is told from one that refuses a statement, in the words that each of
//! them uses.

#![allow(clippy::unwrap_used)]

mod reading;

use lydite_target::AnswerKind;
use reading::check;

/// Database, what its driver says, outcome.
const ROWS: &[(&str, &str, &str)] = &[
    (
        "apsw",
        "SQLError: near \"selec\": syntax error\n",
        "rejected: near \"selec\": syntax error",
    ),
    (
        "apsw",
        "CorruptError: database disk image is malformed\n",
        "self-refuted: CorruptError: database disk image is malformed",
    ),
    (
        "sqljs", "Error: no such column: b\n", "rejected: no such column: b",
    ),
    (
        "sqljs",
        "RuntimeError: memory access out of bounds\n",
        "crashed: memory access out of bounds",
    ),
    (
        "turso",
        "OperationalError: Parse error: no such column: b\n",
        "rejected: Parse error: no such column: b",
    ),
    (
        "turso",
        "thread 'main' panicked at core/vdbe/mod.rs:712:9:\nnot reached\nInternalPanic: not reached\n",
        "crashed: core/vdbe/mod.rs not reached",
    ),
    (
        "pglite",
        "42703 ERROR:  column \"b\" does not exist\n",
        "rejected: column \"b\" does not exist",
    ),
    (
        "pglite",
        "XX000 ERROR:  could not find pathkey item to sort\n",
        "crashed: could not find pathkey item to sort",
    ),
    (
        "pglite",
        "RuntimeError: unreachable\n",
        "crashed: RuntimeError: unreachable",
    ),
    (
        "datafusion",
        "Exception: DataFusion error: Schema error: No field named b.\n",
        "rejected: Schema error: No field named b.",
    ),
    (
        "datafusion",
        "Exception: DataFusion error: Schema error: Schema contains duplicate unqualified field name \"max(t.a)\"\n",
        "rejected: Schema error: Schema contains duplicate unqualified field name",
    ),
    (
        "datafusion",
        "Exception: DataFusion error: Error during planning: Windows require unique expression names but the expression \"min(t.b)\" at position 0 and \"min(t.b)\" at position 1 have the same name.\n",
        "rejected: Windows require unique expression names",
    ),
    (
        "datafusion",
        "Exception: DataFusion error: SanityCheckPlan\ncaused by\nError during planning: Plan: [\"BoundedWindowAggExec\"] does not satisfy order requirements: [a@0 ASC]\n",
        "crashed: SanityCheckPlan does not satisfy order requirements",
    ),
    (
        "datafusion",
        "Exception: DataFusion error: Schema error: No field named __common_expr_1.\n",
        "rejected: Schema error: No field named __common_expr_1.",
    ),
    // A column of the script, and one that it has made itself.
    (
        "polars",
        "ColumnNotFoundError: unable to find column \"b\"; valid columns: [\"a\"]\n",
        "rejected: unable to find column",
    ),
    (
        "polars",
        "ColumnNotFoundError: unable to find column \"s:y\"; valid columns: [\"s\"]\n",
        "crashed: unable to find column",
    ),
    (
        "polars",
        "ColumnNotFoundError: unable to find column \"c4\"; valid columns: [\"c0\"]\n\nResolved plan until failure:\n\nLEFT NESTED LOOP JOIN ON col(\"c4\").is_null():\n\nThis error occurred with the following context stack:\n\t[1] 'join_where' failed\n",
        "crashed: unable to find column",
    ),
    (
        "polars",
        "SchemaError: type Int32 is incompatible with expected type Unknown(Int(0))\n",
        "crashed: type Int32 is incompatible with expected type Unknown(Int(0))",
    ),
    (
        "polars",
        "SQLInterfaceError: sql parser error: Expected: an SQL statement, found: selec at Line: 1, Column: 1\n",
        "unsupported: sql parser error: Expected: an SQL statement, found: selec at Line: 1, Column: 1",
    ),
    (
        "chdb",
        "RuntimeError: Code: 47. DB::Exception: Unknown expression identifier `b`. Maybe you meant: ['a']. In scope SELECT b FROM t. (UNKNOWN_IDENTIFIER)\n",
        "rejected: Unknown expression identifier `b`. Maybe you meant: ['a'] UNKNOWN_IDENTIFIER",
    ),
    (
        "chdb",
        "RuntimeError: Code: 49. DB::Exception: Logical error: 'Invalid action query tree node'. (LOGICAL_ERROR)\n",
        "crashed: Logical error: 'Invalid action query tree node'. (LOGICAL_ERROR)",
    ),
    (
        "chdb",
        "RuntimeError: Code: 241. DB::Exception: Memory limit (total) exceeded. (MEMORY_LIMIT_EXCEEDED)\n",
        "out-of-memory",
    ),
    (
        "alasql",
        "Error: Column does not exist: b\n",
        "rejected: Column does not exist: b",
    ),
    (
        "alasql",
        "TypeError: Cannot read properties of undefined (reading 'columns')\n",
        "crashed: TypeError: Cannot read properties of undefined (reading 'columns')",
    ),
    (
        "stoolap",
        "StoolapError: primary key constraint failed with 1 already exists in this table\n",
        "rejected: primary key constraint failed with 1 already exists in this table",
    ),
    (
        "stoolap",
        "thread '<unnamed>' panicked at library/alloc/src/collections/btree/search.rs:121:17:\nrange start is greater than range end in BTreeMap\n",
        "crashed: library/alloc/src/collections/btree/search.rs range start is greater than range end in BTreeMap",
    ),
    (
        "h2",
        "42122: Column \"B\" not found; SQL statement:\nselect b from t\n",
        "rejected: Column \"B\" not found",
    ),
    (
        "h2",
        "HY000: General error: \"java.lang.NullPointerException\"; SQL statement:\nselect 1\n",
        "crashed: General error: \"java.lang.NullPointerException\"; SQL statement:",
    ),
    (
        "firebird",
        "42000: Token unknown - line 1, column 1; selec\n",
        "rejected: Token unknown - line 1, column 1; selec",
    ),
    (
        "firebird",
        "HY000: invalid request BLR at offset 89; context already in use (BLR error)\n",
        "crashed: invalid request BLR context already in use (BLR error)",
    ),
    (
        "databend",
        "RuntimeError: DataBend Error: PanicError. Code: 1104, Text = called `Option::unwrap()` on a `None` value.\n",
        "crashed: PanicError. Code: 1104, Text = called `Option::unwrap()` on a `None` value",
    ),
    (
        "mariadb",
        "ERROR 1034 (HY000) at line 4: Index for table 't' is corrupt; try to repair it\n",
        "self-refuted: ERROR 1034 (HY000) at line 4: Index for table 't' is corrupt; try to repair it",
    ),
];

#[test]
fn a_database_that_breaks_is_told_from_one_that_refuses_a_statement() {
    let rows: Vec<_> = ROWS
        .iter()
        .map(|&(family, said, expected)| (family, 1, "", said, expected))
        .collect();
    check(AnswerKind::Output, &rows);
}
