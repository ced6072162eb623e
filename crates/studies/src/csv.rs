//! Tables as CSV, for those who draw their own plots.

use std::io::Write;

use anyhow::Result;
use lydite_store::folder::{LockedFolder, RelativePath};

/// Writes a table into a file of a folder.
pub(crate) fn write_lines(
    folder: &LockedFolder,
    name: &str,
    lines: impl Iterator<Item = Vec<String>>,
) -> Result<()> {
    let mut bytes = Vec::new();
    for line in lines {
        write_line(&mut bytes, &line)?;
    }
    folder.write(&RelativePath::new(name)?, &bytes)?;
    Ok(())
}

/// Writes one line of a table.
pub(crate) fn write_line(out: &mut dyn Write, fields: &[String]) -> Result<()> {
    let quoted: Vec<String> = fields.iter().map(|field| quote(field)).collect();
    writeln!(out, "{}", quoted.join(","))?;
    Ok(())
}

/// A field as RFC 4180 wants it. One that a spreadsheet would take for a
/// formula is shown as text.
fn quote(field: &str) -> String {
    let formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guard = if formula { "'" } else { "" };
    match formula || field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{guard}{}\"", field.replace('"', "\"\"")),
        false => field.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn fields_are_quoted_where_they_need_it() {
        for (field, quoted) in [
            ("plain", "plain"),
            ("a,b", "\"a,b\""),
            ("say \"x\"\n", "\"say \"\"x\"\"\n\""),
            ("=cmd()", "\"'=cmd()\""),
            ("", ""),
        ] {
            assert_eq!(quote(field), quoted);
        }
    }
}
