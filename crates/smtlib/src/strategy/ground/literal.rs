//! Literals of the sorts of `productions.txt`: corner cases and random ones.

use lydite_core::{Choices, Reject};

use crate::value::{BitVec, Float, Format, Int, Natural, Value};

/// A literal of a sort: corner cases and random ones.
pub(super) fn leaf(choices: &mut Choices, sort: &str) -> Result<String, Reject> {
    Ok(match sort {
        "Bool" => choices.pick(&["true", "false"])?.to_string(),
        "Int" => integer(choices)?,
        "Real" => real(choices)?,
        "B1" => bits(choices, 1)?,
        "B4" => bits(choices, 4)?,
        "B7" => bits(choices, 7)?,
        "B8" => bits(choices, 8)?,
        "B70" => bits(choices, 70)?,
        "F" => float(choices, Format::SINGLE)?,
        "G" => float(choices, Format { eb: 3, sb: 4 })?,
        "H" => float(choices, Format::DOUBLE)?,
        "RM" => choices
            .pick(&["RNE", "RNA", "RTP", "RTN", "RTZ"])?
            .to_string(),
        "String" => string(choices)?,
        "RegLan" => match choices.below(5)? {
            0 => choices
                .pick(&["re.none", "re.all", "re.allchar"])?
                .to_string(),
            1 => "(re.range \"a\" \"c\")".to_string(),
            _ => format!("(str.to_re {})", string(choices)?),
        },
        _ => return container(choices, sort),
    })
}

/// The same for the sorts that hold others.
fn container(choices: &mut Choices, sort: &str) -> Result<String, Reject> {
    Ok(match sort {
        "A" => format!("((as const (Array Int Int)) {})", choices.below(3)?),
        "P" => format!(
            "((as const (Array Bool (_ BitVec 1))) #b{})",
            choices.below(2)?
        ),
        "Q" => match choices.below(3)? {
            0 => "(as seq.empty (Seq Int))".to_string(),
            1 => format!("(seq.unit {})", choices.below(3)?),
            _ => format!(
                "(seq.++ (seq.unit {}) (seq.unit {}))",
                choices.below(3)?,
                choices.below(3)?
            ),
        },
        "S" => match choices.below(2)? {
            0 => "(as set.empty (Set Int))".to_string(),
            _ => format!("(set.singleton {})", choices.below(4)?),
        },
        "L" => match choices.below(2)? {
            0 => "nil".to_string(),
            _ => format!("(cons {} nil)", choices.below(3)?),
        },
        "T" => match choices.below(2)? {
            0 => "leaf".to_string(),
            _ => format!("(node leaf {} leaf)", choices.below(3)?),
        },
        _ => return Err(Reject::NotApplicable("no such sort")),
    })
}

fn integer(choices: &mut Choices) -> Result<String, Reject> {
    let n: i64 = match choices.below(5)? {
        0 => choices.below(4)? as i64 - 1,
        1 => choices.below(1 << 40)? as i64 - (1 << 39),
        _ => choices.below(24)? as i64 - 8,
    };
    Ok(Value::Int(Int::from(n)).to_string())
}

fn real(choices: &mut Choices) -> Result<String, Reject> {
    let n = choices.below(40)? as i64 - 20;
    let d = choices.between(1, 9)?;
    Ok(match choices.below(3)? {
        0 => format!("(/ {}.0 {d}.0)", n.abs()),
        1 if n < 0 => format!("(- {}.{d})", -n),
        _ => format!("{}.{d}", n.abs()),
    })
}

fn bits(choices: &mut Choices, width: u32) -> Result<String, Reject> {
    let random =
        u128::from(choices.between(0, u64::MAX)?) << 32 | u128::from(choices.below(1 << 32)?);
    let n = match choices.below(4)? {
        0 => u128::from(choices.below(3)?),
        1 => u128::MAX - u128::from(choices.below(3)?),
        2 => (1 << (width - 1)) - 1 + u128::from(choices.below(3)?),
        _ => random,
    };
    let value = BitVec::new(width, Natural::from(n)).expect("a small width");
    Ok(value.to_string())
}

fn string(choices: &mut Choices) -> Result<String, Reject> {
    let letters = [
        "a", "b", "a", "b", "c", "0", "1", "9", "-", "\\u{5c}", "\\u{7f}", "\\u{2ffff}", "\"\"",
    ];
    let len = choices.below(5)?;
    let mut text = String::from("\"");
    for _ in 0..len {
        text.push_str(choices.pick(&letters)?);
    }
    text.push('"');
    Ok(text)
}

fn float(choices: &mut Choices, format: Format) -> Result<String, Reject> {
    let width = format.width();
    let random = u128::from(choices.between(0, u64::MAX)?);
    let one = 1u128 << (format.sb - 1);
    let bias = (1u128 << (format.eb - 1)) - 1;
    let bits = match choices.below(5)? {
        0 => random,
        1 => *choices.pick(&[
            0,
            1,
            one,
            one - 1,
            one * (2 * bias + 1),
            one * (2 * bias + 1) - 1,
            one * (2 * bias + 1) + 1,
        ])?,
        2 => (bias + u128::from(choices.below(7)?) - 2) * one + random % 4,
        3 => ((bias + u128::from(choices.below(9)?)) * one) | ((random % one) & !(one / 8 - 1)),
        _ => bias * one + (random % (one * 4)),
    };
    let sign = u128::from(choices.below(2)?) << (width - 1);
    let bits = BitVec::new(width, Natural::from(bits ^ sign)).expect("a small width");
    Ok(Float::from_bits(format, &bits)
        .expect("the format's width")
        .to_string())
}

/// A value as a term of its sort.
pub(super) fn written(value: &Value, sort: &str) -> String {
    let array = |sort: &str| {
        let text = value.to_string();
        text.replace("(as const Array)", &format!("(as const {sort})"))
    };
    match (value, sort) {
        (Value::Set(array), _) => {
            let member = |(element, is_in): (&Value, &Value)| {
                (*is_in == Value::Bool(true)).then(|| format!("(set.singleton {element})"))
            };
            let members: Vec<String> = array.entries().iter().filter_map(member).collect();
            let empty = "(as set.empty (Set Int))".to_string();
            members
                .into_iter()
                .fold(empty, |set, member| format!("(set.union {set} {member})"))
        }
        (Value::Int(_), "Real") => format!("(to_real {value})"),
        (Value::Seq(items), _) if items.is_empty() => "(as seq.empty (Seq Int))".to_string(),
        (_, "A") => array("(Array Int Int)"),
        (_, "P") => array("(Array Bool (_ BitVec 1))"),
        _ => value.to_string(),
    }
}
