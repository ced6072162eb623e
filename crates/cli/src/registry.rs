//! The one place that names every language, strategy and oracle.

use std::sync::Arc;

use lydite_core::oracle::oracles;
use lydite_core::strategy::Files;
use lydite_core::{Language, Oracle, PlainLanguage, PlainSurface, Seed};
use lydite_grammar::{Enumerate, SpecStrategy};
use lydite_lab::registry::Registry;
use lydite_skeleton::{DELETE, RETYPE, SPLICE, Skeletons};
use lydite_smtlib::oracle::{CoreOracle, ModelOracle, ObjectiveOracle};
use lydite_smtlib::strategy::equals::EqualsStrategy;
use lydite_smtlib::strategy::fusion::Fusion;
use lydite_smtlib::strategy::ground::Ground;
use lydite_smtlib::strategy::history::HistoryStrategy;
use lydite_smtlib::strategy::incremental::Incremental;
use lydite_smtlib::strategy::objectives::ObjectivesStrategy;
use lydite_smtlib::strategy::operators::OperatorMutation;
use lydite_smtlib::strategy::partition::PartitionStrategy;
use lydite_smtlib::strategy::typed::TypedMutation;
use lydite_smtlib::strategy::weaken::Weaken;
use lydite_smtlib::strategy::witness::WitnessStrategy;
use lydite_solidity::behaviour::{ASSIGNED, COMPLETE, COPIES, EXPRESSIONS, InterpretedStrategy};
use lydite_solidity::equivalent::Equivalent;
use lydite_solidity::strategy::Templates;
use lydite_solidity::yul::{YUL, YUL_OBJECT};
use lydite_solidity::{SafetyOracle, SameCodeOracle, Solidity};
use lydite_syntax::{LANGUAGES, Sql};
use lydite_target::Family;

/// All languages, strategies and oracles of this program.
pub(crate) fn registry() -> Registry {
    let mut languages: Vec<Arc<dyn Language>> = vec![Arc::new(lydite_smtlib::SmtLib)];
    let solidity = Solidity::default();
    languages.extend(
        LANGUAGES.map(|language| match language.name() == solidity.name() {
            true => Arc::new(solidity) as Arc<dyn Language>,
            false => Arc::new(language),
        }),
    );
    languages.push(Arc::new(Sql));
    let mut all_oracles: Vec<Arc<dyn Oracle>> = oracles().into_iter().map(Arc::from).collect();
    all_oracles.push(Arc::new(ModelOracle));
    all_oracles.push(Arc::new(CoreOracle));
    all_oracles.push(Arc::new(ObjectiveOracle));
    all_oracles.push(Arc::new(SameCodeOracle));
    all_oracles.push(Arc::new(SafetyOracle));
    Registry {
        languages,
        strategies: vec![
            Arc::new(Files),
            Arc::new(Enumerate),
            Arc::new(SpecStrategy),
            Arc::new(Skeletons),
            Arc::new(SPLICE),
            Arc::new(DELETE),
            Arc::new(RETYPE),
            Arc::new(Templates),
            Arc::new(ASSIGNED),
            Arc::new(COMPLETE),
            Arc::new(COPIES),
            Arc::new(EXPRESSIONS),
            Arc::new(InterpretedStrategy),
            Arc::new(YUL),
            Arc::new(YUL_OBJECT),
            Arc::new(Equivalent),
            Arc::new(Ground),
            Arc::new(Incremental),
            Arc::new(Fusion),
            Arc::new(OperatorMutation),
            Arc::new(TypedMutation),
            Arc::new(Weaken),
            Arc::new(WitnessStrategy),
            Arc::new(EqualsStrategy),
            Arc::new(PartitionStrategy),
            Arc::new(HistoryStrategy),
            Arc::new(ObjectivesStrategy),
        ],
        oracles: all_oracles,
    }
}

/// The oracles that judge a family over its versions by default.
pub(crate) fn evolution_oracles(language: &str) -> Vec<String> {
    let mut oracles = vec!["crash", "answer"];
    if language == lydite_smtlib::SmtLib.name() {
        oracles.push("model");
    }
    oracles.into_iter().map(str::to_string).collect()
}

/// A bank of the terms of SMT-LIB seeds, as text.
pub(crate) fn bank_of(seeds: &[Seed]) -> String {
    lydite_smtlib::mutate::bank::collect(seeds)
}

/// The language of a family: one that is known, or else one of which the
/// target's file tells the ending.
pub(crate) fn language_of(registry: &Registry, family: &Family) -> Arc<dyn Language> {
    if let Ok(language) = registry.language(&family.language) {
        return language;
    }
    let extension = family.run.file.rsplit('.').next().map(str::to_string);
    let surface = PlainSurface {
        extension,
        line_comment: family.run.comment.clone(),
    };
    plain_language(family.language.clone(), surface)
}

/// The language of that name, also if its name is all that is known.
pub(crate) fn language_named(registry: &Registry, name: &str) -> Arc<dyn Language> {
    let known = registry.language(name);
    known.unwrap_or_else(|_| plain_language(name.to_string(), PlainSurface::default()))
}

/// A language that is known by its surface only.
pub(crate) fn plain_language(name: String, surface: PlainSurface) -> Arc<dyn Language> {
    // A few words that live as long as the program.
    let forever = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let extension = surface.extension.unwrap_or_else(|| "txt".to_string());
    Arc::new(PlainLanguage {
        name: forever(name),
        about: "a language of a target or grammar file, by its surface",
        extensions: Box::leak(Box::new([forever(extension)])),
        line_comment: forever(surface.line_comment.unwrap_or_else(|| "#".to_string())),
    })
}
