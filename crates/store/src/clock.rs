//! The time of day, as it is stored and shown.

use std::time::{SystemTime, UNIX_EPOCH};

/// Now, in milliseconds of Unix time.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// `2026-11-15 20:18 UTC`.
pub fn shown(ms: i64) -> String {
    let minutes = ms.div_euclid(60_000);
    let (days, minute) = (minutes.div_euclid(1440), minutes.rem_euclid(1440));
    let (year, month, day) = date(days);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02} UTC",
        minute / 60,
        minute % 60
    )
}

/// Year, month and day of a number of days since 1970. Years begin in March
/// here, so that the leap day is the last of its year.
fn date(days: i64) -> (i64, i64, i64) {
    // 1970-01-01 is day 719,468 of a count that begins at 0000-03-01.
    let day = days.saturating_add(719_468);
    let (era, of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 {
        march_month + 3
    } else {
        march_month - 9
    };
    let year = era * 400 + year + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_shown_as_dates() {
        for (ms, text) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400_000, "2000-02-29 00:00 UTC"),
            (1_709_251_199_999, "2024-02-29 23:59 UTC"),
            (1_709_251_200_000, "2024-03-01 00:00 UTC"),
            (1_794_773_913_000, "2026-11-15 20:18 UTC"),
            (-60_000, "1969-12-31 23:59 UTC"),
        ] {
            assert_eq!(shown(ms), text);
        }
    }

    #[test]
    fn days_are_counted_one_by_one_over_four_hundred_years() {
        let mut expected = (1970, 1, 1);
        for days in 0..146_097 {
            assert_eq!(date(days), expected);
            let (year, month, day) = expected;
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 if leap => 29,
                2 => 28,
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            expected = match (day == length, month == 12) {
                (false, _) => (year, month, day + 1),
                (true, false) => (year, month + 1, 1),
                (true, true) => (year + 1, 1, 1),
            };
        }
    }
}
