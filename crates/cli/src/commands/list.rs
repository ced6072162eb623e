//! `lydite list`: strategies, oracles, languages, presets.

use anyhow::Result;
use lydite_core::{Setting, SettingKind};
use serde_json::{Value, json};

use crate::args::{ListArgs, Listed};
use crate::console::{print_json, print_table};
use crate::exit_code::ExitCode;
use crate::presets::PRESETS;
use crate::registry::registry;

pub(crate) fn run(args: &ListArgs) -> Result<ExitCode> {
    let registry = registry();
    let rows: Vec<(Value, [String; 2])> = match args.what {
        Listed::Strategies => registry
            .strategies
            .iter()
            .map(|strategy| {
                let settings: Vec<Value> = strategy.settings().iter().map(setting_json).collect();
                let language = strategy.language().unwrap_or("any");
                let object = json!({ "language": language, "settings": settings });
                let keys: Vec<String> = strategy
                    .settings()
                    .iter()
                    .map(|s| format!("{}={} ({})", s.key, s.default, s.help))
                    .collect();
                let about = format!(
                    "[{language}] {}; settings: {}",
                    strategy.about(),
                    keys.join(", ")
                );
                named(strategy.name(), strategy.about(), about, object)
            })
            .collect(),
        Listed::Oracles => registry
            .oracles
            .iter()
            .map(|o| plain(o.name(), o.about()))
            .collect(),
        Listed::Languages => registry
            .languages
            .iter()
            .map(|language| {
                let endings = json!({ "extensions": language.extensions() });
                let about = format!(
                    "{} (.{})",
                    language.about(),
                    language.extensions().join(", .")
                );
                named(language.name(), language.about(), about, endings)
            })
            .collect(),
        Listed::Presets => PRESETS
            .iter()
            .map(|preset| plain(preset.name, preset.about))
            .collect(),
    };
    if args.json {
        rows.iter()
            .for_each(|(object, _)| print_json(&object.to_string()));
    } else {
        let rows: Vec<Vec<String>> = rows.into_iter().map(|(_, row)| row.to_vec()).collect();
        print_table(&["name", "about"], &rows);
    }
    Ok(ExitCode::Clean)
}

fn plain(name: &str, about: &str) -> (Value, [String; 2]) {
    named(name, about, about.to_string(), json!({}))
}

fn named(name: &str, about: &str, shown: String, mut object: Value) -> (Value, [String; 2]) {
    object["name"] = json!(name);
    object["about"] = json!(about);
    (object, [name.to_string(), shown])
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
