//! Wrong rows on a real database: who is outvoted, and what is left of the
//! script. The database at fault is sqlite with another idea of LIKE.

use crate::lydite::Folder;
use crate::lydite::target_file::TargetFile;

const SCRIPT: &str = "\
CREATE TABLE t0 (c0 BIGINT NOT NULL, c1 BIGINT, c2 VARCHAR(8), PRIMARY KEY (c0));
INSERT INTO t0 VALUES (0, 12, 'ab'), (1, NULL, 'aB'), (2, 7, NULL);
CREATE TABLE t1 (c0 BIGINT NOT NULL, c1 BIGINT, PRIMARY KEY (c0));
INSERT INTO t1 VALUES (0, 3), (1, 4);
CREATE INDEX i0 ON t1 (c1);
CREATE VIEW v0 AS SELECT a0.c1 AS c0, a0.c2 AS c1 FROM t0 AS a0 WHERE (a0.c0 < 5);
SELECT q.c0 FROM (SELECT a0.c1 AS c0 FROM t1 AS a0) AS q ORDER BY q.c0 LIMIT 3;
SELECT q.c0, q.c1 FROM (
  SELECT COALESCE(a0.c0, 100) AS c0, MAX(a1.c1) OVER (PARTITION BY a0.c0) AS c1
  FROM v0 AS a0 LEFT JOIN t1 AS a1 ON (a1.c0 = 1)
  WHERE ((a0.c1 LIKE 'AB') OR (a0.c0 > 1000))
) AS q ORDER BY CASE WHEN q.c0 IS NULL THEN 0 ELSE 1 END, q.c0, q.c1;
DELETE FROM t1 WHERE (c0 > 0);
SELECT c0, c1 FROM t1 ORDER BY c0;
";

#[test]
fn wrong_rows_that_a_vote_convicts_are_reduced_and_keep_their_order() {
    let folder = Folder::new();
    let files = [
        ("badsql", "PRAGMA case_sensitive_like=ON"),
        ("goodsql", "PRAGMA cache_size=100"),
        ("finesql", "PRAGMA cache_size=200"),
    ];
    for (name, option) in files {
        let path = format!("lydite-targets/{name}.toml");
        TargetFile::sqlite(name, option).write(&folder, &path);
    }
    let names = files.map(|(name, _)| name);
    folder
        .run(&[&["targets", "install", "-q"], &names[..]].concat())
        .expect(0);
    folder.write("case.sql", SCRIPT);
    // Of three, two convict the third only with a reference among them.
    let targets: Vec<&str> = "-t badsql -t goodsql --reference finesql --oracles vote"
        .split(' ')
        .collect();
    let accused = |file: &str| {
        let json = folder
            .run(&[&["check", file, "--json"], &targets[..]].concat())
            .json();
        let symptoms = json["symptoms"].as_array().unwrap().clone();
        assert_eq!(symptoms.len(), 1, "{json}");
        assert_eq!(symptoms[0]["kind"], "wrong-output");
        symptoms[0]["target"].as_str().unwrap().to_string()
    };
    assert!(accused("case.sql").starts_with("badsql"));
    let args = ["reduce", "case.sql", "-o", "small.sql", "-q"];
    folder.run(&[&args[..], &targets[..]].concat()).expect(0);
    let small = std::fs::read_to_string(folder.path().join("small.sql")).unwrap();
    assert!(accused("small.sql").starts_with("badsql"));
    assert!(small.len() < SCRIPT.len() / 3, "{small}");
    assert!(
        small.contains("LIKE") && small.contains("ORDER BY"),
        "{small}"
    );
}
