#!/usr/bin/env python3
"""In how many scripts of spec `sql` each construct occurs, with everything switched on.

    scripts/constructs.py [-n SCRIPTS] [--height H] [--seed S] [--lydite PATH]

A construct that occurs in none is an error.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

CONSTRUCTS = [
    ("schemas", r"CREATE SCHEMA"),
    ("BOOLEAN", r" BOOLEAN\b"),
    ("SMALLINT", r" SMALLINT\b"),
    ("INTEGER", r", c\d+ INTEGER\b"),
    ("DEFAULT", r" DEFAULT -?\d"),
    ("identity", r"AS IDENTITY"),
    ("a key that the database gives", r"INSERT INTO \S+ \(c[1-9]\d*\)"),
    ("CHECK", r" CHECK \("),
    ("REFERENCES", r" REFERENCES "),
    ("ON DELETE", r" ON DELETE CASCADE| ON DELETE SET NULL"),
    ("a key that changes", r"^UPDATE \S+ SET c0 = "),
    ("UNIQUE", r", UNIQUE \("),
    ("dates as columns", r" DATE[,)]"),
    ("decimals as columns", r" DECIMAL\(10, 2\)[,)]"),
    ("INSERT with columns", r"INSERT INTO \S+ \(c0, "),
    ("INSERT … SELECT", r"INSERT INTO \S+ SELECT"),
    ("upsert", r"ON CONFLICT"),
    ("RETURNING", r"RETURNING"),
    ("UPDATE", r"^UPDATE "),
    ("DELETE", r"^DELETE "),
    ("ADD COLUMN", r"ADD COLUMN c"),
    ("DROP COLUMN", r"DROP COLUMN"),
    ("DROP", r"DROP TABLE"),
    ("TRUNCATE", r"TRUNCATE"),
    ("CREATE TABLE AS", r"CREATE TABLE \S+ AS"),
    ("an index", r"CREATE INDEX i\d+ ON \S+ \(c\d+\)"),
    ("of two columns", r"INDEX i\d+ ON \S+ \(c\d+, c0\)"),
    ("unique", r"CREATE UNIQUE INDEX"),
    ("partial, of an expression", r"INDEX i\d+ ON \S+ \(\(.* DESC\) WHERE"),
    ("ANALYZE", r"^ANALYZE"),
    ("ROLLBACK", r"^ROLLBACK;"),
    ("savepoints", r"^SAVEPOINT"),
    ("triggers", r"CREATE TRIGGER"),
    ("views", r"CREATE VIEW"),
    ("views on views", r"CREATE VIEW v\d+ AS\n(?:  .*\n)*?.*\bv\d+ AS a\d"),
    ("WITH", r"WITH w\d"),
    ("WITH RECURSIVE", r"WITH RECURSIVE"),
    ("over a table", r"UNION ALL SELECT e\."),
    ("each row once", r"UNION SELECT \S*e\."),
    ("derived tables", r"FROM \(\n"),
    ("INNER JOIN", r"INNER JOIN"),
    ("LEFT JOIN", r"LEFT JOIN"),
    ("RIGHT JOIN", r"RIGHT JOIN"),
    ("FULL JOIN", r"FULL OUTER JOIN"),
    ("CROSS JOIN", r"CROSS JOIN"),
    ("NATURAL", r"NATURAL "),
    ("USING", r"USING \("),
    ("LATERAL", r"LATERAL"),
    ("UNION", r"UNION"),
    ("EXCEPT", r"EXCEPT"),
    ("INTERSECT", r"INTERSECT"),
    ("GROUP BY", r"GROUP BY"),
    ("HAVING", r"HAVING"),
    ("DISTINCT in an aggregate", r"\((?:DISTINCT )\S"),
    ("FILTER", r"FILTER \("),
    ("windows", r"OVER \("),
    ("frames", r"ROWS BETWEEN"),
    ("RANK", r"RANK\(\)"),
    ("ROW_NUMBER", r"ROW_NUMBER"),
    ("LAG", r"LAG\("),
    ("LEAD", r"LEAD\("),
    ("FIRST_VALUE", r"FIRST_VALUE"),
    ("LAST_VALUE", r"LAST_VALUE"),
    ("EXISTS", r"EXISTS \("),
    ("IN over a subquery", r"IN \(SELECT"),
    ("a scalar subquery", r"[(=<>,] ?\(SELECT"),
    ("ASC, DESC", r" (?:ASC|DESC) NULLS"),
    ("LIMIT", r"LIMIT \d"),
    ("OFFSET", r"OFFSET \d"),
    ("CAST", r"CAST\("),
    ("CASE", r"CASE WHEN"),
    ("COALESCE", r"COALESCE\("),
    ("NULLIF", r"NULLIF\("),
    ("LIKE", r"LIKE '"),
    ("BETWEEN", r"BETWEEN "),
    ("division", r" / NULLIF"),
    ("JSON", r"JSON_EXTRACT"),
    ("dates", r"DATE '"),
    ("decimals", r"DECIMAL\("),
    ("collations", r"COLLATE"),
    ("prepared", r"^PREPARE"),
    ("reopened", r"^-- reopen"),
]


def scripts(options, texts):
    with tempfile.TemporaryDirectory() as folder:
        argv = [options.lydite, "generate", "spec", "-q", "-n", str(options.n), "-o", folder]
        argv += ["--seed", str(options.seed), "--set", "spec=" + options.spec, "--set", "height=%d" % options.height]
        subprocess.run([*argv, "--set", "texts=" + texts], check=True)
        for path in sorted(glob.glob(os.path.join(folder, "*.sql"))):
            with open(path, encoding="utf-8") as file:
                yield file.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-n", type=int, default=500)
    parser.add_argument("--height", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--spec", default="sql")
    parser.add_argument("--lydite", default="target/release/lydite")
    options = parser.parse_args()
    patterns = [(name, re.compile(pattern, re.MULTILINE)) for name, pattern in CONSTRUCTS]
    counts = {name: 0 for name, _ in patterns}
    # Two of the constructs are those of further texts, which have all else again.
    further = {"prepared": "prepared", "reopened": "reopened"}
    for text in ["none", *further.values()]:
        for script in scripts(options, text):
            for name, pattern in patterns:
                if (text == "none" and name not in further) or further.get(name) == text:
                    counts[name] += bool(pattern.search(script))
    for name, count in counts.items():
        print("%-30s %d" % (name, count))
    missing = [name for name, count in counts.items() if count == 0]
    if missing:
        sys.exit("in no script: " + ", ".join(missing))


main()
