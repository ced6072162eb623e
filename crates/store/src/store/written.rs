//! Which folders of findings are there, as they would be written now: what has
//! not changed since is not written again.

use std::collections::BTreeMap;

use anyhow::Result;
use lydite_core::Signature;
use rusqlite::params;

use super::Store;

impl Store {
    /// What was written of each finding, as [`Store::note_written`] was told.
    pub fn written(&self) -> Result<BTreeMap<String, String>> {
        let mut query = self
            .db
            .prepare("SELECT signature, state, whole FROM intact_written")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Notes that the folder of a finding was written as it stands, or `None`
    /// that it is gone.
    pub fn note_written(&self, signature: &Signature, state: Option<&str>) -> Result<()> {
        let text = signature.to_string();
        self.writing(&mut |db| {
            match state {
                Some(state) => db
                    .prepare_cached("INSERT OR REPLACE INTO written VALUES (?1, ?2)")?
                    .execute(params![text, state])?,
                None => db
                    .prepare_cached("DELETE FROM written WHERE signature = ?1")?
                    .execute([&text])?,
            };
            Ok(())
        })
    }
}
