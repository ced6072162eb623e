//! How many steps a chain of mutations takes.

use std::str::FromStr;

use lydite_core::{Choices, Reject};

/// The least and the greatest number of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Steps {
    least: u64,
    most: u64,
}

/// The decision how long a chain is: each doubling is an arm.
const LENGTH_ARM: &str = "length";

/// More steps than this make no better case.
const MOST: u64 = 100_000;

impl Steps {
    /// Between these.
    pub(crate) const fn new(least: u64, most: u64) -> Steps {
        Steps { least, most }
    }

    /// A number of steps. Every doubling is as likely as the next, so that
    /// single steps and long chains both occur.
    pub(crate) fn draw(self, choices: &mut Choices) -> Result<u64, Reject> {
        let doublings = (self.most / self.least).ilog2();
        let low = self.least << choices.arm(LENGTH_ARM, doublings as usize + 1)?;
        choices.between(low, (2 * low - 1).min(self.most))
    }
}

impl FromStr for Steps {
    type Err = ();

    /// `5` or `1-16`.
    fn from_str(text: &str) -> Result<Steps, ()> {
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let number = |text: &str| text.trim().parse::<u64>().map_err(|_| ());
        let rounds = Steps::new(number(least)?, number(most)?);
        let sensible = 1 <= rounds.least && rounds.least <= rounds.most && rounds.most <= MOST;
        sensible.then_some(rounds).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_of_every_length_are_drawn() {
        let rounds: Steps = "1-16".parse().unwrap();
        let mut seen = [0u32; 17];
        for index in 0..2_000 {
            let mut choices = Choices::seeded(1, index);
            seen[rounds.draw(&mut choices).unwrap() as usize] += 1;
        }
        assert!(seen[1..].iter().all(|&count| count > 0), "{seen:?}");
        assert!(seen[1] > 300 && seen[16] > 300, "{seen:?}");
    }

    #[test]
    fn a_number_or_a_range_is_read() {
        for (text, least, most) in [("5", 5, 5), ("1-16", 1, 16), ("2 - 3", 2, 3)] {
            assert_eq!(text.parse(), Ok(Steps::new(least, most)), "{text}");
        }
        for text in ["", "0", "3-2", "1-", "-1", "x", "1-2-3", "1-100001"] {
            assert_eq!(text.parse::<Steps>(), Err(()), "{text}");
        }
    }
}
