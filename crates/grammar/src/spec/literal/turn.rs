//! Whose turn it is: how the alternatives of an expression share the places of a pool.

use lydite_core::{Choices, Reject};

/// Which place of a pool a text is drawn for. Alternatives take turns in blocks:
/// of *n* places one after the other each of *n* alternatives gets one, in an
/// order that differs from block to block and from program to program. What is
/// inside an alternative counts the blocks, so it takes turns as well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// The place, among those that get here.
    place: u64,
    /// How many places get here at least.
    room: u64,
    /// Random, the same for all places of a pool; differs from one part of the
    /// expression to the next.
    salt: u64,
}

/// More alternatives than this are drawn at random, not in turn: the order of
/// a block is computed anew for each place.
const MAX_BLOCK: u64 = 64;

impl Turn {
    /// For place number `place` of `room`.
    pub(crate) fn new(place: u64, room: u64, salt: u64) -> Turn {
        Turn { place, room, salt }
    }

    /// The alternative whose turn it is, and the turn of what is inside it.
    pub(super) fn take(
        self,
        alternatives: u64,
        choices: &mut Choices,
    ) -> Result<(u64, Turn), Reject> {
        if alternatives < 2 {
            return Ok((0, self));
        }
        if alternatives > self.room.min(MAX_BLOCK) {
            let inside = Turn { room: 0, ..self };
            return Ok((choices.below(alternatives)?, inside));
        }
        let (block, rank) = (self.place / alternatives, self.place % alternatives);
        let order = |number: &u64| mix(mix(self.salt, block), *number);
        let mut block_order: Vec<u64> = (0..alternatives).collect();
        block_order.sort_by_key(|number| (order(number), *number));
        let chosen = block_order[rank as usize];
        let inside = Turn {
            place: block,
            room: self.room / alternatives,
            salt: mix(self.salt, !chosen),
        };
        Ok((chosen, inside))
    }

    /// The turn of one of several parts that stand beside each other.
    pub(super) fn at(self, number: u64) -> Turn {
        let salt = mix(self.salt, number);
        Turn { salt, ..self }
    }
}

/// Both numbers in one, well spread (the finalizer of SplitMix64).
fn mix(salt: u64, number: u64) -> u64 {
    let mut mixed = salt.rotate_left(25) ^ number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
