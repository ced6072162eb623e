//! Shorter and simpler tapes to try.

use lydite_core::{Choice, Tape};

/// Tapes that ask for less: pieces left out, then set to the simplest choice,
/// large pieces first; then single choices made smaller.
pub(super) fn shorter(tape: &Tape) -> impl Iterator<Item = Tape> + '_ {
    let choices = &tape.0;
    let without = pieces(choices.len()).map(|(start, end)| {
        let kept = choices[..start].iter().chain(&choices[end..]);
        Tape(kept.copied().collect())
    });
    let zeroed = pieces(choices.len()).filter_map(|(start, end)| {
        let any = choices[start..end].iter().any(|choice| choice.value != 0);
        any.then(|| with(choices, start..end, |_| 0))
    });
    let smaller = (0..choices.len()).flat_map(move |at| {
        let value = choices[at].value;
        let wanted = [value / 2, value.saturating_sub(1)];
        let useful = wanted.into_iter().filter(move |&v| v < value && v > 0);
        useful.map(move |value| with(choices, at..at + 1, |_| value))
    });
    without.chain(zeroed).chain(smaller)
}

/// Stretches of a list, halving in length.
fn pieces(len: usize) -> impl Iterator<Item = (usize, usize)> {
    let lengths = std::iter::successors(Some(len / 2), |&l| (l > 1).then_some(l / 2));
    lengths
        .filter(|&length| length > 0)
        .flat_map(move |length| {
            let starts = (0..len).step_by(length);
            starts.map(move |start| (start, (start + length).min(len)))
        })
}

fn with(choices: &[Choice], at: std::ops::Range<usize>, value: impl Fn(u64) -> u64) -> Tape {
    let mut changed = choices.to_vec();
    for choice in &mut changed[at] {
        choice.value = value(choice.value);
    }
    Tape(changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tape(values: &[u64]) -> Tape {
        let choice = |&value: &u64| Choice { bound: 10, value };
        Tape(values.iter().map(choice).collect())
    }

    #[test]
    fn pieces_are_left_out_then_zeroed_then_made_smaller() {
        let made: Vec<Vec<u64>> = shorter(&tape(&[4, 0, 1]))
            .map(|tape| tape.0.iter().map(|choice| choice.value).collect())
            .collect();
        assert_eq!(
            made,
            [
                vec![0, 1],
                vec![4, 1],
                vec![4, 0],
                vec![0, 0, 1],
                vec![4, 0, 0],
                vec![2, 0, 1],
                vec![3, 0, 1],
            ]
        );
        assert_eq!(shorter(&tape(&[])).count(), 0);
    }
}
