//! What judges: a language and oracles. Nothing here runs, reads or waits; what
//! is said depends on the case and the table alone.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use lydite_core::oracle::{contested_claim, settle};
use lydite_core::{
    Case, Claim, Language, Oracle, Program, Remark, Role, Signature, Symptom, Table,
};

use super::job::Filed;
use lydite_store::record::Replays;
use lydite_target::Target;

/// Says what is wrong with what targets answered.
#[derive(Clone)]
pub struct Judge {
    /// The language of the programs.
    pub language: Arc<dyn Language>,
    /// The oracles that judge.
    pub oracles: Vec<Arc<dyn Oracle>>,
}

impl Judge {
    /// The case as it is put to targets: without hints, and with the witness
    /// and the core asked for if an oracle wants one.
    pub fn prepare(&self, mut case: Case) -> Case {
        let witness = self.oracles.iter().any(|oracle| oracle.wants_witness());
        let core = self.oracles.iter().any(|oracle| oracle.wants_core());
        for program in &mut case.programs {
            *program = self.language.without_hints(program);
            if witness {
                *program = self.language.asking_for_witness(program);
            }
            if core {
                *program = self.language.asking_for_core(program);
            }
        }
        case
    }

    /// Programs that follow from what was seen.
    pub(super) fn follow_up(&self, case: &Case, table: &Table) -> Vec<Program> {
        let oracles = self.oracles.iter();
        oracles
            .flat_map(|oracle| oracle.follow_up(case, table))
            .collect()
    }

    /// Why the claim of the case is false, if some oracle refutes it, or else
    /// who contradicts it, if everybody does. Nobody is accused by such a claim:
    /// the case is silent from here on.
    pub(super) fn doubt_claim(
        &self,
        case: &mut Case,
        table: &Table,
        asked: usize,
    ) -> (Option<String>, Option<String>) {
        // The claim is not about what followed.
        let (first, first_table) = asked_part(case, table, asked);
        let mut oracles = self.oracles.iter();
        let refuted = oracles.find_map(|oracle| oracle.refutes_claim(&first, &first_table));
        let contested = match refuted {
            Some(_) => None,
            None => contested_claim(&first, &first_table),
        };
        if refuted.is_some() || contested.is_some() {
            case.claim = Claim::Silent;
        }
        (refuted, contested)
    }

    /// What all oracles say, with signatures, and as what upstream knows it by
    /// the files of `targets`. Programs from number `asked` on followed from what
    /// was seen: the claim is not about them.
    pub(super) fn judge(
        &self,
        case: &Case,
        table: &Table,
        asked: usize,
        targets: &[(Target, Role)],
    ) -> (Vec<Filed>, Vec<Remark>) {
        let (symptoms, remarks) = self.symptoms(case, table, asked);
        let mut filed: Vec<Filed> = Vec::new();
        for symptom in settle(symptoms) {
            let features = match case.programs.get(symptom.program) {
                Some(program) => self.language.features(program),
                None => Vec::new(),
            };
            let signature = Signature::of(&symptom, &features);
            // Two oracles, or two versions of one family, may see one bug.
            if let Some(other) = filed.iter_mut().find(|other| other.signature == signature) {
                if other.symptom.target == symptom.target {
                    // A claim convicts alone; whoever agrees with it can still vouch for
                    // programs of which nothing is claimed.
                    if other.symptom.against.is_empty() {
                        other.symptom.against.clone_from(&symptom.against);
                    }
                    other.symptom.evidence += &format!("; {}", symptom.evidence);
                }
                continue;
            }
            let known = self.known_issue(case, &symptom, &signature, targets);
            filed.push(Filed {
                symptom,
                signature,
                known,
                options: BTreeMap::new(),
                replays: Replays::default(),
            });
        }
        (filed, remarks)
    }

    /// What each oracle reports, one after the other.
    fn symptoms(&self, case: &Case, table: &Table, asked: usize) -> (Vec<Symptom>, Vec<Remark>) {
        let (mut symptoms, mut remarks) = (Vec::new(), Vec::new());
        let (first, first_table) = asked_part(case, table, asked);
        let followed = (case.programs.len() > asked).then(|| Case {
            claim: Claim::Silent,
            ..case.clone()
        });
        for oracle in &self.oracles {
            let judgement = oracle.judgement(&first, &first_table);
            symptoms.extend(judgement.symptoms);
            let Some(followed) = &followed else {
                remarks.extend(judgement.remarks);
                continue;
            };
            // What followed may decide what was open before.
            let all = oracle.judgement(followed, table);
            symptoms.extend(all.symptoms.into_iter().filter(|one| one.program >= asked));
            let mut later = all.remarks;
            later.retain(|one| one.program < asked);
            // Of programs that belong together only the first judgement speaks.
            remarks.extend(if later.is_empty() {
                judgement.remarks
            } else {
                later
            });
        }
        (symptoms, remarks)
    }

    /// The issue that a symptom is known as.
    fn known_issue(
        &self,
        case: &Case,
        symptom: &Symptom,
        signature: &Signature,
        targets: &[(Target, Role)],
    ) -> Option<String> {
        let mut targets = targets.iter();
        let (target, _) = targets.find(|(target, _)| target.name == symptom.target)?;
        let program = case.programs.get(symptom.program)?;
        let text = signature.to_string();
        let uses = |feature: &str| self.language.uses(program, feature);
        let family = target.family();
        let known = family.known_issue(&target.version, symptom.kind, &text, &uses);
        known.map(|known| known.issue.clone())
    }
}

/// The case and table without what followed.
fn asked_part<'a>(
    case: &'a Case,
    table: &'a Table,
    asked: usize,
) -> (Cow<'a, Case>, Cow<'a, Table>) {
    if case.programs.len() == asked {
        return (Cow::Borrowed(case), Cow::Borrowed(table));
    }
    let mut case = case.clone();
    case.programs.truncate(asked);
    let mut table = table.clone();
    table
        .observations
        .retain(|observation| observation.program < asked);
    (Cow::Owned(case), Cow::Owned(table))
}
