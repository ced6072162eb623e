//! Hostile texts: random damage, and what every reader must survive.

use lydite_core::{Choices, Language, Program, Reject};
use lydite_smtlib::{SmtLib, print, syntax};

/// Every function of the language on any bytes: an answer, no panic.
pub(crate) fn survive(text: &[u8]) {
    let program = Program::single("a.smt2", text);
    let _ = SmtLib.check(&program);
    let _ = SmtLib.features(&program);
    let _ = SmtLib.fingerprint(&program);
    let _ = SmtLib.edits(&program).take(3).count();
    if let Ok(script) = syntax::parse(text) {
        for printed in [print::script(&script), print::pretty(&script)] {
            assert!(syntax::parse_str(&printed).expect("what we print reads") == script);
        }
    }
}

/// A few random cuts, splices and changed bytes.
pub(crate) fn damage(text: &mut Vec<u8>, choices: &mut Choices) -> Result<(), Reject> {
    const SPLICES: &[&[u8]] = &[
        b"(", b")", b"\"", b"|", b";", b"(_ ", b"(let ((x ", b":named ", b"#x", b"9999999999999",
        b"\xff", b"(as ", b"!", b"(match ", b" ", b"\n", b"(! ", b"(_ bv1 99999999999)",
    ];
    for _ in 0..choices.between(1, 4)? {
        let at = choices.index(text.len() + 1)?;
        match choices.below(4)? {
            0 => text.truncate(at),
            1 if at < text.len() => text[at] = choices.below(256)? as u8,
            2 => {
                let end = (at + choices.index(20)?).min(text.len());
                text.drain(at..end);
            }
            _ => {
                let splice = choices.pick(SPLICES)?;
                text.splice(at..at, splice.iter().copied());
            }
        }
    }
    Ok(())
}
