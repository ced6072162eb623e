fn mix(mut a: u32, mut b: u32, rounds: u32) -> u32 {
    let mut state: u32 = 17;
    let mut round: u32 = 0;
    while round < rounds {
        a = a.wrapping_mul(31).wrapping_add(b);
        b ^= a >> 3;
        state = state.rotate_left(b % 32) ^ a;
        round += 1;
    }
    state
}

fn main() {
    let mut total: u32 = 0;
    let mut step: u32 = 1;
    while step < 6 {
        total ^= mix(step, total, step);
        step += 1;
    }
    println!("{} {}", total, step);
}
