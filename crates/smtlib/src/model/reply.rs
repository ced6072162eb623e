//! What a solver prints, cut into replies: verdicts, models, cores, errors.

use lydite_core::Verdict;

/// One reply of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// `sat`, `unsat`, `unknown`
    Verdict(Verdict),
    /// What stands between the parentheses of a model.
    Model(&'a str),
    /// What stands between the parentheses of a list of names.
    Names(&'a str),
    /// What stands behind `objectives` in `(objectives (t v) …)`.
    Objectives(&'a str),
    /// `(error "…")`
    Error(&'a str),
    /// Anything else.
    Other(&'a str),
}

/// Cuts the output of a solver into replies. Linear, never fails; a reply
/// that does not end is [`Reply::Other`].
pub fn replies(output: &str) -> Vec<Reply<'_>> {
    let mut replies: Vec<Reply<'_>> = Vec::new();
    let mut rest = output;
    while let Some(start) = skip_blank(rest) {
        rest = &rest[start..];
        let end = item_end(rest);
        let (item, after) = rest.split_at(end);
        rest = after;
        // That there is no core to print says nothing of a model.
        let mut before = replies.iter().rev();
        let before = before.find(|reply| !matches!(reply, Reply::Error(_)));
        replies.push(classify(item, before));
    }
    replies
}

/// The items of a list, of which `inside` is what stands between the
/// parentheses.
pub(super) fn items(inside: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut rest = inside;
    while let Some(start) = skip_blank(rest) {
        rest = &rest[start..];
        let (item, after) = rest.split_at(match rest.as_bytes()[0] {
            quote @ (b'"' | b'|') => quoted_end(rest, quote),
            _ => item_end(rest),
        });
        items.push(item);
        rest = after;
    }
    items
}

/// Where the string or symbol that begins at 0 ends; a doubled quote is one.
fn quoted_end(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match (bytes[at] == quote, bytes.get(at + 1) == Some(&quote)) {
            (true, true) if quote == b'"' => at += 2,
            (true, _) => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

fn classify<'a>(item: &'a str, before: Option<&Reply<'_>>) -> Reply<'a> {
    if let Some(verdict) = Verdict::from_name(item) {
        return Reply::Verdict(verdict);
    }
    let Some(inside) = item
        .strip_prefix('(')
        .and_then(|item| item.strip_suffix(')'))
    else {
        return Reply::Other(item);
    };
    let first = skip_blank(inside).map_or("", |start| &inside[start..]);
    let after_sat = matches!(
        before,
        Some(Reply::Verdict(Verdict::Sat | Verdict::Unknown))
    );
    let mut words = first.split(|c: char| c.is_whitespace() || "();".contains(c));
    match words.next() {
        Some("model") => return Reply::Model(&first["model".len()..]),
        Some("objectives") => return Reply::Objectives(&first["objectives".len()..]),
        _ => {}
    }
    match first {
        "" if after_sat => Reply::Model(inside),
        _ if first.starts_with("error") => Reply::Error(item),
        _ if ["(define-", "(declare-", "(forall "]
            .iter()
            .any(|head| first.starts_with(head)) =>
        {
            Reply::Model(inside)
        }
        _ if first.starts_with('(') => Reply::Other(item),
        _ if inside.contains(['(', '"']) => Reply::Other(item),
        _ => Reply::Names(inside),
    }
}

/// The first byte that is neither white space nor a comment.
fn skip_blank(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].find(|c: char| !c.is_whitespace())?;
        if !text[at..].starts_with(';') {
            return Some(at);
        }
        at += text[at..].find('\n')?;
    }
}

/// Where the item that begins at 0 ends: a list, or a word.
fn item_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    if bytes[0] != b'(' {
        let end = text.find(|c: char| c.is_whitespace() || c == '(');
        return end.filter(|end| *end > 0).unwrap_or(text.len());
    }
    let mut depth = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            // A doubled quote is two strings in a row: the same end.
            quote @ (b'"' | b'|') => match text[at + 1..].find(quote as char) {
                Some(length) => at += length + 1,
                None => return text.len(),
            },
            b';' => match text[at..].find('\n') {
                Some(length) => at += length,
                None => return text.len(),
            },
            _ => {}
        }
        at += 1;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_of_printing_models_are_told_from_other_replies() {
        use Reply::*;
        for (output, expected) in [
            (
                "sat\n(model\n)\n",
                vec![Verdict(super::Verdict::Sat), Model("\n")],
            ),
            ("sat\n()\n", vec![Verdict(super::Verdict::Sat), Model("")]),
            (
                "sat\n(\n;; universe\n(define-fun x () Int 1)\n)",
                vec![
                    Verdict(super::Verdict::Sat),
                    Model("\n;; universe\n(define-fun x () Int 1)\n"),
                ],
            ),
            (
                "unsat\n(a |b c|)\n",
                vec![Verdict(super::Verdict::Unsat), Names("a |b c|")],
            ),
            (
                "(error \"line 3: model is not available ( )\")\nunknown",
                vec![
                    Error("(error \"line 3: model is not available ( )\")"),
                    Verdict(super::Verdict::Unknown),
                ],
            ),
            ("((x 1))", vec![Other("((x 1))")]),
            (
                "sat\n(objectives\n (x 1)\n)\n(objectives\n)",
                vec![
                    Verdict(super::Verdict::Sat),
                    Objectives("\n (x 1)\n"),
                    Objectives("\n"),
                ],
            ),
            (
                "(model (define-fun s () String \"a)\"\"|\"))x",
                vec![Model(" (define-fun s () String \"a)\"\"|\")"), Other("x")],
            ),
            ("(define-fun x", vec![Other("(define-fun x")]),
            ("", vec![]),
            ("; only a comment", vec![]),
            (")", vec![Other(")")]),
        ] {
            assert_eq!(replies(output), expected, "{output}");
        }
    }

    #[test]
    fn hostile_output_is_read_in_one_pass() {
        replies(&"(".repeat(1_000_000));
        replies(&")".repeat(1000));
        replies(&"((\"".repeat(1000));
        replies(&"(|;\n".repeat(1000));
        replies(&";\n".repeat(100_000));
    }
}
