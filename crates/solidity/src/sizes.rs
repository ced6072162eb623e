//! Programs of several sizes, of which a hunt learns which bring most.
//!
//! What the settings say is the largest size; each further one has half of
//! everything that is compiled. How much is run stays the same.

use lydite_core::{Choices, OpenError, Reject, Setting, Settings};

/// The setting that says how many sizes there are.
pub const SIZES: Setting = Setting::value(
    "sizes",
    "1",
    "programs of how many sizes: what the other settings say, half of it, a quarter, and so on",
);

/// The decision how large a program is: arm 0 is the smallest.
const SIZE_ARM: &str = "size";

/// A program half as large as one of a single function is none.
const MOST: u32 = 6;

/// How many sizes of programs there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramSizes(u32);

/// How often the numbers of the settings are halved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halvings(u32);

impl ProgramSizes {
    /// One size: that of the settings.
    pub const ONE: ProgramSizes = ProgramSizes(1);

    /// As many as a setting asks for.
    pub fn read(settings: &Settings) -> Result<ProgramSizes, OpenError> {
        let expected = format!("a number of sizes from 1 to {MOST}");
        let given: u32 = settings.read(SIZES.key, &expected, 1)?;
        if (1..=MOST).contains(&given) {
            return Ok(ProgramSizes(given));
        }
        Err(OpenError::BadSetting {
            key: SIZES.key.to_string(),
            value: given.to_string(),
            expected,
        })
    }

    /// The size of one program.
    pub fn draw(self, choices: &mut Choices) -> Result<Halvings, Reject> {
        let arm = choices.arm(SIZE_ARM, self.0 as usize)?;
        Ok(Halvings(self.0 - 1 - arm as u32))
    }
}

impl Halvings {
    /// What is left of a number; of something, something is left.
    pub fn of(self, number: u32) -> u32 {
        (number >> self.0).max(number.min(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_something_is_something() {
        let halves = [0, 1, 2, 6, 7].map(|number| Halvings(1).of(number));
        assert_eq!(halves, [0, 1, 1, 3, 3]);
        assert_eq!([0, 1, 6].map(|number| Halvings(0).of(number)), [0, 1, 6]);
        assert_eq!(Halvings(5).of(6), 1);
    }

    #[test]
    fn the_size_is_an_arm_and_one_size_takes_no_choice() {
        let mut choices = Choices::seeded(1, 1);
        assert_eq!(ProgramSizes::ONE.draw(&mut choices), Ok(Halvings(0)));
        assert_eq!(choices.made(), 0);
        let mut seen = [0; 3];
        for index in 0..300 {
            let mut choices = Choices::seeded(1, index);
            let Halvings(drawn) = ProgramSizes(3).draw(&mut choices).unwrap();
            seen[drawn as usize] += 1;
            let arm = &choices.arms()[0];
            assert_eq!((&*arm.of, arm.number), ("size", u64::from(2 - drawn)));
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
    }
}
