//! Does a finding still show, and can its case be remade?

use anyhow::{Context, Result, bail};
use lydite_core::Case;

use super::Workplace;
use crate::campaign::{Examined, Examiner, Filed, OptionChoice};
use crate::finding::FullFinding;
use lydite_core::fault::Blame;

/// What a replay showed.
pub struct Replayed {
    /// The finding's id.
    pub id: String,
    /// In how many runs it showed.
    pub shown: u32,
    /// The last run.
    pub examined: Examined,
    /// Whether plan and index give the very same programs again; none without
    /// the campaign.
    pub remade: Option<Result<()>>,
}

/// Runs the case of a finding `times` times.
pub fn replay(workplace: &Workplace<'_>, id: &str, times: u32) -> Result<Replayed> {
    let full = workplace.finding(id)?;
    let file = &full.file;
    let case = full.case()?;
    let examiner = workplace.examiner(file)?;
    let wanted = file.shows();
    let options = OptionChoice::given(&file.options_by_family, &examiner.runner.targets);
    let mut shown = 0;
    let mut last = None;
    for _ in 0..times {
        let examined = examiner.examine_with(&case, &options);
        examiner.check_started(&examined)?;
        let same = |filed: &Filed| filed.signature == wanted;
        shown += u32::from(examined.symptoms.iter().any(same));
        last = Some(examined);
    }
    let remade = workplace
        .resolved()
        .map(|_| remade(workplace, &full, &examiner));
    Ok(Replayed {
        id: file.finding.id.clone(),
        shown,
        examined: last.context("at least one run is needed").or_usage()?,
        remade,
    })
}

/// Whether plan and index give the very same programs again.
fn remade(workplace: &Workplace<'_>, full: &FullFinding, examiner: &Examiner) -> Result<()> {
    let source = workplace.source(&examiner.judge.language);
    let source = source.context("its seeds or files are not as they were")?;
    let recipe = &full.file.recipe;
    let schedule = workplace.schedule(recipe.schedule)?;
    let again = source.case_by(recipe.index, schedule.as_ref());
    let again = examiner.judge.prepare(again?);
    let texts = |case: &Case| -> Vec<Vec<u8>> {
        let files = case.programs.iter().flat_map(|program| &program.files);
        files.map(|file| file.text.to_vec()).collect()
    };
    if texts(&again) != texts(&full.original()?) {
        bail!("the programs differ");
    }
    Ok(())
}
