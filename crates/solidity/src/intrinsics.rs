//! What the language offers without a declaration, beyond the values of the
//! environment that [`crate::ast::Environment`] names: a table with types, what a
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
    /// What it is.
    pub meaning: Meaning,
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

/// What an intrinsic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The time of the block.
    Timestamp,
    /// Something that the chain says of its block or of a transaction's price.
    Chain(ChainFact),
    /// Who signed the transaction.
    Origin,
    /// The first bytes of the call's data.
    Selector,
    /// The wei that came with the call.
    Value,
    /// The sum of two, modulo a third.
    AddMod,
    /// The product of two, modulo a third.
    MulMod,
    /// A hash of bytes.
    Sha256,
    /// Another.
    Ripemd160,
    /// What an account has.
    Balance,
    /// Wei are handed over.
    Send,
    /// It follows from hashes of blocks, from signatures or from code, of which
    /// the interpreter knows nothing.
    Unknown,
}

/// What a chain says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainFact {
    /// Who gets the fees.
    Coinbase,
    /// The random number of the block.
    Randomness,
    /// The most gas of a block.
    GasLimit,
    /// The number of the chain.
    Id,
    /// The least price of gas.
    BaseFee,
    /// The price of gas of the transaction.
    GasPrice,
}

const WORD: Elementary = Elementary::UINT256;
const HASH: Elementary = Elementary::fixed_bytes(32);
const START: &str = "0.4.16";

const fn row(
    text: &'static str,
    operands: &'static [Elementary],
    result: Elementary,
    needs: Needs,
    meaning: Meaning,
    from: &'static str,
    until: Option<&'static str>,
) -> Row {
    Row {
        text,
        operands,
        result,
        needs,
        meaning,
        from,
        until,
    }
}

use Elementary as E;
use Meaning as M;
use Needs::{Nothing, Payment, Reading, Writing};

/// Taken from what the compilers do. What needs an EVM that is newer than the
/// compiler's usual one begins where that became usual.
#[rustfmt::skip]
const TABLE: [Row; 28] = [
    row("block.coinbase",     &[], E::ADDRESS, Reading, M::Chain(ChainFact::Coinbase), START, Some("0.5.0")),
    row("block.coinbase",     &[], E::PAYABLE, Reading, M::Chain(ChainFact::Coinbase), "0.5.0", None),
    row("block.difficulty",   &[], WORD, Reading, M::Chain(ChainFact::Randomness), START, None),
    row("block.gaslimit",     &[], WORD, Reading, M::Chain(ChainFact::GasLimit), START, None),
    row("block.chainid",      &[], WORD, Reading, M::Chain(ChainFact::Id), "0.8.0", None),
    row("block.basefee",      &[], WORD, Reading, M::Chain(ChainFact::BaseFee), "0.8.7", None),
    row("block.prevrandao",   &[], WORD, Reading, M::Chain(ChainFact::Randomness), "0.8.18", None),
    row("block.blobbasefee",  &[], WORD, Reading, M::Unknown, "0.8.25", None),
    row("blockhash($)",       &[WORD], HASH, Reading, M::Unknown, "0.4.22", None),
    row("blobhash($)",        &[WORD], HASH, Reading, M::Unknown, "0.8.25", None),
    row("now",                &[], WORD, Reading, M::Timestamp, START, Some("0.7.0")),
    row("tx.gasprice",        &[], WORD, Reading, M::Chain(ChainFact::GasPrice), START, None),
    row("tx.origin",          &[], E::ADDRESS, Reading, M::Origin, START, Some("0.5.0")),
    row("tx.origin",          &[], E::PAYABLE, Reading, M::Origin, "0.5.0", Some("0.8.0")),
    row("tx.origin",          &[], E::ADDRESS, Reading, M::Origin, "0.8.0", None),
    row("msg.sig",            &[], E::fixed_bytes(4), Nothing, M::Selector, START, None),
    row("msg.value",          &[], WORD, Payment, M::Value, START, None),
    row("addmod($, $, $)",    &[WORD, WORD, WORD], WORD, Nothing, M::AddMod, START, None),
    row("mulmod($, $, $)",    &[WORD, WORD, WORD], WORD, Nothing, M::MulMod, START, None),
    row("sha256($)",          &[E::BYTES], HASH, Nothing, M::Sha256, START, None),
    row("ripemd160($)",       &[E::BYTES], E::fixed_bytes(20), Nothing, M::Ripemd160, START, None),
    row("ecrecover($, $, $, $)", &[HASH, E::uint(8), HASH, HASH], E::ADDRESS, Nothing, M::Unknown, START, None),
    row("$.balance",          &[E::ADDRESS], WORD, Reading, M::Balance, START, None),
    row("$.codehash",         &[E::ADDRESS], HASH, Reading, M::Unknown, "0.8.0", None),
    row("$.code",             &[E::ADDRESS], E::BYTES, Reading, M::Unknown, "0.8.0", None),
    row("$.code.length",      &[E::ADDRESS], WORD, Reading, M::Unknown, "0.8.1", None),
    row("$.send($)",          &[E::ADDRESS, WORD], E::BOOL, Writing, M::Send, START, Some("0.5.0")),
    row("$.send($)",          &[E::PAYABLE, WORD], E::BOOL, Writing, M::Send, "0.5.0", None),
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
        self.row().meaning != Meaning::Unknown
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
