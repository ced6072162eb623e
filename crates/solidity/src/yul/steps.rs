//! Sequences of the steps of Yul's optimizer.

use lydite_core::{Choices, Reject};

/// Steps by their letters, as `optimizerSteps` has them. All may come in any
/// order.
const STEPS: &[u8] = b"flTcCUnDEvejsxIOoighFLMmVatprSud";

/// What many steps need to do anything: split expressions, and variables that
/// are assigned once.
const BEGINNINGS: [&str; 4] = ["", "xa", "dhfoDgvulfnTUtnIfxa", "xarrsc"];

/// Steps of one part of a sequence.
const LENGTH: u64 = 10;

/// Draws a sequence: a beginning, steps, perhaps some that are repeated until
/// nothing changes, and perhaps none in place of the usual ones at the end.
pub(super) fn draw_steps(choices: &mut Choices, has_cleanup: bool) -> Result<String, Reject> {
    let mut steps = choices.pick(&BEGINNINGS)?.to_string();
    draw_letters(choices, &mut steps)?;
    if choices.chance(1, 3)? {
        steps.push('[');
        draw_letters(choices, &mut steps)?;
        steps.push(']');
        draw_letters(choices, &mut steps)?;
    }
    if has_cleanup && choices.chance(1, 2)? {
        steps.push(':');
    }
    Ok(steps)
}

fn draw_letters(choices: &mut Choices, steps: &mut String) -> Result<(), Reject> {
    for _ in 0..choices.between(1, LENGTH)? {
        steps.push(char::from(*choices.pick(STEPS)?));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_drawn_and_brackets_close() {
        let mut all = String::new();
        for index in 0..200 {
            let steps = draw_steps(&mut Choices::seeded(7, index), true).unwrap();
            assert_eq!(steps.matches('[').count(), steps.matches(']').count());
            assert!(steps.find('[') <= steps.find(']'), "{steps}");
            all += &steps;
        }
        for step in STEPS {
            assert!(all.contains(char::from(*step)), "{step}");
        }
        assert!(all.contains('[') && all.contains(':'));
    }
}
