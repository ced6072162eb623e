//! Connections to the database of a store, which a killed process may have left in
//! any state.
//!
//! What is left in a write-ahead log goes into the file itself only after a look at
//! all of both (`Inspection`). So a log that is damaged or another store's makes
//! nothing worse: without it the file is as it was.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use lydite_core::fault::usage;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::log::{self, LeftLog};
use super::seal;

/// How long to wait for another process that writes just now.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a database for reading, also where nothing can be written.
pub fn connect_to_read(path: &Path) -> Result<Connection> {
    let left = log::look(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(PATIENCE)?;
    let tried = db.query_row("SELECT COUNT(*) FROM meta", [], |_| Ok(()));
    let Err(error) = tried else {
        seal::attach(&db)?;
        return Ok(db);
    };
    let locked_out = matches!(
        error.sqlite_error_code(),
        Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::PermissionDenied)
    );
    if locked_out && left == LeftLog::Transactions {
        return Err(usage(format!(
            "{}: what was recorded last is in the file beside it that ends with -wal, and that \
             can be read only where the folder can be written: copy the folder to such a place",
            path.display()
        )));
    }
    // Without a writable folder SQLite cannot share the file with a
    // writer; there is none, so it may be read as it stands.
    let text = path.display().to_string();
    let escaped = text
        .replace('%', "%25")
        .replace('?', "%3f")
        .replace('#', "%23");
    let name = format!("file:{escaped}?immutable=1");
    let db = Connection::open_with_flags(name, flags)?;
    seal::attach(&db)?;
    Ok(db)
}

/// A connection for reading and writing.
pub struct Opened {
    /// The connection.
    pub db: Connection,
    /// True if a killed process has left something in the log, so that the file
    /// itself is not written before [`Opened::db`] was looked over.
    pub left: bool,
}

/// Opens a database for reading and writing.
pub fn connect(path: &Path) -> Result<Opened> {
    let left = log::look(path)? == LeftLog::Transactions;
    let db = Connection::open(path)?;
    db.busy_timeout(PATIENCE)?;
    if left {
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        db.pragma_update(None, "wal_autocheckpoint", 0)?;
    }
    db.pragma_update(None, "journal_mode", "WAL")?;
    // A kill of the process loses nothing; only a power cut may lose
    // the last transactions, and the cases are then done again.
    db.pragma_update(None, "synchronous", "NORMAL")?;
    seal::attach(&db)?;
    Ok(Opened { db, left })
}

/// Lets what is in the log into the file again, now that both were looked over.
pub fn trust_log(db: &Connection) -> Result<()> {
    db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
    db.pragma_update(None, "wal_autocheckpoint", PAGES_OF_LOG)?;
    Ok(())
}

/// The log goes into the file whenever it has so many pages: SQLite's own number.
const PAGES_OF_LOG: u32 = 1000;
