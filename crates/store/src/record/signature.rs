//! What we read off a signature beside its kind and family.

use lydite_core::Signature;

/// The fact that holds the varied options without which a symptom does not
/// show, separated by spaces.
pub const OPTIONS_FACT: &str = "options";

/// The fact that sets a finding apart from others of the same signature: a
/// number that deduplication gave.
pub const APART_FACT: &str = "apart";

/// The fact of that name.
pub fn fact<'a>(signature: &'a Signature, key: &str) -> Option<&'a str> {
    let mut facts = signature.facts.iter();
    facts
        .find(|(name, _)| name == key)
        .map(|(_, text)| text.as_str())
}

/// The options that a signature names.
pub fn options_of(signature: &Signature) -> Vec<String> {
    let words = fact(signature, OPTIONS_FACT).unwrap_or_default();
    words.split_whitespace().map(str::to_string).collect()
}

/// The signature without the fact that deduplication adds.
pub fn whole(signature: &Signature) -> Signature {
    let mut whole = signature.clone();
    whole.facts.retain(|(key, _)| key != APART_FACT);
    whole
}

/// The signature of part number `number` of a finding that deduplication divided.
pub fn apart(signature: &Signature, number: u32) -> Signature {
    let mut apart = whole(signature);
    apart
        .facts
        .push((APART_FACT.to_string(), number.to_string()));
    apart
}

/// How many hexadecimal digits of the hash an id has: with 64 bits a million
/// findings have one id for two with a chance of three in a hundred million.
const ID_DIGITS: usize = 16;

/// The id of the finding with this signature: short, and the same wherever it
/// is found.
pub fn id_of(signature: &Signature) -> String {
    let hash = blake3::hash(signature.to_string().as_bytes()).to_hex();
    let (family, kind) = (&signature.family, signature.kind);
    format!("{family}-{kind}-{}", &hash[..ID_DIGITS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_signature_have_ids_of_their_own_and_one_whole() {
        let signature: Signature = "v1 crash z3 site=\"x\" options=\"a=1 b\"".parse().unwrap();
        let second = apart(&signature, 2);
        let third = apart(&second, 3);
        assert_eq!(third.to_string().matches(APART_FACT).count(), 1);
        assert_eq!(whole(&third), signature);
        assert_eq!(options_of(&second), ["a=1", "b"]);
        assert_eq!(fact(&second, APART_FACT), Some("2"));
        assert_ne!(id_of(&second), id_of(&third));
        assert_eq!(id_of(&signature).len(), "z3-crash-".len() + 16);
    }
}
