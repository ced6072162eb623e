//! One row per signature: how many cases show it, and which is the smallest.
//!
//! The table is derived from the symptoms; a trigger of the database keeps it
//! up.

use std::collections::BTreeMap;

use anyhow::Result;
use lydite_core::{Kind, Signature};
use rusqlite::{Connection, OptionalExtension, Transaction, params_from_iter};

use super::{Store, seal, signature};
use crate::record::{CaseSize, Standing, id_of};

/// What is known of a signature without looking at its cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    pub cases: u64,
    pub flaky: u64,
    pub first_index: u64,
    pub smallest: CaseSize,
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
    /// How many are returned at most.
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

/// Makes the rows of these signatures again, or all.
pub(super) fn fill(db: &Connection, only: Option<&[&str]>) -> Result<()> {
    let only = only.map(serde_json::to_string).transpose()?;
    let chosen = "(?1 IS NULL OR signature IN (SELECT value FROM json_each(?1)))";
    db.execute(&format!("DELETE FROM signatures WHERE {chosen}"), [&only])?;
    db.execute(
        &format!(
            "INSERT INTO signatures SELECT signature, kind, family,
             COUNT(DISTINCT idx), COUNT(DISTINCT CASE WHEN shown < replays THEN idx END),
             MIN(idx), MIN(whole) - 1, 0, 0, NULL FROM intact_symptoms WHERE {chosen} GROUP BY signature"
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
    let sql = "SELECT cases, flaky_cases, first_idx, best_flaky, best_bytes, best_idx, whole
               FROM intact_signatures WHERE signature = ?1";
    let row = db.prepare_cached(sql)?.query_row([signature], |row| {
        let number = |column| Ok::<u64, rusqlite::Error>(row.get::<_, i64>(column)? as u64);
        Ok(Counted {
            cases: number(0)?,
            flaky: number(1)?,
            first_index: number(2)?,
            smallest: CaseSize {
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
    /// How many signatures there are. A damaged page may hide some of them from a list;
    /// so they are counted in each of the places that lists are read from.
    pub fn signatures(&self) -> Result<usize> {
        let count = |place: &str| -> Result<i64> {
            // COUNT(*) would choose a place of its own.
            let sql = format!("SELECT IFNULL(SUM(1), 0) FROM signatures {place}");
            let mut query = self.db.prepare_cached(&sql)?;
            Ok(query.query_row([], |row| row.get(0))?)
        };
        let _together = self.at_one_moment()?;
        let number = count("NOT INDEXED")?;
        for index in ["signatures_by_kind", "signatures_by_best"] {
            let other = count(&format!("INDEXED BY {index}"))?;
            if other != number {
                let words = format!("{number} findings are there, {other} are listed");
                return Err(seal::damaged(Some(words)).into());
            }
        }
        Ok(number as usize)
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
        self.signatures()?;
        let order = match wanted.order {
            Order::Gravest => return self.gravest_signatures(wanted, standing),
            Order::Count => "cases DESC, signature",
            Order::Bytes => "best_bytes, signature",
            Order::Latest => "first_idx DESC, signature",
        };
        let condition = Condition::new(wanted, wanted.kind, standing)?;
        let total = self.count_signatures(&condition)?;
        let page = self.page_of(&condition, order, wanted.skip, wanted.most)?;
        Ok((total, page))
    }

    /// The same kind by kind: each is read off an index, in order.
    fn gravest_signatures(
        &self,
        wanted: &Wanted,
        standing: &Standing,
    ) -> Result<(u64, Vec<String>)> {
        let (mut total, mut page) = (0, Vec::new());
        let kinds = Kind::ALL.into_iter();
        for kind in kinds.filter(|kind| wanted.kind.is_none_or(|only| only == *kind)) {
            let condition = Condition::new(wanted, Some(kind), standing)?;
            let count = self.count_signatures(&condition)?;
            let skip = wanted.skip.saturating_sub(total);
            let left = wanted.most - page.len() as u64;
            if skip < count && left > 0 {
                page.extend(self.page_of(&condition, "signature", skip, left)?);
            }
            total += count;
        }
        Ok((total, page))
    }

    fn count_signatures(&self, condition: &Condition) -> Result<u64> {
        let sql = format!("SELECT COUNT(*) FROM signatures WHERE {}", condition.text);
        let mut query = self.db.prepare_cached(&sql)?;
        let count: i64 = query.query_row(params_from_iter(&condition.values), |row| row.get(0))?;
        Ok(count as u64)
    }

    fn page_of(
        &self,
        condition: &Condition,
        order: &str,
        skip: u64,
        most: u64,
    ) -> Result<Vec<String>> {
        let sql = format!(
            "SELECT signature FROM signatures WHERE {} ORDER BY {order} LIMIT {} OFFSET {}",
            condition.text,
            most.min(i64::MAX as u64),
            skip.min(i64::MAX as u64)
        );
        let mut query = self.db.prepare(&sql)?;
        let rows = query.query_map(params_from_iter(&condition.values), |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The signature of the finding with this id (`FAMILY-KIND-HASH`).
    pub fn signature_of(&self, id: &str) -> Result<Option<Signature>> {
        let sql = "SELECT signature FROM signatures
                   WHERE substr(?1, 1, length(family) + length(kind) + 2) = family || '-' || kind || '-'";
        let mut query = self.db.prepare_cached(sql)?;
        let mut rows = query.query([id])?;
        while let Some(row) = rows.next()? {
            let signature = signature(&row.get::<_, String>(0)?)?;
            if id_of(&signature) == id {
                return Ok(Some(signature));
            }
        }
        Ok(None)
    }

    /// How many cases accuse somebody of each kind of wrong, over all findings. A
    /// case that shows two signatures is counted for each.
    pub fn accusations(&self) -> Result<BTreeMap<String, u64>> {
        self.signatures()?;
        let sql = "SELECT kind, SUM(cases), MIN(whole) FROM intact_signatures GROUP BY kind";
        let mut query = self.db.prepare(sql)?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Distinct values with the number of findings; without those that another
    /// stands for.
    pub fn signatures_by(&self, group: GroupBy, standing: &Standing) -> Result<Vec<(String, u64)>> {
        self.signatures()?;
        let column = match group {
            GroupBy::Kind => "kind",
            GroupBy::Family => "family",
            GroupBy::Target => {
                "(SELECT target FROM symptoms s WHERE s.idx = best_idx
                  AND s.signature = signatures.signature ORDER BY s.seq LIMIT 1)"
            }
            GroupBy::Strategy => "CAST((SELECT strategy FROM cases WHERE idx = best_idx) AS TEXT)",
        };
        let condition = Condition::new(&Wanted::default(), None, standing)?;
        let sql = format!(
            "SELECT {column}, COUNT(*) FROM signatures WHERE {} GROUP BY 1 ORDER BY 1",
            condition.text
        );
        let mut query = self.db.prepare(&sql)?;
        let values = params_from_iter(&condition.values);
        let rows = query.query_map(values, |row| {
            let name: Option<String> = row.get(0)?;
            Ok((name.unwrap_or_default(), row.get::<_, i64>(1)? as u64))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}

/// What findings are counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupBy {
    /// What is wrong.
    Kind,
    /// With which family.
    Family,
    /// With which target, in the smallest case.
    Target,
    /// The number of the strategy that made the smallest case.
    Strategy,
}

/// What rows are wanted, as SQL.
struct Condition {
    text: String,
    values: Vec<String>,
}

impl Condition {
    fn new(wanted: &Wanted, kind: Option<Kind>, standing: &Standing) -> Result<Condition> {
        let mut condition = Condition {
            text: "1".to_string(),
            values: Vec::new(),
        };
        if let Some(kind) = kind {
            condition.add("kind = ?", kind.name());
        }
        if let Some(family) = &wanted.family {
            condition.add("family = ?", family);
        }
        if let Some(text) = &wanted.text {
            condition.add("instr(lower(signature), lower(?)) > 0", text);
        }
        let listed = |list: Vec<&str>| serde_json::to_string(&list);
        const IN: &str = "signature IN (SELECT value FROM json_each(?))";
        match wanted.standing {
            Stands::Any => {}
            Stands::Merged => condition.add(IN, &listed(standing.merged())?),
            Stands::Marked => condition.add(IN, &listed(standing.marked())?),
            Stands::Alone | Stands::News => {
                let merged = standing.merged();
                if !merged.is_empty() {
                    condition.add(&format!("NOT {IN}"), &listed(merged)?);
                }
            }
        }
        if wanted.standing == Stands::News {
            let marked = listed(standing.marked())?;
            condition.add(&format!("known IS NULL AND NOT {IN}"), &marked);
        }
        Ok(condition)
    }

    fn add(&mut self, clause: &str, value: &str) {
        self.values.push(value.to_string());
        let clause = clause.replace('?', &format!("?{}", self.values.len()));
        self.text += &format!(" AND {clause}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Act, CaseRecord, Replays, SessionRecord, Status, SymptomRecord};
    use crate::store::tests::store_in;
    use lydite_process::Scratch;

    fn row(index: u64, bytes: u64, kind: Kind, site: &str, shown: u32) -> CaseRecord {
        CaseRecord {
            index,
            bytes,
            symptoms: vec![SymptomRecord {
                signature: format!("v1 {kind} z3 site=\"{site}\"").parse().unwrap(),
                target: "z3@4.8.7:new-core".parse().unwrap(),
                against: Vec::new(),
                program: 0,
                evidence: String::new(),
                bytes,
                known: None,
                replays: Replays { shown, of: 3 },
            }],
            ..CaseRecord::default()
        }
    }

    fn rows() -> Vec<CaseRecord> {
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
            let (_locked, mut store) = store_in(&folder);
            for index in order {
                // Twice: what is there already changes nothing.
                for cases in [1, 0] {
                    let rows = [rows()[index].clone()];
                    let recorded = store.record(&rows, &SessionRecord::default()).unwrap();
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
    fn accusations_are_counted_over_all_findings_by_kind() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let (_locked, mut store) = store_in(&folder);
        assert!(store.accusations().unwrap().is_empty());
        store.record(&rows(), &SessionRecord::default()).unwrap();
        let expected = [("crash", 4), ("refutation-unsound", 1)];
        let expected = expected.map(|(kind, count)| (kind.to_string(), count));
        assert_eq!(store.accusations().unwrap(), BTreeMap::from(expected));
    }

    #[test]
    fn a_page_has_what_was_asked_for_in_order() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.folder().unwrap();
        let (_locked, mut store) = store_in(&folder);
        store.record(&rows(), &SessionRecord::default()).unwrap();
        let mark = Act::Mark {
            finding: "v1 crash z3 site=\"b\"".to_string(),
            status: Status::Reported,
            upstream: None,
            note: None,
        };
        store.decide(&mark).unwrap();
        let standing = store.standing().unwrap();
        type Change = fn(&mut Wanted);
        let changes: [(Change, u64, &str); 13] = [
            (|_| (), 3, "cab"),
            (|wanted| (wanted.skip, wanted.most) = (1, 1), 3, "a"),
            (|wanted| wanted.kind = Some(Kind::Crash), 2, "ab"),
            (|wanted| wanted.family = Some("z3".into()), 3, "cab"),
            (|wanted| wanted.family = Some("z3@4.8.7".into()), 0, ""),
            (|wanted| wanted.text = Some("SITE=\"A".into()), 1, "a"),
            (|wanted| wanted.text = Some("%".into()), 0, ""),
            (|wanted| wanted.standing = Stands::News, 2, "ca"),
            (|wanted| wanted.standing = Stands::Marked, 1, "b"),
            (|wanted| wanted.standing = Stands::Merged, 0, ""),
            (|wanted| wanted.order = Order::Count, 3, "abc"),
            (|wanted| wanted.order = Order::Bytes, 3, "acb"),
            (|wanted| wanted.order = Order::Latest, 3, "cab"),
        ];
        for (change, total, sites) in changes {
            let mut wanted = Wanted {
                most: 10,
                ..Wanted::default()
            };
            change(&mut wanted);
            let (found, rows) = store.some_findings(&wanted, &standing).unwrap();
            let site = |row: &crate::store::FindingRow| {
                row.symptom
                    .signature
                    .to_string()
                    .rsplit('"')
                    .nth(1)
                    .unwrap()
                    .to_string()
            };
            let shown: String = rows.iter().map(site).collect();
            assert_eq!((found, shown.as_str()), (total, sites), "{wanted:?}");
        }
        assert_eq!(
            store.signatures_by(GroupBy::Kind, &standing).unwrap(),
            [
                ("crash".to_string(), 2),
                ("refutation-unsound".to_string(), 1)
            ]
        );
    }
}
