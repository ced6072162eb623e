//! What each target said of each case, in one SQLite file: a table with a row
//! per case and a column per target that grows in both directions.
//!
//! Invariant: a cell is there whole or not at all, and is never measured
//! twice; so a run that is killed goes on, and a further version costs only
//! its own runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use lydite_core::{Capture, Exit, Observation, Role, TargetName};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use lydite_core::fault::{Blame, Fault, usage};
use lydite_process::failpoint;
use lydite_store::folder::{LockedFolder, ReadFolder};
use lydite_store::record::Failure;
use lydite_store::{DAMAGED, connect, connect_to_read, seal, trust_log};
use lydite_target::outcome_text::{detail, outcome};

/// The file's name in the folder.
pub const FILE_NAME: &str = "evolution.sqlite";

/// The number of this format.
const FORMAT: &str = "4";

/// What is kept of an output; a longer one is not judged by what it prints.
pub(super) const OUTPUT_BYTES: usize = 32 << 10;

/// The table.
pub(super) struct Cells {
    db: Connection,
    path: String,
}

/// A target that was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) id: i64,
    pub(super) name: TargetName,
    pub(super) role: Role,
}

/// A case and what was said of it.
pub(super) struct Row {
    pub(super) index: u64,
    pub(super) bytes: u64,
    /// Why it was not run.
    pub(super) failure: Option<Failure>,
    pub(super) cells: Vec<Cell>,
}

/// What one target said of one case.
pub(super) struct Cell {
    /// [`Column::id`]
    pub(super) target: i64,
    pub(super) observation: Observation,
    pub(super) again: Again,
}

/// Whether a second run ended in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Again {
    NotRun,
    Same,
    Different,
}

impl Again {
    fn number(self) -> i64 {
        match self {
            Again::NotRun => 0,
            Again::Same => 1,
            Again::Different => 2,
        }
    }
}

/// Sorted ranges [start, end) of cases that are done, by target.
pub(super) type DoneCells = BTreeMap<i64, Vec<(u64, u64)>>;

impl Cells {
    /// Opens the table in `folder`, or makes it. What decides every cell is
    /// in `facts`; an error names those that differ from the table's.
    pub(super) fn open(folder: &LockedFolder, facts: &[(&str, String)]) -> Result<Cells> {
        let path = folder.store();
        let begun = path.is_file() && Cells::connect(&path)?.0.meta("format")?.is_some();
        if !begun {
            folder.make_store(&|path| {
                let db = Connection::open(path)?;
                db.execute_batch("BEGIN")?;
                seal::create(&db, include_str!("schema.sql"))?;
                let mut insert = db.prepare("INSERT INTO meta VALUES (?1, ?2)")?;
                for (key, value) in facts {
                    insert.execute(params![key, value])?;
                }
                insert.execute(params!["format", FORMAT])?;
                drop(insert);
                db.execute_batch("COMMIT")?;
                Ok(())
            })?;
        }
        let (cells, left) = Cells::connect(&path)?;
        cells.check_format()?;
        cells.look_for_damage()?;
        if left {
            trust_log(&cells.db)?;
        }
        cells.check_facts(facts)?;
        Ok(cells)
    }

    /// Opens the table in `folder` for reading; none if it has no facts yet.
    pub(super) fn open_to_read(folder: &ReadFolder) -> Result<Option<Cells>> {
        let path = folder.store();
        let shown = path.display().to_string();
        let db = connect_to_read(&path).context(shown.clone());
        let cells = Cells {
            db: db.or_usage()?,
            path: shown,
        };
        if cells.meta("format")?.is_none() {
            return Ok(None);
        }
        cells.check_format()?;
        cells.look_for_damage()?;
        Ok(Some(cells))
    }

    fn look_for_damage(&self) -> Result<()> {
        seal::check_all(&self.db)
            .context(self.path.clone())
            .context(DAMAGED)
            .or_usage()
    }

    fn check_format(&self) -> Result<()> {
        let format = self.meta("format")?.unwrap_or_default();
        if format != FORMAT {
            return Err(usage(format!(
                "{}: its format {} is that of another lydite (this one has {FORMAT}); go on with \
                 that one, or begin anew in another folder with -o",
                self.path,
                format.escape_debug()
            )));
        }
        Ok(())
    }

    /// Opens the table; true if a killed process has left something in its log.
    fn connect(path: &Path) -> Result<(Cells, bool)> {
        let shown = path.display().to_string();
        let opened = connect(path).context(shown.clone());
        let opened = opened.map_err(|error| match Fault::of(&error) {
            Some(_) => error,
            None => error.context(Fault::CannotWrite),
        })?;
        let cells = Cells {
            db: opened.db,
            path: shown,
        };
        Ok((cells, opened.left))
    }

    fn check_facts(&self, facts: &[(&str, String)]) -> Result<()> {
        for (key, value) in facts {
            let stored = self.meta(key)?.unwrap_or_default();
            if stored != *value {
                return Err(usage(format!(
                    "{}: measured with {key} {stored}, not {value}; choose another folder with -o",
                    self.path
                )));
            }
        }
        Ok(())
    }

    /// A stored text; none where nothing was stored yet.
    pub(super) fn meta(&self, key: &str) -> Result<Option<String>> {
        let tables = "SELECT COUNT(*) FROM sqlite_master WHERE name = 'meta'";
        let count: i64 = self
            .db
            .query_row(tables, [], |row| row.get(0))
            .with_context(|| format!("{}: cannot be read", self.path))?;
        if count == 0 {
            return Ok(None);
        }
        let sql = "SELECT value FROM meta WHERE key = ?1";
        Ok(self.db.query_row(sql, [key], |row| row.get(0)).optional()?)
    }

    /// The plans of the theories, in the order in which they came.
    pub(super) fn theories(&self) -> Result<Vec<String>> {
        let mut query = self.db.prepare("SELECT plan FROM theories ORDER BY id")?;
        let rows = query.query_map([], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The number of a theory, which is new or the same as before, and how
    /// many cases were ever asked for.
    pub(super) fn theory(
        &self,
        name: &str,
        plan: &str,
        identity: &str,
        cases: Option<u64>,
    ) -> Result<(i64, u64)> {
        let sql = "SELECT id, identity FROM theories WHERE name = ?1";
        let stored: Option<(i64, String)> = self
            .db
            .query_row(sql, [name], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        if stored.is_some_and(|(_, stored)| stored != identity) {
            return Err(usage(format!(
                "{}: its {name} has another grammar, seeds or settings; choose another folder with -o",
                self.path
            )));
        }
        let asked = cases.map_or(0, |cases| i64::try_from(cases).unwrap_or(i64::MAX));
        let insert = "INSERT INTO theories (name, plan, identity, cases) VALUES (?1, ?2, ?3, ?4)
                      ON CONFLICT (name) DO UPDATE SET cases = MAX(cases, excluded.cases)";
        self.db
            .execute(insert, params![name, plan, identity, asked])?;
        let sql = "SELECT id, cases FROM theories WHERE name = ?1";
        let row = self
            .db
            .query_row(sql, [name], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?)))?;
        Ok((row.0, row.1 as u64))
    }

    /// The targets, tested ones first, oldest version first.
    pub(super) fn columns(&self) -> Result<Vec<Column>> {
        let mut query = self.db.prepare("SELECT id, name, reference FROM targets")?;
        let mut rows = query.query([])?;
        let mut columns = Vec::new();
        while let Some(row) = rows.next()? {
            let name: TargetName = row.get::<_, String>(1)?.parse()?;
            let role = match row.get::<_, bool>(2)? {
                true => Role::Reference,
                false => Role::Tested,
            };
            let id = row.get(0)?;
            columns.push(Column { id, name, role });
        }
        columns.sort_by_cached_key(|column| {
            let version = column.name.version.clone().unwrap_or_default();
            let version = lydite_core::version::Version::new(version);
            (column.role, version, column.name.to_string())
        });
        Ok(columns)
    }

    /// The number of a target, which is new or the same as before.
    pub(super) fn target(&self, name: &TargetName, role: Role, hash: &str) -> Result<i64> {
        let reference = role == Role::Reference;
        let sql = "SELECT id, reference, hash FROM targets WHERE name = ?1";
        let stored: Option<(i64, bool, String)> = self
            .db
            .query_row(sql, [name.to_string()], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?))
            })
            .optional()?;
        match stored {
            Some((_, was, _)) if was != reference => Err(usage(format!(
                "{}: {name} was {} here; choose another folder with -o",
                self.path,
                if was { "a reference" } else { "tested" }
            ))),
            Some((_, _, stored)) if stored != hash => Err(usage(format!(
                "{}: {name} is another binary, or has another target file, than the one that was \
                 measured; choose another folder with -o",
                self.path
            ))),
            Some((id, _, _)) => Ok(id),
            None => {
                let insert = "INSERT INTO targets (name, reference, hash) VALUES (?1, ?2, ?3)";
                let values = params![name.to_string(), reference, hash];
                self.db.execute(insert, values)?;
                Ok(self.db.last_insert_rowid())
            }
        }
    }

    /// What is done of a theory.
    pub(super) fn done(&self, theory: i64) -> Result<DoneCells> {
        let mut done = DoneCells::new();
        let mut add = |target: i64, index: u64| {
            let ranges: &mut Vec<(u64, u64)> = done.entry(target).or_default();
            match ranges.last_mut() {
                Some((_, end)) if *end == index => *end += 1,
                _ => ranges.push((index, index + 1)),
            }
        };
        let sql = "SELECT target, idx, whole FROM intact_cells WHERE theory = ?1 ORDER BY idx";
        let mut query = self.db.prepare(sql)?;
        let mut rows = query.query([theory])?;
        while let Some(row) = rows.next()? {
            add(row.get(0)?, row.get::<_, i64>(1)? as u64);
        }
        Ok(done)
    }

    /// Cases of a theory that were not run on anybody.
    pub(super) fn failed(&self, theory: i64) -> Result<Vec<u64>> {
        let sql = "SELECT idx, whole FROM intact_cases WHERE theory = ?1 AND failure IS NOT NULL ORDER BY idx";
        let mut query = self.db.prepare(sql)?;
        let rows = query.query_map([theory], |row| row.get::<_, i64>(0))?;
        let rows: Vec<i64> = rows.collect::<Result<_, _>>()?;
        Ok(rows.into_iter().map(|index| index as u64).collect())
    }

    /// Stores rows of a theory, all or nothing.
    pub(super) fn record(&mut self, rows: &[(i64, Row)]) -> Result<()> {
        let path = self.path.clone();
        let mut write = || -> Result<()> {
            let transaction = self.db.transaction()?;
            for (theory, row) in rows {
                insert_row(&transaction, *theory, row)?;
            }
            failpoint::reach("commit")?;
            transaction.commit()?;
            failpoint::reach("committed")?;
            Ok(())
        };
        write().context(path).context(Fault::CannotWrite)
    }

    /// Notes whether a second run ended as the first.
    pub(super) fn set_again(&self, theory: i64, index: u64, target: i64, same: bool) -> Result<()> {
        let again = if same { Again::Same } else { Again::Different };
        failpoint::reach("commit")
            .context(self.path.clone())
            .context(Fault::CannotWrite)?;
        self.db
            .prepare_cached(
                "UPDATE cells SET again = ?4 WHERE theory = ?1 AND idx = ?2 AND target = ?3",
            )?
            .execute(params![theory, index as i64, target, again.number()])
            .context(self.path.clone())
            .context(Fault::CannotWrite)?;
        Ok(())
    }

    /// Hands over the first `end` rows of a theory in order, cells in the
    /// order of `columns`.
    pub(super) fn each_row(
        &self,
        theory: i64,
        end: u64,
        columns: &[Column],
        visit: &mut dyn FnMut(Row) -> Result<()>,
    ) -> Result<()> {
        let numbered = columns.iter().enumerate();
        let by_id: BTreeMap<i64, usize> = numbered.map(|(at, c)| (c.id, at)).collect();
        let mut cases = self.db.prepare(
            "SELECT idx, bytes, failure, whole FROM intact_cases WHERE theory = ?1 AND idx < ?2 ORDER BY idx",
        )?;
        let mut cells = self.db.prepare(
            "SELECT target, outcome, detail, wall, cpu, text, dropped, again, hash, c.whole
             FROM intact_cells c JOIN outputs ON outputs.id = c.output
             WHERE theory = ?1 AND idx = ?2",
        )?;
        let end = i64::try_from(end).unwrap_or(i64::MAX);
        let mut rows = cases.query(params![theory, end])?;
        while let Some(case) = rows.next()? {
            let index: i64 = case.get(0)?;
            let mut row = Row {
                index: index as u64,
                bytes: case.get::<_, i64>(1)? as u64,
                failure: failure(case.get(2)?)?,
                cells: Vec::new(),
            };
            let mut found = cells.query(params![theory, index])?;
            while let Some(cell) = found.next()? {
                if let Some(at) = by_id.get(&cell.get(0)?) {
                    row.cells.push(read_cell(cell, &columns[*at])?);
                }
            }
            row.cells.sort_by_key(|cell| by_id.get(&cell.target));
            visit(row)?;
        }
        Ok(())
    }
}

fn failure(text: Option<String>) -> Result<Option<Failure>> {
    let parsed = text.map(|text| text.parse::<Failure>()).transpose();
    parsed.context(FILE_NAME).or_usage()
}

fn insert_row(db: &Transaction<'_>, theory: i64, row: &Row) -> Result<()> {
    db.prepare_cached("INSERT OR IGNORE INTO cases VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![
            theory,
            row.index as i64,
            row.bytes as i64,
            row.failure.as_ref().map(ToString::to_string)
        ])?;
    for cell in &row.cells {
        let observation = &cell.observation;
        let stdout = &observation.stdout;
        let kept = &stdout.head[..stdout.head.len().min(OUTPUT_BYTES)];
        let dropped = stdout.dropped + (stdout.head.len() - kept.len()) as u64;
        let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        db.prepare_cached(
            "INSERT OR IGNORE INTO cells VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            theory,
            row.index as i64,
            cell.target,
            observation.outcome.name(),
            detail(&observation.outcome)?,
            micros(observation.wall),
            micros(observation.cpu),
            output(db, kept)?,
            i64::try_from(dropped).unwrap_or(i64::MAX),
            cell.again.number(),
        ])?;
    }
    Ok(())
}

/// The number of a text among the outputs.
fn output(db: &Transaction<'_>, text: &[u8]) -> Result<i64> {
    let hash = blake3::hash(text);
    let stored: Option<i64> = db
        .prepare_cached("SELECT id FROM outputs WHERE hash = ?1")?
        .query_row([hash.as_bytes()], |row| row.get(0))
        .optional()?;
    if let Some(id) = stored {
        return Ok(id);
    }
    db.prepare_cached("INSERT INTO outputs (hash, text) VALUES (?1, ?2)")?
        .execute(params![hash.as_bytes(), text])?;
    Ok(db.last_insert_rowid())
}

fn read_cell(row: &rusqlite::Row<'_>, column: &Column) -> Result<Cell> {
    let time = |at: usize| -> Result<Duration> {
        Ok(Duration::from_micros(row.get::<_, i64>(at)?.max(0) as u64))
    };
    let name: String = row.get(1)?;
    let text: Vec<u8> = row.get(5)?;
    if row.get_ref(8)?.as_blob()? != blake3::hash(&text).as_bytes() {
        return Err(usage(format!("{FILE_NAME}: an output is {DAMAGED}")));
    }
    Ok(Cell {
        target: column.id,
        observation: Observation {
            program: 0,
            target: column.name.clone(),
            role: column.role,
            outcome: outcome(&name, row.get(2)?)?,
            // How the process ended is in the outcome; oracles ask no more.
            exit: Exit::Status(0),
            wall: time(3)?,
            cpu: time(4)?,
            peak_kb: 0,
            stdout: Capture {
                head: text,
                tail: Vec::new(),
                dropped: row.get::<_, i64>(6)?.max(0) as u64,
            },
            stderr: Capture::default(),
            promises: Vec::new(),
        },
        again: match row.get::<_, i64>(7)? {
            1 => Again::Same,
            2 => Again::Different,
            _ => Again::NotRun,
        },
    })
}
