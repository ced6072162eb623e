//! Keccak-256, the hash of the EVM, and what is computed from it.

use dashu_int::IBig;

const ROUNDS: usize = 24;

/// Bytes that are taken in between two permutations.
const RATE: usize = 136;

/// By how many bits each lane is rotated, in the order in which lanes are
/// visited, and which lane comes next.
const ROTATIONS: [u32; ROUNDS] = [
    1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 2, 14, 27, 41, 56, 8, 25, 43, 62, 18, 39, 61, 20, 44,
];
const LANES: [usize; ROUNDS] = [
    10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
];

/// The hash of bytes.
pub fn keccak256(bytes: &[u8]) -> [u8; 32] {
    let mut state = [0_u64; 25];
    let mut padded = bytes.to_vec();
    padded.push(0x01);
    padded.resize(padded.len().next_multiple_of(RATE), 0);
    *padded.last_mut().expect("it is not empty") |= 0x80;
    for block in padded.chunks_exact(RATE) {
        for (lane, word) in state.iter_mut().zip(block.chunks_exact(8)) {
            *lane ^= u64::from_le_bytes(word.try_into().expect("eight bytes"));
        }
        permute(&mut state);
    }
    let mut hash = [0; 32];
    for (bytes, lane) in hash.chunks_exact_mut(8).zip(state) {
        bytes.copy_from_slice(&lane.to_le_bytes());
    }
    hash
}

fn permute(state: &mut [u64; 25]) {
    let mut constants = Constants(1);
    for _ in 0..ROUNDS {
        let mut parity = [0; 5];
        for (at, lane) in state.iter().enumerate() {
            parity[at % 5] ^= lane;
        }
        for (at, lane) in state.iter_mut().enumerate() {
            *lane ^= parity[(at + 4) % 5] ^ parity[(at + 1) % 5].rotate_left(1);
        }
        let mut moved = state[1];
        for (lane, rotation) in LANES.into_iter().zip(ROTATIONS) {
            moved = std::mem::replace(&mut state[lane], moved.rotate_left(rotation));
        }
        for row in state.chunks_exact_mut(5) {
            let old = [row[0], row[1], row[2], row[3], row[4]];
            for (at, lane) in row.iter_mut().enumerate() {
                *lane ^= !old[(at + 1) % 5] & old[(at + 2) % 5];
            }
        }
        state[0] ^= constants.next();
    }
}

/// The constants of the rounds: bits of a feedback shift register.
struct Constants(u8);

impl Constants {
    fn next(&mut self) -> u64 {
        let mut constant = 0;
        for power in 0..7 {
            constant |= u64::from(self.0 & 1) << ((1_u32 << power) - 1);
            let carry = self.0 >> 7;
            self.0 = (self.0 << 1) ^ (carry * 0x71);
        }
        constant
    }
}

/// Where the contract is that an account creates: its address, and how many
/// it has created or, if it is no contract, how many transactions it has sent.
pub fn created_address(creator: &IBig, count: u64) -> IBig {
    let mut list = vec![0x80 + 20];
    list.extend(big_endian(creator, 20));
    match count {
        0 => list.push(0x80),
        1..0x80 => list.push(count as u8),
        count => {
            let bytes: Vec<u8> = count
                .to_be_bytes()
                .into_iter()
                .skip_while(|b| *b == 0)
                .collect();
            list.push(0x80 + bytes.len() as u8);
            list.extend(bytes);
        }
    }
    list.insert(0, 0xc0 + list.len() as u8);
    number_of(&keccak256(&list)[12..])
}

/// The lowest `size` bytes of a number, also of one below zero.
pub(super) fn big_endian(number: &IBig, size: usize) -> Vec<u8> {
    let byte = |at: usize| {
        let low: IBig = (number >> (8 * (size - 1 - at))) & IBig::from(0xff);
        u8::try_from(&low).expect("eight bits are left")
    };
    (0..size).map(byte).collect()
}

/// The number that bytes spell.
pub(super) fn number_of(bytes: &[u8]) -> IBig {
    let digits = bytes.iter();
    digits.fold(IBig::ZERO, |number, byte| (number << 8) + IBig::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The selector of `transfer`, the empty hash, and one of two blocks are
    /// known to everybody.
    #[test]
    fn hashes_are_those_of_the_machine() {
        let empty = "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
        assert_eq!(text(&keccak256(b"")), empty);
        let transfer = keccak256(b"transfer(address,uint256)");
        assert_eq!(text(&transfer[..4]), "a9059cbb");
        let long = text(&keccak256(&[0x61; 200]));
        assert_eq!(&long[..16], "96ea54061def936c");
    }

    #[test]
    fn addresses_follow_from_the_creator_and_its_count() {
        let creator = number_of(&[
            0x6a, 0xc7, 0xea, 0x33, 0xf8, 0x83, 0x1e, 0xa9, 0xdc, 0xc5, 0x33, 0x93, 0xaa, 0xa8,
            0x8b, 0x25, 0xa7, 0x85, 0xdb, 0xf0,
        ]);
        for (count, expected) in [
            (0, "cd234a471b72ba2f1ccf0a70fcaba648a5eecd8d"),
            (1, "343c43a37d37dff08ae8c4a11544c718abb4fcf8"),
        ] {
            let address = created_address(&creator, count);
            assert_eq!(text(&big_endian(&address, 20)), expected);
        }
    }
}
