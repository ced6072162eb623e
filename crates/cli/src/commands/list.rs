//! `lydite list`: strategies, oracles, languages, presets; one line each, or
//! one of them in full.

use std::path::Path;

use anyhow::{Result, bail};
use lydite_core::nearest::nearest;
use lydite_core::{Setting, SettingKind, Strategy};
use lydite_lab::plan::Plan;
use lydite_lab::registry::Registry;
use serde_json::{Value, json};

use crate::args::{ListArgs, Listed};
use crate::console::{print, print_json};
use crate::exit_code::ExitCode;
use crate::presets::{AUDIT, AUDIT_PARTS, PRESETS, Preset};
use crate::registry::registry;
use crate::table::{print_lines, print_table, print_text};

/// A strategy, oracle, language or preset.
struct ListEntry {
    name: String,
    about: String,
    /// What the table shows beside name and about.
    detail: Option<String>,
    /// What `--json` prints beside name and about.
    object: Value,
}

pub(crate) fn run(args: &ListArgs) -> Result<ExitCode> {
    let registry = registry();
    let mut entries = entries(&registry, args.what);
    if let Some(name) = &args.name {
        check_known(name, &entries)?;
        entries.retain(|entry| entry.name == *name);
    }
    if args.json {
        entries.iter().for_each(|entry| print_json(&entry.json()));
        return Ok(ExitCode::Clean);
    }
    match &args.name {
        Some(name) => show(&registry, args.what, name, &entries),
        None => table(args.what, &entries),
    }
    Ok(ExitCode::Clean)
}

fn entries(registry: &Registry, what: Listed) -> Vec<ListEntry> {
    let plain = |name: &str, about: &str| ListEntry::new(name, about, None, json!({}));
    match what {
        Listed::Strategies => {
            let strategies = registry.strategies.iter();
            strategies
                .map(|strategy| ListEntry::of(strategy.as_ref()))
                .collect()
        }
        Listed::Oracles => {
            let oracles = registry.oracles.iter();
            oracles
                .map(|oracle| plain(oracle.name(), oracle.about()))
                .collect()
        }
        Listed::Languages => {
            let entry = |language: &std::sync::Arc<dyn lydite_core::Language>| {
                let endings = language.extensions();
                ListEntry::new(
                    language.name(),
                    language.about(),
                    Some(format!(".{}", endings.join(" ."))),
                    json!({ "extensions": endings }),
                )
            };
            registry.languages.iter().map(entry).collect()
        }
        Listed::Presets => {
            let presets = PRESETS.iter();
            let parts: Vec<&str> = AUDIT_PARTS.iter().map(|(name, _)| *name).collect();
            let audit = format!("{}: the number of accusations by kind", parts.join(", "));
            presets
                .map(|preset| plain(preset.name, preset.about))
                .chain([plain(AUDIT, &audit)])
                .collect()
        }
    }
}

impl ListEntry {
    fn new(name: &str, about: &str, detail: Option<String>, object: Value) -> ListEntry {
        ListEntry {
            name: name.to_string(),
            about: about.to_string(),
            detail,
            object,
        }
    }

    fn of(strategy: &dyn Strategy) -> ListEntry {
        let settings: Vec<Value> = strategy.settings().iter().map(setting_json).collect();
        let language = strategy.language().unwrap_or("any");
        let object = json!({ "language": language, "settings": settings });
        let detail = Some(language.to_string());
        ListEntry::new(strategy.name(), strategy.about(), detail, object)
    }

    fn json(&self) -> String {
        let mut object = self.object.clone();
        object["name"] = json!(self.name);
        object["about"] = json!(self.about);
        object.to_string()
    }
}

fn check_known(name: &str, entries: &[ListEntry]) -> Result<()> {
    let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
    if names.contains(&name) {
        return Ok(());
    }
    match nearest(name, names.iter().copied()) {
        Some(near) => bail!("`{name}` is not known; did you mean `{near}`?"),
        None => bail!("`{name}` is not known (known: {})", names.join(", ")),
    }
}

fn table(what: Listed, entries: &[ListEntry]) {
    let heads: &[&str] = match what {
        Listed::Strategies => &["name", "language", "about"],
        Listed::Languages => &["name", "files", "about"],
        Listed::Oracles | Listed::Presets => &["name", "about"],
    };
    let row = |entry: &ListEntry| {
        let cells = [Some(&entry.name), entry.detail.as_ref(), Some(&entry.about)];
        cells.into_iter().flatten().cloned().collect()
    };
    let rows: Vec<Vec<String>> = entries.iter().map(row).collect();
    print_lines(heads, &rows);
    let word = match what {
        Listed::Strategies => "strategies",
        Listed::Oracles => "oracles",
        Listed::Languages => "languages",
        Listed::Presets => "presets",
    };
    print("");
    print(&format!("one in full: lydite list {word} NAME"));
}

/// Shows one of them in full.
fn show(registry: &Registry, what: Listed, name: &str, entries: &[ListEntry]) {
    for entry in entries {
        print_text(&format!("{}: {}", entry.name, entry.about));
        match (what, &entry.detail) {
            (Listed::Strategies, Some(language)) => print(&format!("language: {language}")),
            (Listed::Languages, Some(endings)) => print(&format!("files: {endings}")),
            _ => {}
        }
    }
    match what {
        Listed::Strategies => {
            let named = |strategy: &&std::sync::Arc<dyn Strategy>| strategy.name() == name;
            if let Some(strategy) = registry.strategies.iter().find(named) {
                show_settings(strategy.settings());
            }
            let uses = |plan: &Plan| plan.strategies.iter().any(|s| s.name == name);
            print_users(&uses);
        }
        Listed::Oracles => print_users(&|plan| plan.oracles.iter().any(|o| o == name)),
        Listed::Presets => {
            let preset = PRESETS.iter().find(|preset| preset.name == name);
            print("");
            print(preset.map_or("", |preset| preset.text()).trim_end());
        }
        Listed::Languages => {}
    }
}

fn show_settings(settings: &[Setting]) {
    if settings.is_empty() {
        print("it has no settings");
        return;
    }
    let rows: Vec<Vec<String>> = settings
        .iter()
        .map(|s| vec![s.key.to_string(), s.default.to_string(), s.help.to_string()])
        .collect();
    print("");
    print_table(&["setting", "default", "meaning"], &rows);
}

/// Prints the presets whose plans use it.
fn print_users(uses: &dyn Fn(&Plan) -> bool) {
    let plan = |preset: &&Preset| preset.plan(Path::new("")).is_ok_and(|plan| uses(&plan));
    let names: Vec<&str> = PRESETS.iter().filter(plan).map(|p| p.name).collect();
    if !names.is_empty() {
        print("");
        print_text(&format!("presets that use it: {}", names.join(", ")));
    }
}

fn setting_json(setting: &Setting) -> Value {
    let kind = match setting.kind {
        SettingKind::Value => "value",
        SettingKind::File => "file",
        SettingKind::NameOrFile => "name-or-file",
    };
    json!({
        "key": setting.key,
        "default": setting.default,
        "help": setting.help,
        "kind": kind,
    })
}
