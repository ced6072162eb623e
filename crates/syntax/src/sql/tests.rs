use lydite_core::{Language, Program};

use super::Sql;

/// What the edits that do this make of a text.
fn edited(text: &str, what: &str) -> Vec<String> {
    let program = Program::single("case.sql", text.as_bytes());
    let edits = Sql.edits(&program);
    let made = edits.filter(|edit| edit.what == what);
    made.map(|edit| String::from_utf8_lossy(&edit.program.source().text).replace("  ", " "))
        .collect()
}

#[test]
fn edits_follow_statements_clauses_lists_and_operands() {
    for (text, what, expected) in [
        ("a; b 'x;y'; c;", "remove 1 statements", "a; c;"),
        ("a; b; c;", "remove 2 statements", " c;"),
        (
            "CREATE TABLE t (a INT); CREATE VIEW v AS SELECT a FROM t; SELECT 1;",
            "remove all that uses t",
            " SELECT 1;",
        ),
        (
            "CREATE TABLE t(a INT);CREATE VIEW v AS SELECT a FROM t;SELECT a FROM v AS x;",
            "read t in place of v",
            "CREATE TABLE t(a INT);SELECT a FROM t AS x;",
        ),
        (
            "CREATE TABLE t(a INT,b INT);INSERT INTO t VALUES(1,2),(3,4);SELECT a,b FROM t ORDER BY a;",
            "remove column b of t",
            "CREATE TABLE t(a INT);INSERT INTO t VALUES(1),(3);SELECT a FROM t ORDER BY a;",
        ),
        (
            "SELECT a FROM t WHERE a>1 LIMIT 1",
            "remove WHERE",
            "SELECT a FROM t LIMIT 1",
        ),
        (
            "SELECT a FROM t LEFT OUTER JOIN s ON x=y WHERE a",
            "remove LEFT",
            "SELECT a FROM t WHERE a",
        ),
        (
            "SELECT a FROM t WHERE LEFT(a,1)",
            "remove WHERE",
            "SELECT a FROM t ",
        ),
        (
            "SELECT a FROM t UNION ALL SELECT b FROM s ORDER BY 1",
            "leave the query on the right",
            " SELECT b FROM s ORDER BY 1",
        ),
        (
            "SELECT a FROM t UNION ALL SELECT b FROM s ORDER BY 1",
            "leave the query on the left",
            "SELECT a FROM t ORDER BY 1",
        ),
        ("SELECT a,f(b,c),d", "remove 1 of a list", "SELECT a,f(c),d"),
        ("SELECT a,f(b,c),d", "remove 1 of a list", "SELECT f(b,c),d"),
        ("SELECT (a+b AND c)", "remove an operand", "SELECT ( c)"),
        ("SELECT (a+b AND c)", "remove an operand", "SELECT (a)"),
        (
            "SELECT MAX(f(a)) OVER (PARTITION BY b) FROM t",
            "put something simpler in place of an expression",
            "SELECT f(a) FROM t",
        ),
        (
            "SELECT CASE WHEN a THEN b ELSE c END FROM t",
            "put something simpler in place of an expression",
            "SELECT b FROM t",
        ),
        (
            "SELECT q.a,q.b FROM (SELECT x AS a,y AS b FROM t EXCEPT SELECT 1,2) AS q ORDER BY q.a,CASE WHEN q.b THEN 0 END,q.b;",
            "show no b",
            "SELECT q.a FROM (SELECT x AS a FROM t EXCEPT SELECT 1) AS q ORDER BY q.a;",
        ),
        ("SELECT 12345", "put a shorter literal", "SELECT 12"),
        ("SELECT 'abcd'", "put a shorter literal", "SELECT 'ab'"),
        (
            "SELECT DISTINCT a AS b", "remove a word", "SELECT DISTINCT a ",
        ),
        ("SELECT DISTINCT a AS b", "remove a word", "SELECT a AS b"),
        (
            " -- x\nSELECT  a ;\n\n/* y */ SELECT b;\n",
            "remove comments and white space",
            "SELECT a ;\nSELECT b;\n",
        ),
    ] {
        let made = edited(text, what);
        assert!(
            made.contains(&expected.to_string()),
            "{text}: {what}: {made:?}"
        );
    }
}

#[test]
fn a_query_keeps_its_order_and_a_table_its_key() {
    let text =
        "CREATE TABLE t (a INT, b INT, PRIMARY KEY (a));\nSELECT a, b FROM t ORDER BY a, b + 1;\n";
    let program = Program::single("case.sql", text.as_bytes());
    for edit in Sql.edits(&program) {
        let made = String::from_utf8_lossy(&edit.program.source().text).into_owned();
        let has = |word: &str| made.contains(word);
        assert!(
            !has("CREATE") || has("PRIMARY KEY (a)"),
            "{}: {made}",
            edit.what
        );
        let whole = has("ORDER BY a, b + 1") || !has("a, b ") && has("ORDER BY");
        assert!(!has("SELECT") || whole, "{}: {made}", edit.what);
    }
}

#[test]
fn which_rows_there_are_stays_certain() {
    let text = "SELECT q.a FROM (SELECT a FROM t ORDER BY CASE WHEN a > 1 THEN 0 END, a LIMIT 2) AS q \
        WHERE (SUM(b) OVER (PARTITION BY c ORDER BY (d + 1), e) > 1) ORDER BY q.a;";
    let program = Program::single("case.sql", text.as_bytes());
    for edit in Sql.edits(&program) {
        let made = String::from_utf8_lossy(&edit.program.source().text).into_owned();
        let has = |word: &str| made.contains(word);
        let limited = !has("LIMIT") || has("ORDER BY CASE WHEN a > 1 THEN 0 END, a LIMIT");
        let window = !has("OVER (PARTITION") || has("ORDER BY (d + 1), e)");
        assert!(limited && window, "{}: {made}", edit.what);
    }
    // Of parts of the rows there are several counts.
    let counted = "SELECT COUNT(*) FROM t;";
    let in_parts = "SELECT SUM(c) FROM (SELECT COUNT(*) AS c FROM t WHERE a UNION ALL SELECT COUNT(*) AS c FROM t);";
    let edits = edited_alike(
        &[counted, in_parts],
        "put something simpler in place of an expression",
    );
    assert_eq!(edits, Vec::<Vec<String>>::new());
    let counted = "SELECT s.a, s.b FROM (SELECT COUNT(*) AS a, 0 AS b FROM t) AS s;";
    let in_parts = "SELECT SUM(s.a), MAX(s.b) FROM (SELECT COUNT(*) AS a, 0 AS b FROM t) AS s;";
    assert!(edited_alike(&[counted, in_parts], "show no a").is_empty());
    let first = "SELECT q.a, q.b FROM (SELECT a, b FROM t WHERE a) AS q ORDER BY q.a, q.b;";
    let second = first.replace("WHERE a", "WHERE CASE WHEN a THEN 1 END = 1");
    let shown = "SELECT q.b FROM (SELECT b FROM t WHERE a) AS q ORDER BY q.b;";
    let shorter = [
        shown.to_string(),
        shown.replace("WHERE a", "WHERE CASE WHEN a THEN 1 END = 1"),
    ];
    let edits = edited_alike(&[first, &second], "show no a");
    let plain = |text: &String| text.replace("  ", " ");
    let edits: Vec<Vec<String>> = edits
        .iter()
        .map(|all| all.iter().map(plain).collect())
        .collect();
    assert!(edits.contains(&shorter.to_vec()), "{edits:?}");
}

#[test]
fn hostile_scripts_have_edits_that_are_smaller() {
    let deep = format!("SELECT {}1{};", "(".repeat(20_000), ")".repeat(20_000));
    let cases = format!("SELECT {}1", "CASE WHEN ".repeat(20_000));
    for text in [
        deep.as_bytes(),
        cases.as_bytes(),
        b"'",
        b"\"",
        b"$$",
        b"$a$ $a",
        b"/*",
        b")))((",
        b"END;;;",
        b"CREATE TABLE",
        b"CREATE TABLE t (",
        b"SELECT , FROM",
        b"\xff\xfe';\x00",
        b"",
        b";",
        b"CREATE VIEW v",
        b"INSERT INTO t VALUES (), (,);",
        b"SELECT UNION SELECT",
        b"CASE END AS",
    ] {
        let program = Program::single("case.sql", text.to_vec());
        for edit in Sql.edits(&program).take(2000) {
            assert!(edit.program.source().text.len() < text.len());
        }
        Sql.fingerprint(&program);
        Sql.constructs(&program);
    }
}

#[test]
fn names_and_layout_do_not_matter_to_the_fingerprint() {
    let of = |text: &str| Sql.fingerprint(&Program::single("case.sql", text.as_bytes()));
    assert_eq!(
        of("SELECT a, MAX(b) FROM t"),
        of("select x,max( y ) -- z\nfrom u")
    );
    assert_ne!(of("SELECT a, MAX(a) FROM t"), of("SELECT a, MAX(b) FROM t"));
    let program = Program::single("case.sql", "SELECT a + lower('x') FROM t".as_bytes());
    let constructs: Vec<String> = Sql.constructs(&program).into_iter().collect();
    assert_eq!(constructs, ["+", "FROM", "LOWER", "SELECT"]);
    assert!(super::KEYWORDS.is_sorted());
}

/// What the edits of equals that do this make of texts.
fn edited_alike(texts: &[&str], what: &str) -> Vec<Vec<String>> {
    let programs: Vec<Program> = texts
        .iter()
        .map(|text| Program::single("case.sql", text.as_bytes()))
        .collect();
    let text = |program: &Program| String::from_utf8_lossy(&program.source().text).into_owned();
    let edits = Sql.edits_of_equals(&programs);
    let made = edits.filter(|(done, _)| done == what);
    made.map(|(_, programs)| programs.iter().map(text).collect())
        .collect()
}

#[test]
fn scripts_that_are_equivalent_are_edited_alike() {
    let first = "CREATE TABLE t (a INT);INSERT INTO t VALUES (1),(2);CREATE INDEX i ON t (a);SELECT a FROM t WHERE (a < (1 + 2));";
    let second = "CREATE TABLE t (a INT);INSERT INTO t VALUES (1),(2);SELECT a FROM t WHERE CASE WHEN (a < (1 + 2)) THEN 1 ELSE 0 END = 1;";
    for (what, expected) in [
        // What one of them has not got.
        (
            "remove 1 statements of all",
            [
                first.replace("CREATE INDEX i ON t (a);", ""),
                second.to_string(),
            ],
        ),
        // A statement of all.
        (
            "remove 1 of a list",
            [first.replace(",(2)", ""), second.replace(",(2)", "")],
        ),
        // An expression, wherever it stands.
        (
            "put something simpler in place of an expression",
            [
                first.replace("(1 + 2)", "1"),
                second.replace("(1 + 2)", "1"),
            ],
        ),
    ] {
        let made = edited_alike(&[first, second], what);
        assert!(made.contains(&expected.to_vec()), "{what}: {made:?}");
    }
}

#[test]
fn how_one_script_is_written_is_no_part_of_what_is_edited() {
    let first = "SELECT a FROM t;";
    let second = "SELECT a FROM t WHERE (a < b) UNION ALL SELECT a FROM t WHERE (NOT (a < b)) UNION ALL SELECT a FROM t WHERE ((a < b) IS NULL);";
    let made = edited_alike(
        &[first, second],
        "put something simpler in place of an expression",
    );
    let texts: Vec<&str> = made.iter().map(|texts| texts[1].as_str()).collect();
    assert!(texts.contains(&second.replace("(a < b)", "1").as_str()));
    assert!(
        texts
            .iter()
            .all(|text| text.contains("(NOT ") && text.contains(" IS NULL)"))
    );
}
