//! "Did you mean …": the known word nearest to an unknown one.

/// The candidate that `word` most likely meant, if any is near enough.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            let distance = strsim::damerau_levenshtein(&word, &candidate.to_lowercase());
            (distance, candidate)
        })
        .filter(|(distance, candidate)| {
            *distance <= (word.chars().count().max(candidate.chars().count()) / 3).max(1)
        })
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_word_and_nonsense_finds_none() {
        let known = ["targets", "oracles", "timeout", "memory"];
        assert_eq!(nearest("target", known), Some("targets"));
        assert_eq!(nearest("Timeuot", known), Some("timeout"));
        assert_eq!(nearest("orcale", known), Some("oracles"));
        assert_eq!(nearest("xyz", known), None);
        assert_eq!(nearest("z4", ["gcc", "z3"]), Some("z3"));
    }
}
