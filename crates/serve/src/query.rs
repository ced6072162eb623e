//! Filters of a list of findings, as they stand in an address.

use lydite_core::Kind;
use lydite_store::{Order, Stands, Wanted};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use crate::answer::Problem;

/// What was asked for; an empty value is as good as none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Filter {
    pub kind: String,
    pub family: String,
    pub standing: String,
    pub q: String,
    pub order: String,
    pub page: String,
    pub most: String,
}

/// How a finding may stand: the word in an address, and what is meant.
const STANDINGS: [(&str, Stands); 5] = [
    ("", Stands::Alone),
    ("news", Stands::News),
    ("marked", Stands::Marked),
    ("merged", Stands::Merged),
    ("any", Stands::Any),
];

const ORDERS: [(&str, Order); 4] = [
    ("", Order::Gravest),
    ("count", Order::Count),
    ("bytes", Order::Bytes),
    ("latest", Order::Latest),
];

/// How many findings are on a page, and at the most.
const MOST: (u64, u64) = (50, 1000);

impl Filter {
    /// What the store is asked.
    pub(crate) fn wanted(&self) -> Result<Wanted, Problem> {
        let given = |text: &String| (!text.is_empty()).then(|| text.clone());
        let kind = match self.kind.as_str() {
            "" => None,
            name => {
                let kind = Kind::from_name(name);
                Some(kind.ok_or_else(|| Problem::refused(format!("kind `{name}` is not known")))?)
            }
        };
        let most = number("most", &self.most, MOST.0)?.clamp(1, MOST.1);
        Ok(Wanted {
            kind,
            family: given(&self.family),
            text: given(&self.q),
            standing: word("standing", &self.standing, &STANDINGS)?,
            order: word("order", &self.order, &ORDERS)?,
            skip: (self.page_number()? - 1).saturating_mul(most),
            most,
        })
    }

    /// The page, from 1.
    pub(crate) fn page_number(&self) -> Result<u64, Problem> {
        Ok(number("page", &self.page, 1)?.max(1))
    }

    /// The address of another page of the same list.
    pub(crate) fn address(&self, page: u64) -> String {
        let page = page.to_string();
        let pairs = [
            ("kind", &self.kind),
            ("family", &self.family),
            ("standing", &self.standing),
            ("q", &self.q),
            ("order", &self.order),
            ("most", &self.most),
            ("page", &page),
        ];
        let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
        let pairs: Vec<String> = pairs
            .map(|(key, value)| format!("{key}={}", encode(value)))
            .collect();
        format!("?{}", pairs.join("&"))
    }
}

fn word<T: Copy>(key: &str, text: &str, known: &[(&str, T)]) -> Result<T, Problem> {
    let found = known.iter().find(|(name, _)| *name == text);
    let found = found.map(|(_, value)| *value);
    found.ok_or_else(|| Problem::refused(format!("{key}: `{text}` is not known")))
}

fn number(key: &str, text: &str, default: u64) -> Result<u64, Problem> {
    match text {
        "" => Ok(default),
        text => {
            let number = text.parse();
            number.map_err(|_| Problem::refused(format!("{key}: `{text}` is not a number")))
        }
    }
}

/// What stands for itself in a part of an address.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_');

/// Text for one part of an address.
pub(crate) fn encode(text: &str) -> String {
    utf8_percent_encode(text, PLAIN).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_ask_for_what_they_say() {
        let filter = Filter {
            kind: "crash".into(),
            q: "a&b=\"<c>\"".into(),
            page: "3".into(),
            ..Filter::default()
        };
        let wanted = filter.wanted().unwrap();
        assert_eq!(wanted.kind, Some(Kind::Crash));
        assert_eq!((wanted.skip, wanted.most), (100, 50));
        assert_eq!(
            filter.address(4),
            "?kind=crash&q=a%26b%3D%22%3Cc%3E%22&page=4"
        );
        for bad in [
            Filter {
                kind: "boom".into(),
                ..Filter::default()
            },
            Filter {
                standing: "x".into(),
                ..Filter::default()
            },
            Filter {
                order: "x".into(),
                ..Filter::default()
            },
            Filter {
                page: "-1".into(),
                ..Filter::default()
            },
        ] {
            assert!(bad.wanted().is_err(), "{bad:?}");
        }
        let far = Filter {
            page: u64::MAX.to_string(),
            ..Filter::default()
        };
        assert_eq!(far.wanted().unwrap().skip, u64::MAX);
    }
}
