fn between(low: i64, high: i64, value: i64) -> i64 {
    let mut result: i64 = value;
    if result < low {
        result = low;
    } else if result > high {
        result = high;
    }
    result
}

fn main() {
    let mut low: i64 = -5;
    let mut high: i64 = 9;
    let mut sum: i64 = 0;
    let mut at: i64 = -12;
    while at < 14 {
        sum = sum * 2 % 1009 + between(low, high, at);
        if sum % 3 == 0 {
            low += 1;
        } else {
            high -= 1;
        }
        at += 4;
    }
    println!("{} {} {}", sum, low, high);
}
