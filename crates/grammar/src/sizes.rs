//! Which sizes of programs are wanted.

use std::str::FromStr;

use crate::enumerate::MAX_SIZE;

/// A range of sizes, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub low: u32,
    pub high: Option<u32>,
}

impl Sizes {
    pub(crate) const ALL: Sizes = Sizes { low: 1, high: None };
}

impl FromStr for Sizes {
    type Err = ();

    fn from_str(text: &str) -> Result<Sizes, ()> {
        let number = |text: &str| text.trim().parse::<u32>().map_err(|_| ());
        let sizes = match text.split_once("..") {
            None => Sizes {
                low: number(text)?,
                high: Some(number(text)?),
            },
            Some((low, high)) => Sizes {
                low: if low.trim().is_empty() {
                    1
                } else {
                    number(low)?
                },
                high: match high.trim().trim_start_matches('=') {
                    "" => None,
                    high => Some(number(high)?),
                },
            },
        };
        let high = sizes.high.unwrap_or(MAX_SIZE);
        match (1..=high).contains(&sizes.low) && high <= MAX_SIZE {
            true => Ok(sizes),
            false => Err(()),
        }
    }
}
