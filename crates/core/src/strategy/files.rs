//! Strategy `files`: every seed as it stands.
//!
//! What is known of a seed comes from the seed itself (for SMT-LIB the
//! `:status`), or else from what `lydite label` wrote down, or else from a
//! folder `sat/` or `unsat/` on its path. This alone is a regression runner for other people's test suites.

use std::sync::Arc;

use crate::{
    Answer, BigUint, Case, Choices, Claim, Language, OpenError, Program, Reject, SEED_ARM, Seed,
    SeedNeed, Setting, Settings, Space, Strategy, Verdict,
};

/// Strategy `files`: every seed is a case, as it stands.
pub struct Files;

impl Strategy for Files {
    fn name(&self) -> &'static str {
        "files"
    }

    fn about(&self) -> &'static str {
        "every seed as it stands; its own status, or a folder sat/ or unsat/, gives the claim"
    }

    fn language(&self) -> Option<&'static str> {
        None
    }

    fn seeds(&self) -> SeedNeed {
        SeedNeed::AtLeast(1)
    }

    fn settings(&self) -> &'static [Setting] {
        const {
            &[Setting::value(
                "claims",
                "true",
                "whether claims are taken from the seeds and the names of their folders",
            )]
        }
    }

    fn makes_programs(&self) -> bool {
        false
    }

    fn open(
        &self,
        language: Arc<dyn Language>,
        seeds: Arc<[Seed]>,
        settings: &Settings,
    ) -> Result<Box<dyn Space>, OpenError> {
        let claims = settings.read("claims", "true or false", true)?;
        Ok(Box::new(FilesSpace {
            language,
            seeds,
            claims,
        }))
    }
}

struct FilesSpace {
    language: Arc<dyn Language>,
    seeds: Arc<[Seed]>,
    claims: bool,
}

impl Space for FilesSpace {
    fn sample(&self, choices: &mut Choices) -> Result<Case, Reject> {
        Ok(self.case(choices.arm(SEED_ARM, self.seeds.len())?))
    }

    fn len(&self) -> Option<BigUint> {
        Some(BigUint::from(self.seeds.len()))
    }

    fn nth(&self, index: &BigUint) -> Result<Case, Reject> {
        match usize::try_from(index) {
            Ok(index) if index < self.seeds.len() => Ok(self.case(index)),
            _ => Err(Reject::NotApplicable("an index beyond the last seed")),
        }
    }
}

impl FilesSpace {
    fn case(&self, index: usize) -> Case {
        let seed = &self.seeds[index];
        let claim = if self.claims {
            known_of(self.language.as_ref(), seed)
        } else {
            Claim::Silent
        };
        let extension = self.language.extensions().first().copied().unwrap_or("txt");
        let program = Program::single(format!("case.{extension}"), seed.text.clone());
        Case::single(program, claim).made_from([seed])
    }
}

/// What is known of a seed: what it says itself, or else what was found out about it, or else what
/// the name of its folder says.
pub fn known_of(language: &dyn Language, seed: &Seed) -> Claim {
    let stated = language.stated_claim(seed);
    stated
        .or_else(|| seed.claim.clone())
        .or_else(|| folder_claim(&seed.name))
        .unwrap_or(Claim::Silent)
}

/// The innermost folder named for a verdict.
fn folder_claim(path: &str) -> Option<Claim> {
    let folders = path.rsplit('/').skip(1);
    let verdict = folders.filter_map(Verdict::from_name).next()?;
    Some(Claim::Answers(Answer::Verdicts(vec![verdict])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlainLanguage;

    const TEXT: PlainLanguage = PlainLanguage {
        name: "text",
        about: "",
        extensions: &["txt"],
        line_comment: "#",
    };

    fn open(names: &[&str], settings: &[(&str, &str)]) -> Result<Box<dyn Space>, OpenError> {
        let seeds = names.iter().map(|name| Seed {
            name: name.to_string(),
            text: name.as_bytes().into(),
            claim: None,
        });
        let given = settings.iter().map(|(k, v)| (k.to_string(), v.to_string()));
        let settings = Settings::checked(&Files, given.collect())?;
        Files.open(Arc::new(TEXT), seeds.collect(), &settings)
    }

    #[test]
    fn each_seed_is_a_case_with_the_claim_of_its_folder() {
        let names = [
            "a.txt", "sat/b.txt", "sat/x/unsat/c.txt", "unsat.txt", "satx/d.txt",
        ];
        let space = open(&names, &[]).unwrap();
        assert_eq!(space.len(), Some(BigUint::from(5u8)));
        let cases: Vec<Case> = (0..5u8)
            .map(|i| space.nth(&BigUint::from(i)).unwrap())
            .collect();
        let claims: Vec<String> = cases.iter().map(|case| case.claim.to_string()).collect();
        assert_eq!(claims, ["silent", "sat", "unsat", "silent", "silent"]);
        assert_eq!(&*cases[1].programs[0].source().text, b"sat/b.txt");
        assert_eq!(cases[1].programs[0].source().name, "case.txt");
        assert!(space.nth(&BigUint::from(5u8)).is_err());
    }

    #[test]
    fn claims_can_be_switched_off_and_bad_settings_are_named() {
        let space = open(&["sat/b.txt"], &[("claims", "false")]).unwrap();
        assert_eq!(space.nth(&BigUint::ZERO).unwrap().claim, Claim::Silent);
        let unknown = open(&["a"], &[("claim", "no")]).err().unwrap().to_string();
        assert_eq!(
            unknown,
            "setting `claim` is not one of files's; did you mean `claims`?"
        );
        let bad = open(&["a"], &[("claims", "maybe")])
            .err()
            .unwrap()
            .to_string();
        assert_eq!(bad, "setting `claims`: `maybe` is not true or false");
    }
}
