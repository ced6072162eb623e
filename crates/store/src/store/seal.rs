//! Rows that tell when they are not what was written.
//!
//! A table whose last column is `seal INTEGER AS (seal(…)) STORED` keeps a
//! checksum of 32 bits beside each row; the database computes it whenever the
//! row is written. `intact_TABLE` is the same table for reading, with one more
//! column: a query for `whole` fails as on a damaged file where the checksum is
//! another one. (It has to be asked for among the results. In a condition the
//! database may put the wanted value of a column in the place of the stored one.)
//! What is lost or reached twice because a page is damaged is found by the
//! database's own check.
//!
//! Every store has a key of its own, which is part of each checksum: rows that come
//! from another store (with its write-ahead log, say) are damage too.

use std::hash::{BuildHasher, Hasher, RandomState};

use anyhow::Result;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, ffi};

/// Teaches a connection to compute and to compare the checksums of a store. Without
/// that a table with them can be read, but not written.
pub fn attach(db: &Connection) -> Result<()> {
    let sql = "SELECT value FROM meta WHERE key = ?1";
    // Where there is none, the store is damaged or no store: every checksum says so.
    let key: String = db
        .query_row(sql, [KEY], |row| row.get(0))
        .unwrap_or_default();
    attach_with(db, key)
}

fn attach_with(db: &Connection, key: String) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let again = key.clone();
    db.create_scalar_function("seal", -1, flags, move |row| Ok(sum(&key, row, 0)))?;
    db.create_scalar_function("intact", -1, flags, move |row| {
        match row.get_raw(0) == ValueRef::Integer(sum(&again, row, 1)) {
            true => Ok(true),
            false => Err(damaged(None)),
        }
    })?;
    Ok(())
}

/// The key of `meta` under which the key of a store's checksums is kept.
const KEY: &str = "seal";

/// Makes tables whose checksums have a key of their own, and the views through which
/// they are read. One of them is `meta`.
pub fn create(db: &Connection, tables: &str) -> Result<()> {
    let key = format!("{:016x}", RandomState::new().build_hasher().finish());
    attach_with(db, key.clone())?;
    db.execute_batch(tables)?;
    let insert = "INSERT INTO meta (key, value) VALUES (?1, ?2)";
    db.execute(insert, [KEY, &key])?;
    add_views(db)
}

fn add_views(db: &Connection) -> Result<()> {
    let sql = "SELECT m.name, group_concat(c.name, ', ' ORDER BY c.cid) FROM sqlite_master m,
               pragma_table_info(m.name) c WHERE m.type = 'table' GROUP BY m.name
               HAVING EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name) WHERE name = 'seal')";
    let mut tables = db.prepare(sql)?;
    let rows = tables.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let rows: Vec<(String, String)> = rows.collect::<Result<_, _>>()?;
    for (table, columns) in rows {
        db.execute_batch(&format!(
            "CREATE VIEW intact_{table} AS SELECT {columns}, intact(seal, {columns}) AS whole
             FROM {table}"
        ))?;
    }
    let insert = "INSERT INTO meta (key, value) VALUES (?1, ?2)";
    db.execute(insert, [SCHEMA, &schema(db)?])?;
    Ok(())
}

/// The key of `meta` under which the checksum of the schema is kept.
const SCHEMA: &str = "schema";

/// The checksum of all tables, views and triggers, as they are written down in the
/// file: the database acts on their text.
fn schema(db: &Connection) -> Result<String> {
    let sql = "SELECT group_concat(type || name || tbl_name || sql, ' ' ORDER BY name)
               FROM sqlite_master WHERE sql IS NOT NULL";
    let text: String = db.query_row(sql, [], |row| row.get(0))?;
    Ok(blake3::hash(text.as_bytes()).to_hex().to_string())
}

pub(super) fn damaged(words: Option<String>) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), words)
}

/// An error if a row of these tables, or what the file says of its tables, is not as
/// it was written.
pub fn check_tables(db: &Connection, tables: &[&str]) -> Result<()> {
    let sql = "SELECT value, whole FROM intact_meta WHERE key = ?1";
    let kept: String = db.query_row(sql, [SCHEMA], |row| row.get(0))?;
    if kept != schema(db)? {
        return Err(damaged(Some("another schema".to_string())).into());
    }
    for table in tables {
        let sql = format!("SELECT TOTAL(whole) FROM intact_{table}");
        db.query_row(&sql, [], |_| Ok(()))?;
    }
    Ok(())
}

/// An error if anything in the file is not as it was written: its structure, and
/// every row that has a checksum. It takes about 10 ms per MB.
pub fn check_all(db: &Connection) -> Result<()> {
    // All of it at one moment, whoever writes in the meantime.
    let _together = db.unchecked_transaction()?;
    let said: String = db.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if said != "ok" {
        return Err(damaged(Some(said.escape_debug().to_string())).into());
    }
    let sql = "SELECT substr(name, 8) FROM sqlite_master WHERE type = 'view' ORDER BY name";
    let mut views = db.prepare(sql)?;
    let tables = views.query_map([], |row| row.get(0))?;
    let tables: Vec<String> = tables.collect::<Result<_, _>>()?;
    let tables: Vec<&str> = tables.iter().map(String::as_str).collect();
    check_tables(db, &tables)
}

/// True if an error says that a database is not as it was written.
pub fn is_damage(error: &anyhow::Error) -> bool {
    let failed = error.chain().find_map(|cause| cause.downcast_ref());
    match failed {
        Some(rusqlite::Error::SqliteFailure(failure, _)) => matches!(
            failure.code,
            // A statement of ours that does not fit the tables is the last of them.
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown
        ),
        // A value of another type than we write, a row that has to be there.
        Some(_) => true,
        None => false,
    }
}

/// The checksum of all arguments from the one of that number on, with their types
/// and lengths.
fn sum(key: &str, row: &Context<'_>, from: usize) -> i64 {
    let mut bytes = key.as_bytes().to_vec();
    for at in from..row.len() {
        let (kind, value): (u8, &[u8]) = match row.get_raw(at) {
            ValueRef::Null => (0, &[]),
            ValueRef::Integer(number) => (1, &number.to_le_bytes()),
            ValueRef::Real(number) => (2, &number.to_le_bytes()),
            ValueRef::Text(text) => (3, text),
            ValueRef::Blob(blob) => (4, blob),
        };
        bytes.push(kind);
        bytes.extend((value.len() as u64).to_le_bytes());
        bytes.extend(value);
    }
    let hash = blake3::hash(&bytes);
    let (first, _) = hash.as_bytes().split_first_chunk().expect("32 bytes");
    i64::from(i32::from_le_bytes(*first))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::Store;
    use crate::folder::ReadFolder;
    use crate::record::{Act, Status};
    use crate::store::case::tests::{case, record};
    use crate::store::tests::store_in;
    use lydite_process::Scratch;

    /// How a store is opened for reading.
    type Open = fn(&ReadFolder) -> Result<Store>;

    /// All that a store says; `None` if it says that it is damaged.
    fn said(folder: &ReadFolder, open: Open) -> Option<String> {
        let read = || -> Result<String> {
            let store = open(folder)?;
            let mut text = format!("{:?} {:?}", store.campaign()?, store.pace()?);
            text += &format!("{:?} {:?}", store.decisions()?, store.totals()?);
            for row in store.findings()? {
                text += &format!("{row:?} {:?}", store.trigger(row.index)?);
            }
            store.each_case(u64::MAX, &mut |case| {
                text += &format!("{case:?}");
                Ok(())
            })?;
            text += &format!("{:?} {:?}", store.discovery_curve()?, store.lacking()?);
            text += &format!("{:?}", store.finished()?.ranges());
            Ok(text)
        };
        match read() {
            Ok(text) => Some(text),
            Err(error) => {
                use lydite_core::fault::Fault;
                let told = is_damage(&error) || Fault::of(&error) == Some(Fault::Usage);
                assert!(told, "{error:#}");
                None
            }
        }
    }

    /// Thirty cases, findings and a decision.
    fn fill(mut store: Store) {
        let cases: Vec<_> = (0..30)
            .map(|number| match number % 3 {
                0 => case(number, 10 + number, 4, &[("boom", 3), ("other", 2)]),
                _ => case(number, 10 + number, 0, &[]),
            })
            .collect();
        record(&mut store, &cases);
        let finding = store.findings().unwrap()[0].symptom.signature.to_string();
        store
            .decide(&Act::Mark {
                finding,
                status: Status::Wontfix,
                upstream: None,
                note: None,
            })
            .unwrap();
    }

    #[test]
    fn a_store_with_a_flipped_bit_says_the_same_or_that_it_is_damaged() {
        let scratch = Scratch::new().unwrap();
        let place = scratch.folder().unwrap();
        let (locked, store) = store_in(&place);
        fill(store);
        let path = locked.store();
        let whole = fs::read(&path).unwrap();
        // A small store is looked over first, of a large one what is read.
        let opens: [Open; 2] = [Store::open_checked, Store::open_to_read];
        for (number, open) in opens.into_iter().enumerate() {
            let calm = said(&locked, open).unwrap();
            let mut refused = 0;
            for at in (number * 97..whole.len()).step_by(311) {
                let mut damaged = whole.clone();
                damaged[at] ^= 1 << (at % 8);
                fs::write(&path, &damaged).unwrap();
                let said = catch_unwind(AssertUnwindSafe(|| said(&locked, open)));
                let said = said.unwrap_or_else(|_| panic!("byte {at}"));
                refused += usize::from(said.is_none());
                assert!(said.is_none_or(|said| said == calm), "byte {at}");
            }
            assert!(refused > 30, "{refused}");
            fs::write(&path, &whole).unwrap();
        }
    }
    /// What shows the way through a large table has no checksum.
    #[test]
    fn a_large_store_that_was_led_astray_says_so() {
        let scratch = Scratch::new().unwrap();
        let place = scratch.folder().unwrap();
        let (locked, mut store) = store_in(&place);
        let cases: Vec<_> = (0..300)
            .map(|number| {
                let site = format!("{number} {}", "far".repeat(60));
                case(number, 10 + number, 4, &[(&site, 3)])
            })
            .collect();
        record(&mut store, &cases);
        drop(store);
        let path = locked.store();
        let whole = fs::read(&path).unwrap();
        let calm = said(&locked, Store::open_to_read).unwrap();
        let is_inner = |page: &usize| matches!(whole[page * 4096], 2 | 5);
        let inner: Vec<usize> = (1..whole.len() / 4096).filter(is_inner).collect();
        assert!(inner.len() > 3, "{inner:?}");
        let mut refused = 0;
        for (number, at) in inner
            .iter()
            .flat_map(|page| (0..16).map(move |at| (at, page)))
        {
            // The page's own beginning, and the keys and pages that it leads to.
            let within = if number < 8 {
                number
            } else {
                4095 - 7 * (number - 8)
            };
            let at = at * 4096 + within;
            let mut damaged = whole.clone();
            damaged[at] ^= 1 << (number % 8);
            fs::write(&path, &damaged).unwrap();
            let said = said(&locked, Store::open_to_read);
            refused += usize::from(said.is_none());
            assert!(said.is_none_or(|said| said == calm), "byte {at}");
        }
        assert!(refused > 3, "{refused}");
    }
}
