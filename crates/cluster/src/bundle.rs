//! What a worker needs of a campaign: the plan, its seeds, the files that
//! settings name, the target files. Contents travel in packs; everything is
//! named by its hash and checked against it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use lydite_core::{Claim, Seed, TargetName};
use lydite_lab::campaign::Resolved;
use lydite_lab::plan::Plan;
use lydite_lab::seeds::SeedSet;
use lydite_store::record::Provenance;
use serde::{Deserialize, Serialize};

/// The number of this format.
const FORMAT: u32 = 2;

/// Contents are put together up to this size.
const PACK_BYTES: usize = 4 << 20;

/// A larger target file is refused, as the catalogue does.
const TARGET_FILE_BYTES: u64 = 1 << 20;

/// A campaign as it travels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bundle {
    format: u32,
    /// The version of lydite that made it; workers of another decline.
    pub tool: String,
    /// The campaign's identity.
    pub id: String,
    /// The plan. Its paths are those of another machine.
    pub plan: Plan,
    /// The binaries, target files and version of lydite that cases have to be run with.
    pub provenance: Provenance,
    /// The targets by their exact names, and whether each is a reference.
    pub targets: Vec<(TargetName, bool)>,
    /// The seeds of each strategy.
    seeds: Vec<Vec<PackedSeed>>,
    /// Target files: name and hash.
    target_files: Vec<(String, String)>,
    /// Where contents are.
    packs: Vec<Pack>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PackedSeed {
    name: String,
    hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    claim: Option<Claim>,
}

/// Several contents in one object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pack {
    /// The hash of all its bytes, which is the name of the object.
    pub hash: String,
    /// Hash and length of each content, in order.
    contents: Vec<(String, usize)>,
}

/// A bundle with its contents.
#[derive(Clone, Debug)]
pub struct PackedBundle {
    /// The bundle.
    pub bundle: Bundle,
    /// The packs' bytes by hash.
    pub objects: BTreeMap<String, Vec<u8>>,
}

impl PackedBundle {
    /// Packs a campaign for travel.
    pub fn new(
        resolved: &Resolved,
        seeds: &[SeedSet],
        target_files: &[PathBuf],
    ) -> Result<PackedBundle> {
        let mut packing = Packing::default();
        let mut records = Vec::new();
        for set in seeds {
            let mut list = Vec::new();
            for seed in &set.seeds {
                list.push(PackedSeed {
                    name: seed.name.clone(),
                    hash: packing.add(&seed.text),
                    claim: seed.claim.clone(),
                });
            }
            records.push(list);
        }
        for strategy in &resolved.plan.strategies {
            for (_, text) in strategy.files.contents() {
                packing.add(text.as_bytes());
            }
        }
        let mut files = Vec::new();
        for (name, text) in read_target_files(target_files)? {
            files.push((name, packing.add(&text)));
        }
        packing.close();
        Ok(PackedBundle {
            bundle: Bundle {
                format: FORMAT,
                tool: resolved.tool.clone(),
                id: resolved.id.clone(),
                plan: resolved.plan.clone(),
                provenance: resolved.provenance(),
                targets: resolved
                    .targets
                    .iter()
                    .map(|target| (target.name.clone(), target.reference))
                    .collect(),
                seeds: records,
                target_files: files,
                packs: packing.packs,
            },
            objects: packing.objects,
        })
    }
}

#[derive(Default)]
struct Packing {
    known: BTreeSet<String>,
    open: Vec<u8>,
    contents: Vec<(String, usize)>,
    packs: Vec<Pack>,
    objects: BTreeMap<String, Vec<u8>>,
}

impl Packing {
    fn add(&mut self, content: &[u8]) -> String {
        let hash = hash(content);
        if self.known.insert(hash.clone()) {
            self.open.extend(content);
            self.contents.push((hash.clone(), content.len()));
            if self.open.len() >= PACK_BYTES {
                self.close();
            }
        }
        hash
    }

    fn close(&mut self) {
        if self.contents.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.open);
        let pack = Pack {
            hash: hash(&bytes),
            contents: std::mem::take(&mut self.contents),
        };
        self.objects.insert(pack.hash.clone(), bytes);
        self.packs.push(pack);
    }
}

/// The target files below these paths, in the order in which they are read.
fn read_target_files(paths: &[PathBuf]) -> Result<Vec<(String, Vec<u8>)>> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(|| path.display().to_string())?;
        let mut inside: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        inside.retain(|path| path.extension().is_some_and(|e| e == "toml"));
        inside.sort();
        files.extend(inside);
    }
    let read = |path: PathBuf| {
        let context = || format!("target file {}", path.display());
        let length = fs::metadata(&path).with_context(context)?.len();
        if length > TARGET_FILE_BYTES {
            bail!("target file {}: too large", path.display());
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok((name.into_owned(), fs::read(&path).with_context(context)?))
    };
    files.into_iter().map(read).collect()
}

impl Bundle {
    /// The bundle as bytes, and the name of its object.
    pub fn encode(&self) -> Result<(String, Vec<u8>)> {
        let bytes = serde_json::to_vec(self)?;
        Ok((hash(&bytes), bytes))
    }

    /// Reads a bundle from bytes, which have to have this hash.
    pub fn decode(name: &str, bytes: &[u8]) -> Result<Bundle> {
        if hash(bytes) != name {
            bail!("bundle {name}: damaged on its way");
        }
        let bundle: Bundle = serde_json::from_slice(bytes).context("bundle")?;
        if bundle.format != FORMAT {
            bail!("bundle {name}: format {} is not {FORMAT}", bundle.format);
        }
        if bundle.tool != env!("CARGO_PKG_VERSION") {
            let own = env!("CARGO_PKG_VERSION");
            bail!("made by lydite {}, and this is {own}", bundle.tool);
        }
        Ok(bundle)
    }

    /// The objects that hold the contents.
    pub fn objects(&self) -> impl Iterator<Item = &str> {
        self.packs.iter().map(|pack| pack.hash.as_str())
    }

    /// Takes contents out of packs and puts them where they belong: the plan
    /// with its files, the seeds of each strategy, and target files in
    /// `folder`.
    pub fn unpack(
        mut self,
        objects: &BTreeMap<String, Vec<u8>>,
        folder: &Path,
    ) -> Result<UnpackedBundle> {
        let contents = self.contents(objects)?;
        let content = |hash: &str| {
            let found = contents.get(hash).copied();
            found.with_context(|| format!("bundle: content {hash} is missing"))
        };
        let mut seeds = Vec::new();
        for records in &self.seeds {
            let mut set = SeedSet::default();
            for record in records {
                set.hashes.push(record.hash.clone());
                set.seeds.push(Seed {
                    name: record.name.clone(),
                    text: content(&record.hash)?.into(),
                    claim: record.claim.clone(),
                });
            }
            seeds.push(set);
        }
        for strategy in &mut self.plan.strategies {
            strategy
                .files
                .fill(&mut |hash| Ok(String::from_utf8(content(hash)?.to_vec())?))?;
        }
        let mut target_files = Vec::new();
        for (number, (name, hash)) in self.target_files.iter().enumerate() {
            // The name may be anything; the catalogue wants a `.toml`.
            let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || c == '.';
            let name: String = name.chars().filter(|c| plain(*c)).collect();
            let path = folder.join(format!("{number:04}-{name}"));
            fs::write(&path, content(hash)?).with_context(|| path.display().to_string())?;
            target_files.push(path);
        }
        Ok(UnpackedBundle {
            id: self.id,
            plan: self.plan,
            provenance: self.provenance,
            targets: self.targets,
            seeds,
            target_files,
        })
    }

    fn contents<'a>(
        &self,
        objects: &'a BTreeMap<String, Vec<u8>>,
    ) -> Result<BTreeMap<String, &'a [u8]>> {
        let mut contents = BTreeMap::new();
        for pack in &self.packs {
            let bytes = objects.get(&pack.hash);
            let mut rest = bytes
                .with_context(|| format!("bundle: pack {}", pack.hash))?
                .as_slice();
            for (wanted, length) in &pack.contents {
                let split = rest.split_at_checked(*length);
                let (content, left) = split.context("bundle: a pack is too short")?;
                if hash(content) != *wanted {
                    bail!("bundle: content {wanted} was damaged on its way");
                }
                contents.insert(wanted.clone(), content);
                rest = left;
            }
        }
        Ok(contents)
    }
}

/// A bundle that arrived.
#[derive(Clone, Debug)]
pub struct UnpackedBundle {
    /// The campaign's identity: what is opened here has to have it too.
    pub id: String,
    /// The plan, with the files that settings name.
    pub plan: Plan,
    /// The binaries, target files and version of lydite that cases have to be run with.
    pub provenance: Provenance,
    /// The targets by their exact names, and whether each is a reference.
    pub targets: Vec<(TargetName, bool)>,
    /// The seeds of each strategy.
    pub seeds: Vec<SeedSet>,
    /// Target files that came with it.
    pub target_files: Vec<PathBuf>,
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
