fn step(x: f64, y: f64, scale: f64) -> f64 {
    let mut sum: f64 = x;
    let mut part: f64 = y;
    let mut turn: u8 = 0;
    while turn < 6 {
        sum += part * scale;
        part = part / 2.0 - sum / 64.0;
        turn += 1;
    }
    sum
}

fn main() {
    let mut a: f64 = 1.5;
    let mut b: f64 = -0.25;
    let mut c: f64 = 3.0;
    a = step(a, b, c);
    b = step(b, c, a);
    c = step(c, a, b);
    println!("{:.6} {:.6} {:.6}", a, b, c);
}
