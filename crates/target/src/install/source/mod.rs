//! Building a processor from its source, inside of the cache.
//!
//! A build has a folder of its own, `building/LABEL/` (with `+` for a colon), and goes on where it was
//! stopped: `state.json` says what it is made of, how many of its commands
//! have ended well and whether one is under way, and is replaced by a rename at each step. What it
//! prints is in `logs/LABEL.log`. Whoever builds holds the lock of the label.
//!
//! A command that was stopped from outside may have left half a file behind that looks whole.
//! So a build that was disturbed in this way and then fails begins once more, from its source.

mod command;
mod digest;
mod keep;
mod unpack;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use lydite_process::remove_whole;
use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::tool;
use crate::{Build, Get};

use command::{CommandEnd, run_command};
pub(super) use digest::digest_of;

/// What is to be built.
pub(super) struct BuildOrder<'a> {
    /// The source.
    pub(super) get: &'a Get,
    /// How it is built.
    pub(super) build: &'a Build,
    /// What `{flags}` stands for.
    pub(super) flags: &'a str,
    /// The registry's version.
    pub(super) version: &'a str,
    /// `family@version:variant`, which names its folder and its log.
    pub(super) label: &'a str,
    /// Hash of everything that decides what is made.
    pub(super) made_of: String,
    /// The cache.
    pub(super) cache: &'a Cache,
}

/// Where a build takes place.
struct Site {
    /// Its folder.
    folder: PathBuf,
    /// What it prints.
    log: PathBuf,
    /// When its time is over.
    deadline: Instant,
}

/// How far a build has come.
#[derive(Debug, Default, Serialize, Deserialize)]
struct State {
    /// What it is made of.
    made_of: String,
    /// True once the source lies there.
    unpacked: bool,
    /// How many commands have ended well.
    done: usize,
    /// True while a command runs, and after one that did not end by itself.
    #[serde(default)]
    running: bool,
    /// True once one of its commands was found stopped from outside.
    #[serde(default)]
    disturbed: bool,
}

/// Builds, or goes on building, and puts what is kept below `root`.
pub(super) fn build(
    order: &BuildOrder<'_>,
    root: &Path,
    progress: &mut dyn FnMut(&str),
) -> Result<()> {
    for command in &order.build.needs {
        ensure!(
            tool::find(command).is_some(),
            "needs the command `{command}` on the PATH to be built: install it"
        );
    }
    // A colon would end the folder's name in a PATH.
    let name = order.label.replace(':', "+");
    let site = Site {
        folder: order.cache.folder("building")?.join(&name),
        log: order.cache.folder("logs")?.join(format!("{name}.log")),
        deadline: Instant::now() + Duration::from_secs(60 * order.build.minutes),
    };
    let mut state = State::load(&site.folder);
    if state.made_of != order.made_of {
        state = begin(order, &site)?;
    }
    if let Some(why) = go_on(order, &site, &mut state, progress)? {
        if !state.disturbed {
            bail!(why);
        }
        progress(&format!(
            "{}: it had been interrupted, and {why}; it begins anew",
            order.label
        ));
        state = begin(order, &site)?;
        if let Some(why) = go_on(order, &site, &mut state, progress)? {
            bail!(why);
        }
    }
    keep::keep(order, &site.folder, root)?;
    remove(&site.folder)
}

/// An empty folder and an empty log.
fn begin(order: &BuildOrder<'_>, site: &Site) -> Result<State> {
    remove(&site.folder)?;
    fs::create_dir_all(&site.folder).with_context(|| site.folder.display().to_string())?;
    fs::write(&site.log, "").with_context(|| site.log.display().to_string())?;
    let state = State {
        made_of: order.made_of.clone(),
        ..State::default()
    };
    state.save(&site.folder)?;
    Ok(state)
}

/// Removes a folder, whatever the commands have put into it.
fn remove(folder: &Path) -> Result<()> {
    remove_whole(folder).with_context(|| folder.display().to_string())
}

/// Runs the commands that are left; why one of them failed, if it did so by itself.
fn go_on(
    order: &BuildOrder<'_>,
    site: &Site,
    state: &mut State,
    progress: &mut dyn FnMut(&str),
) -> Result<Option<String>> {
    if !state.unpacked {
        unpack::unpack(order, &site.folder)?;
        state.unpacked = true;
        state.save(&site.folder)?;
    }
    while state.done < order.build.commands.len() {
        state.disturbed |= state.running;
        state.running = true;
        state.save(&site.folder)?;
        match run_command(order, site, state.done, progress)? {
            CommandEnd::Well => state.done += 1,
            CommandEnd::Failed(why) => {
                state.running = false;
                state.save(&site.folder)?;
                return Ok(Some(why));
            }
            CommandEnd::Cut(why) => bail!(why),
        }
        state.running = false;
        state.save(&site.folder)?;
    }
    Ok(None)
}

impl State {
    /// The state of a build that was begun; what cannot be read was not.
    fn load(folder: &Path) -> State {
        let text = fs::read(folder.join("state.json")).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    fn save(&self, folder: &Path) -> Result<()> {
        let path = folder.join("state.json");
        let fresh = folder.join("state.json.tmp");
        fs::write(&fresh, serde_json::to_vec(self)?)
            .with_context(|| fresh.display().to_string())?;
        fs::rename(&fresh, &path).with_context(|| path.display().to_string())
    }
}
