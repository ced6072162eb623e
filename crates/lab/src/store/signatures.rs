//! One row per signature: how many cases show it, and which is the smallest.
//!
//! The table is derived from the symptoms. A trigger of the database keeps it
//! up; a store that was made before there was one gets it when it is opened,
//! and where nothing can be written it is made in memory.

use anyhow::Result;
use lydite_core::Kind;
use rusqlite::{Connection, OptionalExtension, ToSql, Transaction};

use super::Store;
use crate::triage::Standing;

/// The table, its index and the trigger that keeps it up.
const SCHEMA: &str = include_str!("signatures.sql");

/// What is compared to find the smallest case of a signature: one that shows
/// it every time comes before any that does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Size {
    pub flaky: bool,
    pub bytes: u64,
    pub index: u64,
}

/// What is known of a signature without looking at its cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub cases: u64,
    pub flaky: u64,
    pub first_index: u64,
    pub smallest: Size,
}

/// Which findings are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only targets of this family.
    pub family: Option<String>,
    /// Only signatures that contain this.
    pub text: Option<String>,
    /// How they stand.
    pub standing: Stands,
    /// What comes first.
    pub order: Order,
    /// How many are left out at the beginning.
    pub skip: u64,
    /// At most so many.
    pub most: u64,
}

/// How a finding stands, as far as lists are filtered by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stands {
    /// No other finding stands for it.
    #[default]
    Alone,
    /// Nobody decided anything, and upstream is not known to know it.
    News,
    /// Somebody marked it.
    Marked,
    /// Another one stands for it.
    Merged,
    /// However it stands.
    Any,
}

/// The order of a list of findings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Gravest kind first, then by signature.
    #[default]
    Gravest,
    /// Those of most cases first.
    Count,
    /// The smallest case first.
    Bytes,
    /// The latest discovery first.
    Latest,
}

/// Makes the table in a new store.
pub(super) fn create(db: &Connection) -> Result<()> {
    db.execute_batch(SCHEMA)?;
    Ok(())
}

/// Sees to it that the table is there; in memory, if `read_only`.
pub(super) fn ensure(db: &Connection, read_only: bool) -> Result<()> {
    let sql = "SELECT 1 FROM sqlite_master WHERE name = 'signatures'";
    let there = db.query_row(sql, [], |_| Ok(())).optional()?;
    if there.is_some() {
        return Ok(());
    }
    if read_only {
        let (table, _) = SCHEMA
            .split_once("CREATE INDEX")
            .expect("the table is first");
        db.execute_batch(&table.replacen("CREATE TABLE", "CREATE TEMP TABLE", 1))?;
        fill(db, None)?;
        return Ok(());
    }
    let transaction = db.unchecked_transaction()?;
    create(&transaction)?;
    fill(&transaction, None)?;
    transaction.commit()?;
    Ok(())
}

/// Makes the rows of these signatures again, or all.
pub(super) fn fill(db: &Connection, only: Option<&[&str]>) -> Result<()> {
    let only = only.map(serde_json::to_string).transpose()?;
    let chosen = "(?1 IS NULL OR signature IN (SELECT value FROM json_each(?1)))";
    db.execute(&format!("DELETE FROM signatures WHERE {chosen}"), [&only])?;
    db.execute(
        &format!(
            "INSERT INTO signatures SELECT signature, kind,
             substr(target, 1, MIN(instr(target || '@', '@'), instr(target || ':', ':')) - 1),
             COUNT(DISTINCT idx), COUNT(DISTINCT CASE WHEN shown < replays THEN idx END),
             MIN(idx), 0, 0, 0, NULL FROM symptoms WHERE {chosen} GROUP BY signature"
        ),
        [&only],
    )?;
    db.execute(
        &format!(
            "UPDATE signatures SET (best_flaky, best_bytes, best_idx, known) =
             (SELECT s.shown < s.replays, s.bytes, s.idx, s.known FROM symptoms s
              WHERE s.signature = signatures.signature ORDER BY 1, 2, 3 LIMIT 1) WHERE {chosen}"
        ),
        [&only],
    )?;
    Ok(())
}

/// What is known of a signature; `None` if no symptom has it.
pub(super) fn counted(db: &Connection, signature: &str) -> Result<Option<Counted>> {
    let sql = "SELECT cases, flaky_cases, first_idx, best_flaky, best_bytes, best_idx
               FROM signatures WHERE signature = ?1";
    let row = db.prepare_cached(sql)?.query_row([signature], |row| {
        let number = |column| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(column)? as u64);
        Ok(Counted {
            cases: number(0)?,
            flaky: number(1)?,
            first_index: number(2)?,
            smallest: Size {
                flaky: row.get(3)?,
                bytes: number(4)?,
                index: number(5)?,
            },
        })
    });
    Ok(row.optional()?)
}

/// True if the case is some signature's smallest.
pub(super) fn is_smallest(db: &Transaction<'_>, index: u64) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM signatures WHERE best_idx = ?1)";
    let mut query = db.prepare_cached(sql)?;
    Ok(query.query_row([index as i64], |row| row.get(0))?)
}

impl Store {
    /// How many signatures there are.
    pub fn signatures(&self) -> Result<usize> {
        let sql = "SELECT COUNT(*) FROM signatures";
        Ok(self.db.query_row(sql, [], |row| row.get::<_, i64>(0))? as usize)
    }

    /// All signatures, gravest kind first.
    pub(super) fn all_signatures(&self) -> Result<Vec<String>> {
        let wanted = Wanted {
            standing: Stands::Any,
            most: i64::MAX as u64,
            ..Wanted::default()
        };
        Ok(self.some_signatures(&wanted, &Standing::default())?.1)
    }

    /// How many signatures are wanted, and those of the page.
    pub(super) fn some_signatures(
        &self,
        wanted: &Wanted,
        standing: &Standing,
    ) -> Result<(u64, Vec<String>)> {
        let mut clauses: Vec<String> = vec!["1".to_string()];
        let mut values: Vec<Box<dyn ToSql>> = Vec::new();
        let mut clause = |text: &str, value: Box<dyn ToSql>| {
            values.push(value);
            clauses.push(text.replace('?', &format!("?{}", values.len())));
        };
        if let Some(kind) = wanted.kind {
            clause("kind = ?", Box::new(kind.name()));
        }
        if let Some(family) = &wanted.family {
            clause("family = ?", Box::new(family.clone()));
        }
        if let Some(text) = &wanted.text {
            clause(
                "instr(lower(signature), lower(?)) > 0",
                Box::new(text.clone()),
            );
        }
        let listed =
            |list: Vec<&str>| Ok::<_, serde_json::Error>(Box::new(serde_json::to_string(&list)?));
        const IN: &str = "signature IN (SELECT value FROM json_each(?))";
        match wanted.standing {
            Stands::Any => {}
            Stands::Merged => clause(IN, listed(standing.merged())?),
            Stands::Marked => clause(IN, listed(standing.marked())?),
            Stands::Alone | Stands::News => {
                let merged = standing.merged();
                if !merged.is_empty() {
                    clause(&format!("NOT {IN}"), listed(merged)?);
                }
            }
        }
        if wanted.standing == Stands::News {
            clause(
                &format!("known IS NULL AND NOT {IN}"),
                listed(standing.marked())?,
            );
        }
        let condition = clauses.join(" AND ");
        let values: Vec<&dyn ToSql> = values.iter().map(|value| value.as_ref()).collect();
        let total: i64 = self
            .db
            .prepare_cached(&format!(
                "SELECT COUNT(*) FROM signatures WHERE {condition}"
            ))?
            .query_row(values.as_slice(), |row| row.get(0))?;
        let sql = format!(
            "SELECT signature FROM signatures WHERE {condition} ORDER BY {}signature LIMIT {} OFFSET {}",
            order(wanted.order),
            wanted.most.min(i64::MAX as u64),
            wanted.skip.min(i64::MAX as u64)
        );
        let mut query = self.db.prepare(&sql)?;
        let rows = query.query_map(values.as_slice(), |row| row.get(0))?;
        Ok((total as u64, rows.collect::<Result<_, _>>()?))
    }

    /// The signatures of kinds and families that the id of a finding
    /// (`FAMILY-KIND-HASH`) may stand for.
    pub(crate) fn signatures_like(&self, id: &str) -> Result<Vec<String>> {
        let sql = "SELECT signature FROM signatures
                   WHERE substr(?1, 1, length(family) + length(kind) + 2) = family || '-' || kind || '-'";
        let mut query = self.db.prepare_cached(sql)?;
        let rows = query.query_map([id], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Distinct values of a column with the number of signatures.
    pub fn signatures_by(&self, group: Group) -> Result<Vec<(String, u64)>> {
        let column = match group {
            Group::Kind => "kind",
            Group::Family => "family",
        };
        let sql = format!("SELECT {column}, COUNT(*) FROM signatures GROUP BY 1 ORDER BY 1");
        let mut query = self.db.prepare(&sql)?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// What findings are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What is wrong.
    Kind,
    /// With which family.
    Family,
}

/// The beginning of an ORDER BY.
fn order(order: Order) -> String {
    match order {
        Order::Gravest => {
            let ranks = Kind::ALL.iter().enumerate();
            let ranks = ranks.map(|(rank, kind)| format!("WHEN '{kind}' THEN {rank} "));
            format!("CASE kind {}END, ", ranks.collect::<String>())
        }
        Order::Count => "cases DESC, ".to_string(),
        Order::Bytes => "best_bytes, ".to_string(),
        Order::Latest => "first_idx DESC, ".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::Replays;
    use crate::process::Scratch;
    use crate::store::{JobRow, SessionRow, SymptomRow};
    use crate::triage::{Act, Status};

    fn row(index: u64, bytes: u64, kind: Kind, site: &str, shown: u32) -> JobRow {
        JobRow {
            index,
            strategy: 0,
            bytes,
            failure: None,
            unconfirmed: 0,
            runs: Vec::new(),
            symptoms: vec![SymptomRow {
                signature: format!("v1 {kind} z3 site=\"{site}\""),
                kind,
                target: "z3@4.8.7:new-core".to_string(),
                against: String::new(),
                program: 0,
                evidence: String::new(),
                bytes,
                known: None,
                replays: Replays { shown, of: 3 },
            }],
            remarks: Vec::new(),
            trigger: None,
        }
    }

    fn rows() -> Vec<JobRow> {
        vec![
            row(0, 90, Kind::Crash, "b", 3),
            row(1, 50, Kind::Crash, "a", 3),
            row(2, 20, Kind::Crash, "a", 1),
            row(3, 40, Kind::Crash, "a", 3),
            row(4, 70, Kind::RefutationUnsound, "c", 3),
        ]
    }

    fn dump(store: &Store) -> Vec<(String, Option<Counted>)> {
        let signatures = store.all_signatures().unwrap();
        let counted = |s: String| (s.clone(), counted(&store.db, &s).unwrap());
        signatures.into_iter().map(counted).collect()
    }

    #[test]
    fn the_trigger_keeps_what_a_count_of_all_symptoms_gives_in_any_order() {
        let scratch = Scratch::new().unwrap();
        let mut expected = None;
        for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 3, 4, 1]] {
            let folder = scratch.folder().unwrap();
            let mut store = Store::create(folder.path(), "0123456789").unwrap();
            for index in order {
                // Twice: what is there already changes nothing.
                for cases in [1, 0] {
                    let rows = [rows()[index].clone()];
                    let recorded = store.record_rows(&rows, &SessionRow::default()).unwrap();
                    assert_eq!(recorded.cases, cases);
                }
            }
            let kept = dump(&store);
            fill(&store.db, None).unwrap();
            assert_eq!(dump(&store), kept);
            assert_eq!(*expected.get_or_insert(kept.clone()), kept);
            let (_, a) = &kept[1];
            let a = a.unwrap();
            assert_eq!(
                (a.cases, a.flaky, a.first_index, a.smallest.index),
                (3, 1, 1, 3)
            );
        }
    }

    #[test]
    fn a_store_without_the_table_gets_it_and_one_that_is_only_read_has_it_in_memory() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let mut store = Store::create(folder.path(), "0123456789").unwrap();
        store.record_rows(&rows(), &SessionRow::default()).unwrap();
        let kept = dump(&store);
        let drop_it = "DROP TRIGGER symptoms_counted; DROP TABLE signatures";
        store.db.execute_batch(drop_it).unwrap();
        drop(store);
        assert_eq!(dump(&Store::open_to_read(folder.path()).unwrap()), kept);
        assert_eq!(dump(&Store::open(folder.path()).unwrap()), kept);
    }

    #[test]
    fn a_page_has_what_was_asked_for_in_order() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let mut store = Store::create(folder.path(), "0123456789").unwrap();
        store.record_rows(&rows(), &SessionRow::default()).unwrap();
        let mark = Act::Mark {
            finding: "v1 crash z3 site=\"b\"".to_string(),
            status: Status::Reported,
            upstream: None,
            note: None,
        };
        store.decide(&mark).unwrap();
        let standing = store.standing().unwrap();
        let all = Wanted {
            most: 10,
            ..Wanted::default()
        };
        for (wanted, total, sites) in [
            (all.clone(), 3, "cab"),
            (
                Wanted {
                    skip: 1,
                    most: 1,
                    ..all.clone()
                },
                3,
                "a",
            ),
            (
                Wanted {
                    kind: Some(Kind::Crash),
                    ..all.clone()
                },
                2,
                "ab",
            ),
            (
                Wanted {
                    family: Some("z3".into()),
                    ..all.clone()
                },
                3,
                "cab",
            ),
            (
                Wanted {
                    family: Some("z3@4.8.7".into()),
                    ..all.clone()
                },
                0,
                "",
            ),
            (
                Wanted {
                    text: Some("SITE=\"A".into()),
                    ..all.clone()
                },
                1,
                "a",
            ),
            (
                Wanted {
                    text: Some("%".into()),
                    ..all.clone()
                },
                0,
                "",
            ),
            (
                Wanted {
                    standing: Stands::News,
                    ..all.clone()
                },
                2,
                "ca",
            ),
            (
                Wanted {
                    standing: Stands::Marked,
                    ..all.clone()
                },
                1,
                "b",
            ),
            (
                Wanted {
                    standing: Stands::Merged,
                    ..all.clone()
                },
                0,
                "",
            ),
            (
                Wanted {
                    order: Order::Count,
                    ..all.clone()
                },
                3,
                "abc",
            ),
            (
                Wanted {
                    order: Order::Bytes,
                    ..all.clone()
                },
                3,
                "acb",
            ),
            (
                Wanted {
                    order: Order::Latest,
                    ..all.clone()
                },
                3,
                "cab",
            ),
        ] {
            let (found, rows) = store.some_findings(&wanted, &standing).unwrap();
            let site = |row: &crate::store::FindingRow| {
                row.symptom
                    .signature
                    .rsplit('"')
                    .nth(1)
                    .unwrap()
                    .to_string()
            };
            let shown: String = rows.iter().map(site).collect();
            assert_eq!((found, shown.as_str()), (total, sites), "{wanted:?}");
        }
        assert_eq!(
            store.signatures_by(Group::Kind).unwrap(),
            [
                ("crash".to_string(), 2),
                ("refutation-unsound".to_string(), 1)
            ]
        );
    }
}
