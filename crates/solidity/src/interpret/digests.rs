//! SHA-256 and RIPEMD-160, which the EVM has as contracts of its own.

/// What both take in at a time.
const BLOCK: usize = 64;

/// The bytes, a one, zeros, and the number of bits as the last eight bytes.
fn padded(bytes: &[u8], bits: [u8; 8]) -> Vec<u8> {
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(BLOCK) - 8, 0);
    padded.extend(bits);
    padded
}

/// The first 32 bits of the fractions of the cube roots of the first 64 primes.
const SHA_CONSTANTS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// SHA-256 of bytes.
pub(super) fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut state: [u32; 8] = [
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
        0x5be0cd19,
    ];
    let bits = (bytes.len() as u64).wrapping_mul(8).to_be_bytes();
    for block in padded(bytes, bits).chunks_exact(BLOCK) {
        let mut words = [0_u32; 64];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes(bytes.try_into().expect("four bytes"));
        }
        for at in 16..64 {
            let (early, late) = (words[at - 15], words[at - 2]);
            let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
            let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
            words[at] = words[at - 16]
                .wrapping_add(early)
                .wrapping_add(words[at - 7])
                .wrapping_add(late);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
        for (word, constant) in words.into_iter().zip(SHA_CONSTANTS) {
            let mixed = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let chosen = (e & f) ^ (!e & g);
            let one = [mixed, chosen, constant, word]
                .into_iter()
                .fold(h, u32::wrapping_add);
            let mixed = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let two = mixed.wrapping_add((a & b) ^ (a & c) ^ (b & c));
            (h, g, f, e) = (g, f, e, d.wrapping_add(one));
            (d, c, b, a) = (c, b, a, one.wrapping_add(two));
        }
        for (kept, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *kept = kept.wrapping_add(new);
        }
    }
    let mut hash = [0; 32];
    for (bytes, word) in hash.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    hash
}

/// One of the two lines of RIPEMD-160: five rounds of sixteen steps.
struct Line {
    /// Which word of the block each step takes.
    words: [usize; 80],
    /// By how many bits it rotates.
    rotations: [u32; 80],
    constants: [u32; 5],
    /// The function of each round, from 0.
    functions: [u8; 5],
}

const LEFT: Line = Line {
    words: [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9,
        5, 2, 14, 11, 8, 3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12, 1, 9, 11, 10, 0, 8,
        12, 4, 13, 3, 7, 15, 14, 5, 6, 2, 4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13,
    ],
    rotations: [
        11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8, 7, 6, 8, 13, 11, 9, 7, 15, 7, 12,
        15, 9, 11, 7, 13, 12, 11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5, 11, 12, 14,
        15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12, 9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11,
        8, 5, 6,
    ],
    constants: [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e],
    functions: [0, 1, 2, 3, 4],
};

const RIGHT: Line = Line {
    words: [
        5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8,
        12, 4, 9, 1, 2, 15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13, 8, 6, 4, 1, 3, 11,
        15, 0, 5, 12, 2, 13, 9, 7, 10, 14, 12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11,
    ],
    rotations: [
        8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6, 9, 13, 15, 7, 12, 8, 9, 11, 7, 7,
        12, 7, 6, 15, 13, 11, 9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5, 15, 5, 8, 11,
        14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8, 8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13,
        11, 11,
    ],
    constants: [0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0],
    functions: [4, 3, 2, 1, 0],
};

impl Line {
    fn run(&self, words: &[u32; 16], state: [u32; 5]) -> [u32; 5] {
        let [mut a, mut b, mut c, mut d, mut e] = state;
        for step in 0..80 {
            let mixed = match self.functions[step / 16] {
                0 => b ^ c ^ d,
                1 => (b & c) | (!b & d),
                2 => (b | !c) ^ d,
                3 => (b & d) | (c & !d),
                _ => b ^ (c | !d),
            };
            let sum = a
                .wrapping_add(mixed)
                .wrapping_add(words[self.words[step]])
                .wrapping_add(self.constants[step / 16]);
            let next = sum.rotate_left(self.rotations[step]).wrapping_add(e);
            (a, e, d, c, b) = (e, d, c.rotate_left(10), b, next);
        }
        [a, b, c, d, e]
    }
}

/// RIPEMD-160 of bytes.
pub(super) fn ripemd160(bytes: &[u8]) -> [u8; 20] {
    let mut state: [u32; 5] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
    let bits = (bytes.len() as u64).wrapping_mul(8).to_le_bytes();
    for block in padded(bytes, bits).chunks_exact(BLOCK) {
        let mut words = [0_u32; 16];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        }
        let left = LEFT.run(&words, state);
        let right = RIGHT.run(&words, state);
        let sum = |at: usize| {
            state[(at + 1) % 5]
                .wrapping_add(left[(at + 2) % 5])
                .wrapping_add(right[(at + 3) % 5])
        };
        state = [sum(0), sum(1), sum(2), sum(3), sum(4)];
    }
    let mut hash = [0; 20];
    for (bytes, word) in hash.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(hash: &[u8]) -> String {
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn hashes_are_those_of_the_standards() {
        // 55, 56 and 64 bytes: the length just fits, does not, and a block is full.
        for (bytes, sha, ripemd) in [
            (
                vec![],
                "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "9c1185a5c5e9fc54612808977ee8f548b2258d31",
            ),
            (
                b"abc".to_vec(),
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc",
            ),
            (
                vec![7; 55],
                "943cc61860776ca8e78a365d988036ed2ade2ca4aca3236dd9501adc4fbbaa27",
                "0fec2a8caeb5f31a133e2628afed10e3ef17c32e",
            ),
            (
                vec![7; 56],
                "849e6994b02d460680d1d4d9ed690aa35811c88056987e0b6cad0eb85cb7d98d",
                "7199408dbe563665fee9191a57339b94af6fd66e",
            ),
            (
                vec![7; 64],
                "6cfeeb3aa25d3f411dae5eec17d7369ca7153e72dcf54bcf4c3daec0f5b21fc7",
                "d1e408448c6cf134d6ff5cbb91b05464dd1ba193",
            ),
            (
                vec![7; 1000],
                "df1329c8b6c7cf3740bbe2f8bab34d253a8d9534a79dceea18177081fdf9f0e9",
                "84ce190d94d78bbbd148f684b10872345f260d3a",
            ),
        ] {
            assert_eq!(text(&sha256(&bytes)), sha);
            assert_eq!(text(&ripemd160(&bytes)), ripemd);
        }
    }
}
