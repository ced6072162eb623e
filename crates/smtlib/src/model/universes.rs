//! The elements of uninterpreted sorts, which solvers list in comments of their models.
//!
//! A list that cannot be read as a whole does not count: with an element too few a
//! quantifier would be false that is true.

use crate::print;
use crate::syntax::{Kind, Lexer};

/// Each sort as we print it, and the names of its elements, without bars: z3's
/// `;; universe for T:` and the line after it, cvc5's `; cardinality of T is n` and the
/// `; rep:` lines after it.
pub(super) fn universes(model: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<Universe> = Vec::new();
    let mut expect_elements = false;
    for line in model.lines() {
        let Some(comment) = line.trim_start().strip_prefix(';') else {
            expect_elements = false;
            continue;
        };
        let comment = comment.trim_start_matches(';').trim();
        if let Some(sort) = comment.strip_prefix("universe for ") {
            found.push(Universe::new(sort.trim_end_matches(':'), None));
            expect_elements = true;
        } else if let Some(rest) = comment.strip_prefix("cardinality of ") {
            let (sort, count) = rest.rsplit_once(" is ").unwrap_or((rest, ""));
            found.push(Universe::new(sort, count.parse().ok()));
        } else if let (Some(rep), Some(universe)) =
            (comment.strip_prefix("rep: "), found.last_mut())
        {
            let name = names(rep).map(|names| match names.as_slice() {
                [word, name, ..] if word == "as" => vec![name.clone()],
                _ => names.into_iter().take(1).collect(),
            });
            universe.add(name);
        } else if let (true, Some(universe)) = (expect_elements, found.last_mut()) {
            universe.add(names(comment));
            expect_elements = false;
        }
    }
    let whole = found.into_iter().filter(Universe::is_whole);
    whole.map(|one| (one.sort, one.elements)).collect()
}

struct Universe {
    sort: String,
    elements: Vec<String>,
    /// How many there are, where the model says so.
    count: Option<usize>,
    is_read: bool,
}

impl Universe {
    fn new(sort: &str, count: Option<usize>) -> Universe {
        let sort = match names(sort).as_deref() {
            Some([name]) => print::quoted(name),
            _ => sort.to_string(),
        };
        Universe {
            sort,
            elements: Vec::new(),
            count,
            is_read: true,
        }
    }

    fn add(&mut self, names: Option<Vec<String>>) {
        self.is_read &= names.is_some();
        self.elements.extend(names.unwrap_or_default());
    }

    fn is_whole(&self) -> bool {
        let counted = self.count.is_none_or(|count| count == self.elements.len());
        self.is_read && counted && !self.elements.is_empty()
    }
}

/// The symbols of a text, without bars; none if it has anything that is no token.
fn names(text: &str) -> Option<Vec<String>> {
    let mut lexer = Lexer::new(text);
    let mut names = Vec::new();
    loop {
        let token = lexer.next().ok()?;
        match token.kind {
            Kind::End => return Some(names),
            Kind::Symbol | Kind::Quoted => names.push(lexer.text(token).to_string()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_with_and_without_bars_or_not_at_all() {
        for (model, expected) in [
            (
                ";; universe for T:\n;;   T!val!0 T!val!1 \n",
                "T: T!val!0, T!val!1",
            ),
            (
                ";; universe for |a b|:\n;;   |a b!val!0| |a b!val!1| \n",
                "|a b|: a b!val!0, a b!val!1",
            ),
            ("; cardinality of T is 1\n; rep: (as @T_0 T)", "T: @T_0"),
            ("; cardinality of T is 1\n; rep: @uc_T_0", "T: @uc_T_0"),
            (
                "; cardinality of |a is b| is 1\n; rep: (as |@_a is b__0| |a is b|)",
                "|a is b|: @_a is b__0",
            ),
            (
                "; cardinality of (P Int) is 1\n; rep: (as @P_0 (P Int))",
                "(P Int): @P_0",
            ),
            ("; cardinality of |T| is 1\n; rep: (as @T_0 T)", "T: @T_0"),
            // Too few, or torn.
            ("; cardinality of T is 2\n; rep: (as @T_0 T)", ""),
            (";; universe for T:\n;;   |T a b\n", ""),
            (";; universe for T:\n(declare-fun T!val!0 () T)", ""),
        ] {
            let read = universes(model).into_iter();
            let shown = read.map(|(sort, names)| format!("{sort}: {}", names.join(", ")));
            assert_eq!(shown.collect::<Vec<_>>().join("; "), expected, "{model}");
        }
    }
}
