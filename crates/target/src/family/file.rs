//! Reading a target file: syntax, unknown keys, and files that extend others.
//!
//! A key that is not known is refused with the line and the nearest known key.

use std::path::Path;

use anyhow::{Context, Result, anyhow};

use super::Family;
use super::schema::FamilyFile;
use crate::toml_file;

/// Reads a target file. `base` finds the text of the family that it extends:
/// then tables are merged, lists of tables are added to the front, and any
/// other value replaces the base's.
pub(crate) fn read_family(
    file: &Path,
    text: &str,
    base: &dyn Fn(&str) -> Option<toml::Table>,
) -> Result<(Family, toml::Table)> {
    // Read as it stands first: only then do messages have a line.
    let written: FamilyFile = toml_file::parse(text, &file.display().to_string())?;
    let table: toml::Table = toml::from_str(text)?;
    let merged = match &written.extends {
        None => table,
        Some(name) => {
            let base = base(name).ok_or_else(|| {
                anyhow!(
                    "{}: extends `{name}`, which is not a known family",
                    file.display()
                )
            })?;
            merge(base, table)
        }
    };
    let named = || file.display().to_string();
    let whole: FamilyFile = merged.clone().try_into().with_context(named)?;
    let family = whole.compile(digest(&merged)?).with_context(named)?;
    Ok((family, merged))
}

/// What people learn of a family while campaigns run, what is only said, and
/// where versions come from: of that, a target has its own part.
const NO_PART_OF_RUNS: [&str; 7] = [
    "extends", "about", "tracker", "get", "smoke", "known", "policy",
];

/// The hash of what decides how a family is run and read.
fn digest(table: &toml::Table) -> Result<String> {
    let mut table = table.clone();
    table.retain(|key, _| !NO_PART_OF_RUNS.contains(&key));
    let text = toml::to_string(&table)?;
    Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
}

fn merge(mut base: toml::Table, over: toml::Table) -> toml::Table {
    for (key, value) in over {
        let merged = match (base.remove(&key), value) {
            (Some(toml::Value::Table(base)), toml::Value::Table(over)) => {
                // Depth is that of the schema: the file was read before.
                toml::Value::Table(merge(base, over))
            }
            (Some(toml::Value::Array(base)), toml::Value::Array(mut over))
                if base.iter().chain(&over).all(toml::Value::is_table) =>
            {
                over.extend(base);
                toml::Value::Array(over)
            }
            (_, value) => value,
        };
        base.insert(key, merged);
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Get;

    const SMALL: &str = r#"
family = "toy"
language = "smtlib"
about = "a toy"
[[get]]
from = "archive"
path = "toy.zip"
version = "1.0"
bin = "toy"
[run]
file = "case.smt2"
[[run.step]]
argv = ["{bin}", "{file}"]
"#;

    fn read(text: &str) -> Result<Family> {
        let base = |name: &str| (name == "toy").then(|| toml::from_str(SMALL).unwrap());
        read_family(Path::new("toy.toml"), text, &base).map(|(family, _)| family)
    }

    #[test]
    fn errors_name_file_line_and_nearest_key() {
        for (text, expected) in [
            (
                "family = \"x\"\nlanguag = \"c\"\n",
                "toy.toml: TOML parse error at line 2",
            ),
            (
                "family = \"x\"\nlanguag = \"c\"\n",
                "did you mean `language`?",
            ),
            ("family = \"x\"\n[read]\nkind = \"verdict\"\n", "line 3"),
            (
                "family = \"x\"\n[read]\nkind = \"verdict\"\n",
                "did you mean `verdicts`?",
            ),
            ("family = \"x\"\n\n[read\n", "line 3"),
            ("family = 3\n", "invalid type"),
            ("language = \"c\"\n", "missing field `family`"),
            ("family = \"x\"\nextends = \"nope\"\n", "extends `nope`"),
            ("family = \"x:y\"\n", "toy.toml"),
        ] {
            let error = format!("{:#}", read(text).unwrap_err());
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn what_serde_cannot_see_is_checked() {
        for (from, to, expected) in [
            ("version = \"1.0\"", "", "`version` is missing"),
            ("bin = \"toy\"", "", "`bin` or `driver` is missing"),
            ("case.smt2", "a/b", "plain file name"),
            ("about = \"a toy\"", "", "`about` is missing"),
            (
                "bin = \"toy\"",
                "bin = \"toy\"\nversions = \">>1\"",
                "versions `>>1`",
            ),
            ("[run]", "[variant.a]\nsteps = 9\n[run]", "`steps`"),
            (
                "[run]",
                "[variant.a]\nhas = [\"views\"]\n[run]",
                "does not lack",
            ),
            (
                "bin = \"toy\"",
                "bin = \"toy\"\nalso = [{ from = \"npm\", package = \"a\", version = \"1\" }]",
                "`also` goes with pypi, npm and source",
            ),
            (
                "bin = \"toy\"",
                "bin = \"toy\"\nbeside = [\"../a\"]",
                "names without `..`",
            ),
            (
                "bin = \"toy\"",
                "bin = \"toy\"\nbeside = [\"a\"]",
                "`beside` goes with `driver`",
            ),
        ] {
            let error = format!("{:#}", read(&SMALL.replace(from, to)).unwrap_err());
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn a_file_that_extends_another_adds_and_replaces() {
        let text = "family = \"toy\"\nextends = \"toy\"\nabout = \"mine\"\n\
                    [variant.fast]\noptions = [\"-f\"]\n\
                    [[get]]\nfrom = \"system\"\ncommands = [\"toy\"]\n";
        let family = read(text).unwrap();
        assert_eq!(family.about, "mine");
        assert_eq!(family.language, "smtlib");
        let keys: Vec<String> = family.get.iter().map(Get::key).collect();
        assert_eq!(keys, ["system toy", "archive toy.zip"]);
        assert_eq!(family.variant["fast"].options, ["-f"]);
    }
}
