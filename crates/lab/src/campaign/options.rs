//! Options that a campaign varies: which ones case *i* runs with, and the
//! fewest with which a finding still shows.
//!
//! The allow-list is in the target's file. All targets of a family get the
//! same options, as far as their versions have them, so that versions are
//! compared under equal conditions. The choice depends on the plan and *i*
//! alone, through a random stream of its own: switching it on changes no
//! program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lydite_core::{Choices, Lots, Reject, Role, Table};

use super::confirm::{Replay, patience};
use super::job::{Filed, Further};
use lydite_store::record::Arms;
use lydite_target::{AllowedOption, Target};

/// The options that one case runs with, by family.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionChoice(BTreeMap<String, Vec<AllowedOption>>);

impl OptionChoice {
    /// Draws up to `most` options for each family, for case `index` of a campaign with this seed.
    /// Lots say how likely each option is; the arms that were drawn are returned too.
    pub fn draw(
        (seed, index): (u64, u64),
        most: u32,
        targets: &[(Target, Role)],
        lots: &Arc<Lots>,
    ) -> (OptionChoice, Arms) {
        let mut choice = OptionChoice::default();
        let mut arms = Arms::default();
        if most == 0 {
            return (choice, arms);
        }
        for (target, _) in targets {
            let family = target.family();
            if choice.0.contains_key(&family.family) {
                continue;
            }
            let text = format!("options {seed} {}", family.family);
            let hash = blake3::hash(text.as_bytes());
            let bytes = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
            let mut choices = Choices::seeded(u64::from_le_bytes(*bytes), index);
            // Only a tape can end; this one is endless.
            let of = format!("option-{}", family.family);
            choices.steer(option_lots(lots, &of, &family.option));
            let drawn = some_of(&of, &family.option, most, &mut choices).unwrap_or_default();
            arms.0.extend(Arms::noted(choices.arms()).0);
            choice.0.insert(family.family.clone(), drawn);
        }
        choice.0.retain(|_, options| !options.is_empty());
        (choice, arms)
    }

    /// Options that are given as words, for a finding that is run again.
    /// Those of the allow-list go only to versions that have them.
    pub fn given(
        words: &BTreeMap<String, Vec<String>>,
        targets: &[(Target, Role)],
    ) -> OptionChoice {
        let mut choice = OptionChoice::default();
        for (target, _) in targets {
            let family = target.family();
            if let Some(words) = words.get(&family.family) {
                let options = rows_of(words, &family.option);
                choice.0.insert(family.family.clone(), options);
            }
        }
        choice
    }

    /// The words that `target` gets.
    pub fn args(&self, target: &Target) -> Vec<String> {
        let options = self.0.get(&target.name.family).into_iter().flatten();
        let fitting = options.filter(|option| target.takes(option));
        fitting.flat_map(|option| option.args.clone()).collect()
    }

    /// What these options promise of `target`.
    pub fn promises(&self, target: &Target) -> Vec<String> {
        let options = self.0.get(&target.name.family).into_iter().flatten();
        let fitting = options.filter(|option| target.takes(option));
        fitting
            .filter_map(|option| option.promises.clone())
            .collect()
    }

    /// The words of each family.
    pub fn by_family(&self) -> BTreeMap<String, Vec<String>> {
        let words = |options: &Vec<AllowedOption>| {
            options
                .iter()
                .flat_map(|option| option.args.clone())
                .collect()
        };
        let families = self.0.iter();
        families
            .map(|(family, options)| (family.clone(), words(options)))
            .collect()
    }

    /// The same options in an order that does not depend on how they were drawn.
    pub(super) fn sorted(&self) -> OptionChoice {
        let mut choice = self.clone();
        for options in choice.0.values_mut() {
            options.sort_by(|one, other| one.args.cmp(&other.args));
        }
        choice
    }

    fn of_families(&self, families: &BTreeSet<&str>) -> OptionChoice {
        let mut choice = self.clone();
        choice
            .0
            .retain(|family, _| families.contains(family.as_str()));
        choice
    }

    /// All choices with one option less.
    pub(crate) fn smaller(&self) -> Vec<OptionChoice> {
        let mut smaller = Vec::new();
        for (family, options) in &self.0 {
            for number in 0..options.len() {
                let mut choice = self.clone();
                let mut rest = options.clone();
                rest.remove(number);
                match rest.is_empty() {
                    true => choice.0.remove(family),
                    false => choice.0.insert(family.clone(), rest),
                };
                smaller.push(choice);
            }
        }
        smaller
    }

    fn add(&mut self, other: &OptionChoice) {
        for (family, options) in &other.0 {
            let own = self.0.entry(family.clone()).or_default();
            for option in options {
                if !own.contains(option) {
                    own.push(option.clone());
                }
            }
        }
    }
}

/// The options that these words are; what is on no list is for every version.
fn rows_of(words: &[String], allowed: &[AllowedOption]) -> Vec<AllowedOption> {
    let mut rest = words;
    let mut options = Vec::new();
    while !rest.is_empty() {
        let fits = |option: &&AllowedOption| rest.starts_with(&option.args);
        let option = match allowed.iter().find(fits) {
            Some(option) => option.clone(),
            None => AllowedOption::of(vec![rest[0].clone()]),
        };
        rest = &rest[option.args.len()..];
        options.push(option);
    }
    options
}

/// How likely options are: as the target file says, times what a schedule has learnt.
///
/// What is new and what checks itself is drawn more often as long as nothing is known, and of
/// options that bring as much as others.
fn option_lots(lots: &Lots, of: &str, options: &[AllowedOption]) -> Arc<Lots> {
    let weights = (0..).zip(options).map(|(number, option)| {
        let learnt = lots.weight(of, number).unwrap_or(1);
        (number, learnt.saturating_mul(u64::from(option.weight)))
    });
    let mut own = Lots::default();
    own.set(of, &weights.collect(), 0);
    Arc::new(own)
}

/// Any number of options up to `most`, none that sets what another one sets.
fn some_of(
    of: &str,
    options: &[AllowedOption],
    most: u32,
    choices: &mut Choices,
) -> Result<Vec<AllowedOption>, Reject> {
    let mut left: Vec<usize> = (0..options.len()).collect();
    let mut chosen = Vec::new();
    for _ in 0..choices.below(u64::from(most) + 1)? {
        if left.is_empty() {
            break;
        }
        let option = &options[left[choices.arm_of(of, &left)?]];
        left.retain(|other| !options[*other].excludes(option));
        chosen.push(option.clone());
    }
    Ok(chosen)
}

impl Replay<'_> {
    /// Files the symptoms under the options that they need: the fewest, or
    /// where nothing is to be confirmed, those that were asked for. Returns
    /// the options that are left, what the targets say with them, and what all
    /// runs took.
    pub(super) fn settle_options(&self, symptoms: &mut [Filed]) -> (OptionChoice, Table, Further) {
        if !symptoms.is_empty() && *self.options != OptionChoice::default() {
            if self.examiner.replays > 0 {
                return self.with_fewest_options(symptoms);
            }
            let filed = symptoms.iter_mut();
            filed.for_each(|filed| filed.file_under(self.options));
        }
        (self.options.clone(), self.table.clone(), Further::default())
    }

    /// Finds, for every symptom, the fewest options that still show it (each
    /// attempt is a cold run) and files it under them. Returns the options
    /// that some symptom needs, what the targets say with those, and what all
    /// runs took.
    fn with_fewest_options(&self, symptoms: &mut [Filed]) -> (OptionChoice, Table, Further) {
        let mut runs = Further::default();
        let mut needed = OptionChoice::default();
        for filed in symptoms.iter_mut() {
            let mut attempt = Attempt {
                replay: *self,
                filed: filed.clone(),
                runs: Further::default(),
            };
            let replays = filed.replays;
            let (fewest, again) = attempt.fewest();
            runs.join(attempt.runs);
            *filed = Filed { replays, ..again };
            filed.file_under(&fewest);
            needed.add(&fewest);
        }
        let mut table = self.table.clone();
        let differs = |target: &Target| self.options.args(target) != needed.args(target);
        let runner = &self.examiner.runner;
        runs.join(runner.observe_if(self.case, &mut table, &differs, &needed, 1));
        (needed, table, runs)
    }
}

/// The search for the fewest options of one symptom.
struct Attempt<'a> {
    replay: Replay<'a>,
    filed: Filed,
    runs: Further,
}

impl Attempt<'_> {
    /// None at all first, since most bugs need none; then one less, as long
    /// as that still shows it.
    fn fewest(&mut self) -> (OptionChoice, Filed) {
        let symptom = &self.filed.symptom;
        let names = std::iter::once(&symptom.target).chain(&symptom.against);
        let families: BTreeSet<&str> = names.map(|name| name.family.as_str()).collect();
        let mut fewest = self.replay.options.of_families(&families);
        let mut filed = self.filed.clone();
        if fewest == OptionChoice::default() {
            return (fewest, filed);
        }
        if let Some(again) = self.shown_with(&OptionChoice::default()) {
            return (OptionChoice::default(), again);
        }
        while let Some((smaller, again)) = fewest
            .smaller()
            .into_iter()
            .filter(|smaller| *smaller != OptionChoice::default())
            .find_map(|smaller| Some((smaller.clone(), self.shown_with(&smaller)?)))
        {
            fewest = smaller;
            filed = again;
        }
        (fewest, filed)
    }

    /// The same symptom under other options, if every run shows it.
    fn shown_with(&mut self, options: &OptionChoice) -> Option<Filed> {
        let symptom = self.filed.symptom.clone();
        // All of their families: a variant that shows it too has these options as well, and what it
        // showed with more of them says nothing.
        let names = std::iter::once(&symptom.target).chain(&symptom.against);
        let families: BTreeSet<&str> = names.map(|name| name.family.as_str()).collect();
        let involved = |target: &Target| families.contains(target.name.family.as_str());
        let mut table = self.replay.table.clone();
        let patience = patience(&self.filed);
        let mut shown = None;
        // With patience one run is dear, and says enough.
        let runs = match symptom.kind.is_timing() {
            true => 1,
            false => self.replay.examiner.replays.max(1),
        };
        for _ in 0..runs {
            let Replay { examiner, case, .. } = self.replay;
            let runner = &examiner.runner;
            let taken = runner.observe_if(case, &mut table, &involved, options, patience);
            self.runs.join(taken);
            let (again, _) = examiner.judge_table(case, &table, self.replay.asked);
            let same = |other: &Filed| other.signature == self.filed.signature;
            shown = Some(again.into_iter().find(same)?);
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(args: &[&str]) -> Vec<AllowedOption> {
        let row = |arg: &&str| AllowedOption::of(vec![arg.to_string()]);
        args.iter().map(row).collect()
    }

    #[test]
    fn options_are_drawn_up_to_the_number_and_never_set_a_thing_twice() {
        let allowed = rows(&["a=1", "a=2", "b", "c=x", "--no-b2"]);
        let mut seen = BTreeSet::new();
        for index in 0..3000 {
            let mut choices = Choices::seeded(7, index);
            let chosen = some_of("option", &allowed, 3, &mut choices).unwrap();
            assert!(chosen.len() <= 3);
            for (number, option) in chosen.iter().enumerate() {
                let before = &chosen[..number];
                assert!(!before.iter().any(|other| other.excludes(option)));
            }
            seen.insert(chosen.iter().map(|o| o.args.join(" ")).collect::<Vec<_>>());
        }
        assert!(seen.contains(&Vec::new()));
        // 5 options, of which two exclude each other: 1 + 5 + 18 + 42 ordered choices.
        assert_eq!(seen.len(), 66);
    }

    /// How often each of these options is drawn in so many cases.
    fn drawn(allowed: &[AllowedOption], lots: &Lots) -> Vec<u64> {
        let mut seen = vec![0; allowed.len()];
        for index in 0..4000 {
            let mut choices = Choices::seeded(7, index);
            choices.steer(option_lots(lots, "option", allowed));
            for option in some_of("option", allowed, 1, &mut choices).unwrap() {
                let number = allowed.iter().position(|one| *one == option).unwrap();
                seen[number] += 1;
            }
        }
        seen
    }

    #[test]
    fn what_is_new_or_checks_itself_is_drawn_more_often_in_every_round() {
        let mut allowed = rows(&["a", "b", "c"]);
        for (option, weight) in allowed.iter_mut().zip([8, 2, 2]) {
            option.weight = weight;
        }
        let first = drawn(&allowed, &Lots::default());
        assert!(first[0] > 3 * first[1] && first[1] > 200, "{first:?}");
        // A schedule that knows of `b` alone, and finds it as good as what nobody knows.
        let mut lots = Lots::default();
        lots.set("option", &BTreeMap::from([(1, 1 << 20)]), 1 << 20);
        let second = drawn(&allowed, &lots);
        assert!(second[0] > 3 * second[1] && second[2] > 200, "{second:?}");
        // What it found much worse is hardly drawn.
        lots.set("option", &BTreeMap::from([(0, 1)]), 1 << 20);
        let third = drawn(&allowed, &lots);
        assert!(third[0] < 20 && third[1] > 800, "{third:?}");
    }

    #[test]
    fn words_become_the_options_that_they_are() {
        let mut allowed = rows(&["a=1", "b"]);
        allowed[0].versions = ">=4".to_string().try_into().unwrap();
        allowed.push(AllowedOption::of(vec!["c".to_string(), "d=2".to_string()]));
        let words: Vec<String> = "b c d=2 x a=1".split(' ').map(str::to_string).collect();
        let options = rows_of(&words, &allowed);
        let shown: Vec<String> = options.iter().map(|o| o.args.join("+")).collect();
        assert_eq!(shown, ["b", "c+d=2", "x", "a=1"]);
        assert_eq!(options[3].versions.as_str(), ">=4");
    }

    #[test]
    fn one_option_less_is_tried_for_every_option() {
        let mut choice = OptionChoice::default();
        choice.0.insert("z3".to_string(), rows(&["a=1", "b"]));
        choice.0.insert("cvc5".to_string(), rows(&["--c"]));
        let smaller: Vec<String> = choice
            .smaller()
            .iter()
            .map(|choice| format!("{:?}", choice.by_family()))
            .collect();
        assert_eq!(
            smaller,
            [
                r#"{"z3": ["a=1", "b"]}"#,
                r#"{"cvc5": ["--c"], "z3": ["b"]}"#,
                r#"{"cvc5": ["--c"], "z3": ["a=1"]}"#,
            ]
        );
    }
}
