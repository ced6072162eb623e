//! What a worker sends back: finished cases, and how its shard ended.
//!
//! A batch stands alone: it can be stored before or after any other, once or
//! twice. It is deflated; its head is JSON, and what is not text (outcomes of
//! runs, programs, outputs) follows as it is.

use std::io::{Read, Write};
use std::ops::Range;

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use lydite_store::folder::RelativePath;
use lydite_store::record::{CaseRecord, Runs, SessionRecord, TriggerFile, drop_needless_triggers};
use serde::{Deserialize, Serialize};

/// Finished cases of a shard, in one message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultBatch {
    /// The worker that sends it.
    pub worker: String,
    /// The shard that it belongs to.
    pub shard: Range<u64>,
    /// How the shard stands.
    pub news: News,
    /// What the worker has spent so far.
    pub session: SessionRecord,
    /// The finished cases.
    pub rows: Vec<CaseRecord>,
}

/// How a shard stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum News {
    /// There is more to come.
    More,
    /// All of it is done; it took so many milliseconds.
    Done(u64),
    /// The worker has to stop; what is left of it is for others.
    Stopped,
    /// It cannot be done here and now, and why.
    Failed(String),
    /// It was taken so many times and never finished.
    Exhausted(u64),
    /// This worker does nothing of the campaign, and why.
    Declined(String),
}

/// Every batch begins with it.
const MAGIC: &[u8; 4] = b"LYP3";

/// A batch that unpacks to more is refused.
const MOST_BYTES: u64 = 1 << 30;

#[derive(Serialize, Deserialize)]
struct BatchHead {
    batch: ResultBatch,
    /// For each row the length of its runs.
    runs: Vec<usize>,
    /// For each row the files of its trigger: path and length.
    files: Vec<Vec<(RelativePath, usize)>>,
}

impl ResultBatch {
    /// The batch as bytes. Triggers that no store will need are left out.
    pub fn encode(mut self) -> Result<Vec<u8>> {
        drop_needless_triggers(&mut self.rows);
        let mut blobs = Vec::new();
        let (mut runs, mut files) = (Vec::new(), Vec::new());
        for row in &mut self.rows {
            runs.push(row.runs.bytes().len());
            blobs.append(&mut row.runs.take_bytes());
            let taken = row.trigger.as_mut().map(|t| std::mem::take(&mut t.files));
            let mut listed = Vec::new();
            for mut file in taken.unwrap_or_default() {
                listed.push((file.path.clone(), file.content.len()));
                blobs.append(&mut file.content);
            }
            files.push(listed);
        }
        let head = serde_json::to_vec(&BatchHead {
            batch: self,
            runs,
            files,
        })?;
        let mut out = DeflateEncoder::new(MAGIC.to_vec(), Compression::fast());
        out.write_all(&(head.len() as u64).to_le_bytes())?;
        out.write_all(&head)?;
        out.write_all(&blobs)?;
        Ok(out.finish()?)
    }

    /// Reads a batch from bytes, which may be anything.
    pub fn decode(bytes: &[u8]) -> Result<ResultBatch> {
        let Some(packed) = bytes.strip_prefix(MAGIC) else {
            bail!("not a results of this format");
        };
        let mut unpacked = Vec::new();
        let mut reader = DeflateDecoder::new(packed).take(MOST_BYTES + 1);
        reader.read_to_end(&mut unpacked).context("results")?;
        if unpacked.len() as u64 > MOST_BYTES {
            bail!("results: larger than {MOST_BYTES} bytes");
        }
        let mut rest = unpacked.as_slice();
        let length = u64::from_le_bytes(take(&mut rest, 8)?.try_into()?);
        let head = take(&mut rest, usize::try_from(length)?)?;
        let BatchHead {
            mut batch,
            runs,
            files,
        } = serde_json::from_slice(head).context("results")?;
        if runs.len() != batch.rows.len() || files.len() != batch.rows.len() {
            bail!("results: its lists do not fit its rows");
        }
        let shard = &batch.shard;
        if !batch.rows.iter().all(|row| shard.contains(&row.index)) {
            bail!("results: cases that are not of their shard");
        }
        for ((row, runs), files) in batch.rows.iter_mut().zip(runs).zip(files) {
            row.runs = Runs::from_bytes(take(&mut rest, runs)?.to_vec());
            for (path, length) in files {
                let content = take(&mut rest, length)?.to_vec();
                if let Some(trigger) = &mut row.trigger {
                    trigger.files.push(TriggerFile { path, content });
                }
            }
        }
        Ok(batch)
    }
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8]> {
    let (taken, left) = rest.split_at_checked(length).context("results: cut off")?;
    *rest = left;
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_store::record::{Replays, SymptomRecord, TriggerRecord};

    fn path(text: &str) -> RelativePath {
        RelativePath::new(text).unwrap()
    }

    fn row(index: u64, bytes: u64) -> CaseRecord {
        CaseRecord {
            index,
            bytes,
            runs: Runs::from_bytes(vec![0, 255, index as u8]),
            symptoms: vec![SymptomRecord {
                signature: "v1 crash z3 site=\"x\"".parse().unwrap(),
                target: "z3".parse().unwrap(),
                against: Vec::new(),
                program: 0,
                evidence: "\u{202e}".to_string(),
                bytes,
                known: None,
                replays: Replays { shown: 3, of: 3 },
            }],
            trigger: Some(TriggerRecord {
                asked: 1,
                programs: vec![vec![path("case.smt2")]],
                files: vec![TriggerFile {
                    path: path("case.smt2"),
                    content: vec![0xff, 0, index as u8],
                }],
                ..TriggerRecord::missing()
            }),
            ..CaseRecord::default()
        }
    }

    fn batch() -> ResultBatch {
        ResultBatch {
            worker: "w".to_string(),
            shard: 3..9,
            news: News::Done(12),
            session: SessionRecord::default(),
            rows: vec![row(3, 50), row(4, 60), row(5, 40)],
        }
    }

    #[test]
    fn a_batch_comes_out_as_it_went_in_without_the_cases_that_nobody_needs() {
        let back = ResultBatch::decode(&batch().encode().unwrap()).unwrap();
        let mut expected = batch();
        expected.rows[1].trigger = None;
        assert_eq!(back, expected);
    }

    #[test]
    fn bytes_that_are_no_batch_are_an_error() {
        let whole = batch().encode().unwrap();
        for length in 0..whole.len() {
            assert!(ResultBatch::decode(&whole[..length]).is_err(), "{length}");
        }
        let mut bomb = DeflateEncoder::new(MAGIC.to_vec(), Compression::fast());
        bomb.write_all(&u64::MAX.to_le_bytes()).unwrap();
        assert!(ResultBatch::decode(&bomb.finish().unwrap()).is_err());
        assert!(ResultBatch::decode(b"{\"rows\":[]}").is_err());
    }

    #[test]
    fn cases_of_another_shard_are_an_error() {
        for shard in [0..3, 4..9, 0..0] {
            let other = ResultBatch { shard, ..batch() };
            let error = ResultBatch::decode(&other.encode().unwrap()).unwrap_err();
            assert!(format!("{error:#}").contains("shard"), "{error:#}");
        }
    }

    #[test]
    fn a_batch_that_names_a_place_outside_of_the_folder_is_an_error() {
        let whole = ResultBatch::decode(&batch().encode().unwrap()).unwrap();
        assert_eq!(whole.rows.len(), 3);
        for outside in ["../PWNED", "/tmp/PWNED", "a/../../b"] {
            let head = |text: &str| text.replace("case.smt2", outside);
            let json = serde_json::to_string(&BatchHead {
                batch: batch(),
                runs: vec![0; 3],
                files: vec![vec![(path("case.smt2"), 0)]; 3],
            });
            let head = head(&json.unwrap());
            let mut out = DeflateEncoder::new(MAGIC.to_vec(), Compression::fast());
            out.write_all(&(head.len() as u64).to_le_bytes()).unwrap();
            out.write_all(head.as_bytes()).unwrap();
            let error = ResultBatch::decode(&out.finish().unwrap()).unwrap_err();
            assert!(
                format!("{error:#}").contains("does not stay below"),
                "{error:#}"
            );
        }
    }
}
