//! Patterns per CPU second, walked and rendered, and the cost of counting:
//! `cargo run --release -p lydite-skeleton --example bench_skeleton`.
#![allow(clippy::disallowed_methods)] // An example is a program: it reads the CPU clock.

use std::sync::Arc;

use lydite_core::{BigUint, Choices};
use lydite_skeleton::combine::{Fillings, Hole, Region, Shape};
use lydite_skeleton::extract::Dialect;
use lydite_skeleton::{Options, Skeleton};

const WALKED: u64 = 50_000_000;
const RENDERED: u64 = 3_000_000;

fn main() {
    walk_shapes();
    render_program();
    draw_from_large_file();
    large_shapes();
}

fn walk_shapes() {
    println!("walk: patterns per CPU second");
    for (name, shape) in [
        ("20 holes over 5 variables", flat(5, 20)),
        (
            "four nested scopes of 2 variables and 5 holes",
            nested(4, 2, 5),
        ),
        (
            "ten sibling scopes of 2 variables and 3 holes",
            siblings(10, 2, 3),
        ),
    ] {
        let fillings = Fillings::new(vec![shape]).expect("small");
        let mut walk = fillings.walk(&BigUint::ZERO).expect("a first pattern");
        let (last, seconds) = timed(|| {
            let mut sum = 0u64;
            for _ in 1..WALKED {
                assert!(walk.advance(), "enough patterns");
                sum += u64::from(walk.filling()[0]);
            }
            sum
        });
        assert!(last < u64::MAX);
        println!("  {:12.0}  {name}", WALKED as f64 / seconds);
    }
}

fn render_program() {
    let text = program(1024);
    let skeleton = read(&text);
    let mut walk = skeleton.walk(&BigUint::ZERO).expect("a first pattern");
    let (bytes, seconds) = timed(|| {
        let (mut made, mut bytes) = (Vec::new(), 0u64);
        for _ in 0..RENDERED {
            skeleton.render_into(walk.filling(), &mut made);
            bytes += made.len() as u64;
            walk.advance();
        }
        bytes
    });
    let holes = skeleton.figures().holes;
    println!(
        "rendered: {:.0} programs of {} bytes with {holes} holes per CPU second",
        RENDERED as f64 / seconds,
        bytes / RENDERED
    );
}

fn draw_from_large_file() {
    let text = program(30_000);
    let (skeleton, seconds) = timed(|| read(&text));
    println!(
        "a file of {} bytes with {} holes: read and counted ({} digits) in {:.1} ms",
        text.len(),
        skeleton.figures().holes,
        skeleton.figures().exact.to_string().len(),
        seconds * 1e3
    );
    let mut choices = Choices::seeded(1, 1);
    let (bytes, seconds) = timed(|| {
        (0..100)
            .map(|_| skeleton.sample(&mut choices).expect("no limit").len())
            .sum::<usize>()
    });
    println!(
        "  drawn: {:.2} ms each ({} bytes)",
        seconds * 10.0,
        bytes / 100
    );
}

/// What a language without types makes of a large file: one class of 60
/// variables, and scopes of two.
fn large_shapes() {
    println!("60 variables and scopes of 2 with 4 holes each: counted, drawn, by its number");
    for (name, chain, scopes) in [
        ("100 scopes side by side", 1, 100),
        ("100 scopes, in chains of 5", 5, 100),
        ("100 scopes, one in the other", 100, 100),
        ("500 scopes, in chains of 5", 5, 500),
    ] {
        let shape = chains(chain, scopes);
        let (fillings, counted) = timed(|| Fillings::new(vec![shape]).expect("not too wide"));
        let mut choices = Choices::seeded(1, 1);
        let (filling, drawn) = timed(|| fillings.sample(&mut choices).expect("no limit"));
        let index = fillings.index_of(&filling).expect("a filling of its own");
        let (same, by_number) = timed(|| fillings.nth(&index).expect("below the count"));
        assert_eq!(same, filling);
        println!(
            "  {:8.1} ms {:8.1} ms {:8.1} ms  {name}: {} holes, {} digits",
            counted * 1e3,
            drawn * 1e3,
            by_number * 1e3,
            fillings.holes(),
            fillings.count().to_string().len()
        );
    }
}

fn chains(length: usize, scopes: usize) -> Shape {
    let region = |number: usize| Region {
        parent: match number {
            0 => None,
            first if (first - 1) % length == 0 => Some(0),
            inner => Some(inner - 1),
        },
        label: 0,
        size: if number == 0 { 60 } else { 2 },
    };
    let hole = |number: usize| Hole {
        region: 1 + number / 4,
        labels: 1,
    };
    let regions = (0..=scopes).map(region).collect();
    Shape::new(regions, (0..scopes * 4).map(hole).collect())
}

fn read(text: &Arc<[u8]>) -> Skeleton {
    let dialect = Dialect::of("c").expect("a language of ours");
    Skeleton::read(dialect, text, Options::default()).expect("a program")
}

/// One function of about so many bytes.
fn program(bytes: usize) -> Arc<[u8]> {
    let mut text =
        String::from("int g, h;\nint f(int p, int q)\n{\n    int a = 1, b = 2, c = 3;\n");
    let lines = [
        "    a = b + c; /* a sum of two, with a comment that is as long as comments are */\n",
        "    if (a > 10000) { int t = p, u = q; c = t - u; } else { printf(\"%d\\n\", 1); }\n",
        "    printf(\"this is a line of output, and it is %d characters long\\n\", 60);\n",
        "    check_the_state_of_the_machine(0x1234, \"between two steps of the work\");\n",
    ];
    let mut line = 0;
    while text.len() + 90 < bytes {
        text.push_str(lines[line % lines.len()]);
        line += 1;
    }
    text.push_str("    return g - h;\n}\n");
    text.into_bytes().into()
}

fn flat(size: usize, holes: usize) -> Shape {
    let root = Region {
        parent: None,
        label: 0,
        size,
    };
    Shape::new(
        vec![root],
        vec![
            Hole {
                region: 0,
                labels: 1
            };
            holes
        ],
    )
}

fn nested(depth: usize, size: usize, holes: usize) -> Shape {
    let region = |number: usize| Region {
        parent: number.checked_sub(1),
        label: 0,
        size,
    };
    let held = (0..depth * holes).map(|number| Hole {
        region: number / holes,
        labels: 1,
    });
    Shape::new((0..depth).map(region).collect(), held.collect())
}

fn siblings(scopes: usize, size: usize, holes: usize) -> Shape {
    let region = |number: usize| Region {
        parent: (number > 0).then_some(0),
        label: 0,
        size,
    };
    let held = (0..scopes * holes).map(|number| Hole {
        region: 1 + number / holes,
        labels: 1,
    });
    Shape::new((0..=scopes).map(region).collect(), held.collect())
}

/// CPU seconds of this process: the machine is shared.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let before = cpu_seconds();
    let result = work();
    (result, cpu_seconds() - before)
}

fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").expect("Linux");
    let nanoseconds = stat
        .split(' ')
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    nanoseconds.expect("a number first") / 1e9
}
