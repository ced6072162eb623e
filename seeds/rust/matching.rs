#[derive(Clone, Copy)]
enum Op {
    Add(i32),
    Twice,
    Swap,
    Stop,
}

fn run(ops: &[Op], start: i32) -> i32 {
    let mut one: i32 = start;
    let mut other: i32 = 1;
    let mut held: i32 = 0;
    for op in ops {
        match *op {
            Op::Add(n) => one = one.wrapping_add(n),
            Op::Twice => other = other.wrapping_mul(2),
            Op::Swap => {
                held = one;
                one = other;
                other = held;
            }
            Op::Stop if one > other => break,
            Op::Stop => held += 1,
        }
    }
    one - other + held
}

fn main() {
    let ops = [Op::Add(4), Op::Twice, Op::Swap, Op::Twice, Op::Stop, Op::Add(-3), Op::Swap, Op::Stop, Op::Twice];
    let mut start: i32 = 0;
    let mut sum: i32 = 0;
    while start < 5 {
        sum = sum * 3 + run(&ops, start);
        start += 1;
    }
    println!("{} {}", sum, start);
}
