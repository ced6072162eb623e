//! What the language offers without a declaration, beyond the values of the
//! environment that [`super::Environment`] names: a table with types, what a
//! function must be allowed to do, and the versions that have it.

use crate::types::Elementary;

/// A value or function that nobody declares: a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intrinsic(u8);

/// What stands in the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its text; each `$` is an operand.
    pub text: &'static str,
    /// What the operands convert to.
    pub operands: &'static [Elementary],
    /// What it gives.
    pub result: Elementary,
    /// What a function has to be to use it.
    pub needs: Needs,
    /// The first version that has it.
    pub from: &'static str,
    /// The first version that has it no more.
    pub until: Option<&'static str>,
}

/// What a function has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Anything.
    Nothing,
    /// Not `pure`.
    Reading,
    /// Neither `pure` nor `view`.
    Writing,
    /// `payable`, or out of reach of transactions and not `pure`.
    Payment,
}

const WORD: Elementary = Elementary::UINT256;
const HASH: Elementary = Elementary::fixed_bytes(32);
const START: &str = "0.4.16";

const fn row(
    text: &'static str,
    operands: &'static [Elementary],
    result: Elementary,
    needs: Needs,
    from: &'static str,
    until: Option<&'static str>,
) -> Row {
    Row {
        text,
        operands,
        result,
        needs,
        from,
        until,
    }
}

use Elementary as E;
use Needs::{Nothing, Payment, Reading, Writing};

/// Taken from what the compilers do. What needs an EVM that is newer than the
/// compiler's usual one begins where that became usual.
#[rustfmt::skip]
const TABLE: [Row; 28] = [
    row("block.coinbase",     &[], E::ADDRESS, Reading, START, Some("0.5.0")),
    row("block.coinbase",     &[], E::PAYABLE, Reading, "0.5.0", None),
    row("block.difficulty",   &[], WORD, Reading, START, None),
    row("block.gaslimit",     &[], WORD, Reading, START, None),
    row("block.chainid",      &[], WORD, Reading, "0.8.0", None),
    row("block.basefee",      &[], WORD, Reading, "0.8.7", None),
    row("block.prevrandao",   &[], WORD, Reading, "0.8.18", None),
    row("block.blobbasefee",  &[], WORD, Reading, "0.8.25", None),
    row("blockhash($)",       &[WORD], HASH, Reading, "0.4.22", None),
    row("blobhash($)",        &[WORD], HASH, Reading, "0.8.25", None),
    row("now",                &[], WORD, Reading, START, Some("0.7.0")),
    row("tx.gasprice",        &[], WORD, Reading, START, None),
    row("tx.origin",          &[], E::ADDRESS, Reading, START, Some("0.5.0")),
    row("tx.origin",          &[], E::PAYABLE, Reading, "0.5.0", Some("0.8.0")),
    row("tx.origin",          &[], E::ADDRESS, Reading, "0.8.0", None),
    row("msg.sig",            &[], E::fixed_bytes(4), Nothing, START, None),
    row("msg.value",          &[], WORD, Payment, START, None),
    row("addmod($, $, $)",    &[WORD, WORD, WORD], WORD, Nothing, START, None),
    row("mulmod($, $, $)",    &[WORD, WORD, WORD], WORD, Nothing, START, None),
    row("sha256($)",          &[E::BYTES], HASH, Nothing, START, None),
    row("ripemd160($)",       &[E::BYTES], E::fixed_bytes(20), Nothing, START, None),
    row("ecrecover($, $, $, $)", &[HASH, E::uint(8), HASH, HASH], E::ADDRESS, Nothing, START, None),
    row("$.balance",          &[E::ADDRESS], WORD, Reading, START, None),
    row("$.codehash",         &[E::ADDRESS], HASH, Reading, "0.8.0", None),
    row("$.code",             &[E::ADDRESS], E::BYTES, Reading, "0.8.0", None),
    row("$.code.length",      &[E::ADDRESS], WORD, Reading, "0.8.1", None),
    row("$.send($)",          &[E::ADDRESS, WORD], E::BOOL, Writing, START, Some("0.5.0")),
    row("$.send($)",          &[E::PAYABLE, WORD], E::BOOL, Writing, "0.5.0", None),
];

impl Intrinsic {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Intrinsic> {
        (0..TABLE.len() as u8).map(Intrinsic)
    }

    /// Its row.
    pub fn row(self) -> &'static Row {
        &TABLE[usize::from(self.0)]
    }

    /// True if its value follows from the language and from what a chain says
    /// of itself: not from hashes of blocks, nor from code.
    pub fn is_known(self) -> bool {
        let beyond = [
            "block.blobbasefee", "blockhash($)", "blobhash($)", "ecrecover($, $, $, $)",
            "$.codehash", "$.code", "$.code.length",
        ];
        !beyond.contains(&self.row().text)
    }

    /// Its place in the table.
    pub(crate) fn number(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operand_has_its_place_in_the_text() {
        for intrinsic in Intrinsic::all() {
            let row = intrinsic.row();
            assert_eq!(row.text.matches('$').count(), row.operands.len(), "{row:?}");
        }
        assert!(TABLE.len() <= 64);
    }
}
