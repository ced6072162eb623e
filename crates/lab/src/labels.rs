//! Labels: what was found out about seeds, written down beside them.
//!
//! One JSON object per line, appended: a kill loses at most the last line,
//! and a folder of a hundred thousand seeds is not rewritten a hundred
//! thousand times. Labels are found by the content of a seed, so a file that
//! was moved keeps its label and one that was changed loses it.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::{Answer, Claim, TargetName};
use serde::{Deserialize, Serialize};

use lydite_core::fault::Fault;
use lydite_core::quantity::Size;

/// The file's name in a folder of seeds.
pub const FILE_NAME: &str = "lydite-labels.jsonl";

/// The number of this format.
const FORMAT: u32 = 1;

/// A larger file is refused.
const LIMIT: Size = Size(1 << 30);

/// One labelled seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Label {
    /// Where the seed was, relative to the label file; for people.
    pub path: String,
    /// The hash of the seed's content.
    pub hash: String,
    /// `sat`, `unsat`, or one of them per question.
    pub answer: String,
    /// The targets that gave the answer.
    pub targets: Vec<TargetName>,
    /// How it is known that there is a model.
    pub model: ModelCheck,
}

/// How it is known that there is a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModelCheck {
    /// Every model was evaluated and satisfies every assertion.
    Checked,
    /// The targets are believed.
    Trusted,
    /// Nothing is satisfiable.
    None,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LabelsHead {
    format: u32,
}

/// Answers by content hash, from any number of label files.
#[derive(Clone, Debug, Default)]
pub struct Labels(BTreeMap<String, Claim>);

/// A label file that is being written.
pub struct LabelWriter {
    path: PathBuf,
    file: fs::File,
}

impl Labels {
    /// Adds what a label file says; a later line replaces an earlier one.
    pub fn add(&mut self, path: &Path) -> Result<()> {
        for label in read(path)? {
            let claim: Claim = label.answer.parse().with_context(|| {
                format!("labels {}: the answer of {}", path.display(), label.path)
            })?;
            let Claim::Answers(Answer::Verdicts(_)) = claim else {
                bail!(
                    "labels {}: `{}` of {} is not an answer",
                    path.display(),
                    label.answer,
                    label.path
                );
            };
            self.0.insert(label.hash, claim);
        }
        Ok(())
    }

    /// What is known of a seed with this content.
    pub fn claim(&self, hash: &str) -> Option<&Claim> {
        self.0.get(hash)
    }
}

/// All lines of a label file. The last line may be cut: its writer was killed.
fn read(path: &Path) -> Result<Vec<Label>> {
    let origin = || format!("labels {}", path.display());
    let mut text = String::new();
    fs::File::open(path)
        .and_then(|file| file.take(LIMIT.0 + 1).read_to_string(&mut text))
        .with_context(|| format!("{}: cannot be read", origin()))?;
    if text.len() as u64 > LIMIT.0 {
        bail!("{}: larger than {LIMIT}", origin());
    }
    let whole = &text[..text.rfind('\n').map_or(0, |at| at + 1)];
    let mut labels = Vec::new();
    for (number, line) in whole.lines().enumerate() {
        let place = || format!("{}:{}", origin(), number + 1);
        if number == 0 {
            let head: LabelsHead = serde_json::from_str(line).with_context(place)?;
            if head.format != FORMAT {
                bail!("{}: format {} is not {FORMAT}", origin(), head.format);
            }
            continue;
        }
        labels.push(serde_json::from_str(line).with_context(place)?);
    }
    Ok(labels)
}

impl LabelWriter {
    /// Opens or makes the label file of `folder`; also gives what is in it.
    pub fn open(folder: &Path) -> Result<(LabelWriter, Labels)> {
        let path = folder.join(FILE_NAME);
        let mut labels = Labels::default();
        if path.is_file() {
            labels.add(&path)?;
        }
        let opened = (|| -> Result<fs::File> {
            let mut options = fs::OpenOptions::new();
            let mut file = options
                .create(true)
                .truncate(false)
                .read(true)
                .write(true)
                .open(&path)?;
            let mut bytes = Vec::new();
            file.read_to_end(&mut bytes)?;
            let whole = bytes
                .iter()
                .rposition(|&b| b == b'\n')
                .map_or(0, |at| at + 1);
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
            if whole == 0 {
                let head = serde_json::to_string(&LabelsHead { format: FORMAT })?;
                file.write_all((head + "\n").as_bytes())?;
            }
            Ok(file)
        })();
        let file = opened
            .with_context(|| format!("{}: cannot be written", path.display()))
            .context(Fault::CannotWrite)?;
        Ok((LabelWriter { path, file }, labels))
    }

    /// Appends a label.
    pub fn write(&mut self, label: &Label) -> Result<()> {
        let line = serde_json::to_string(label)? + "\n";
        self.file
            .write_all(line.as_bytes())
            .with_context(|| format!("{}: cannot be written", self.path.display()))
            .context(Fault::CannotWrite)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lydite_process::Scratch;

    fn label(hash: &str, answer: &str) -> Label {
        Label {
            path: format!("{hash}.smt2"),
            hash: hash.to_string(),
            answer: answer.to_string(),
            targets: vec!["z3@5.4.0".parse().unwrap()],
            model: ModelCheck::Checked,
        }
    }

    fn claims(folder: &Path) -> Vec<(String, String)> {
        let mut labels = Labels::default();
        labels.add(&folder.join(FILE_NAME)).unwrap();
        let show = |(hash, claim): (String, Claim)| (hash, claim.to_string());
        labels.0.into_iter().map(show).collect()
    }

    #[test]
    fn labels_are_read_back_and_a_cut_line_is_forgotten() {
        let scratch = Scratch::new().unwrap();
        let folder = scratch.root();
        let path = folder.join(FILE_NAME);
        let (mut writer, known) = LabelWriter::open(folder).unwrap();
        assert!(known.claim("a").is_none());
        writer.write(&label("a", "sat")).unwrap();
        writer.write(&label("b", "unsat sat")).unwrap();
        drop(writer);
        let mut text = fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"path\":\"c");
        fs::write(&path, &text).unwrap();
        let two = [("a", "sat"), ("b", "unsat sat")].map(|(h, a)| (h.into(), a.into()));
        assert_eq!(claims(folder), two);
        let (mut writer, known) = LabelWriter::open(folder).unwrap();
        assert_eq!(known.claim("b").unwrap().to_string(), "unsat sat");
        writer.write(&label("a", "unsat")).unwrap();
        assert_eq!(claims(folder)[0].1, "unsat");
    }

    #[test]
    fn a_damaged_label_file_is_an_error_that_names_the_line() {
        let scratch = Scratch::new().unwrap();
        let path = scratch.root().join(FILE_NAME);
        let good = serde_json::to_string(&label("a", "sat")).unwrap();
        for (text, part) in [
            ("{\"format\":2}\n".to_string(), "format 2"),
            ("nonsense\n".to_string(), ":1"),
            (format!("{{\"format\":1}}\n{good}\n{{\"x\":1}}\n"), ":3"),
            (
                format!(
                    "{{\"format\":1}}\n{}\n",
                    good.replace("\"sat\"", "\"maybe\"")
                ),
                "maybe",
            ),
            (
                format!(
                    "{{\"format\":1}}\n{}\n",
                    good.replace("\"sat\"", "\"weakens\"")
                ),
                "not an answer",
            ),
        ] {
            fs::write(&path, &text).unwrap();
            let error = format!("{:#}", Labels::default().add(&path).unwrap_err());
            assert!(error.contains(part), "{part} is not in: {error}");
        }
    }
}
