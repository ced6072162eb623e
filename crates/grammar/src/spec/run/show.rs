//! Values as text.

use super::machine::{Fault, FaultKind, Machine};
use super::map::Map;
use super::texts::MAX_BYTES;
use super::value::Value;

impl Machine<'_> {
    /// The text that shows `value`: texts and numbers as they are, variants
    /// by their names, the rest as it would be written.
    pub(crate) fn print(&mut self, value: &Value) -> Result<Value, Fault> {
        if let Value::Text(_) = value {
            return Ok(value.clone());
        }
        let mut out = String::new();
        self.show(value, &mut out);
        if out.len() > MAX_BYTES {
            return Err(self.fault(FaultKind::Text));
        }
        self.spend(out.len() as u64 / 8)?;
        self.compose(|composer| composer.push(&out))
    }

    /// Recursive over the depth of values, which is bounded. Stops where it is
    /// too much.
    fn show(&self, value: &Value, out: &mut String) {
        let list =
            |open: &str, items: &mut dyn Iterator<Item = &Value>, close: &str, out: &mut String| {
                out.push_str(open);
                for (i, item) in items.enumerate() {
                    if out.len() > MAX_BYTES {
                        return;
                    }
                    if i > 0 {
                        out.push_str(", ");
                    }
                    self.show(item, out);
                }
                out.push_str(close);
            };
        match value {
            Value::Absent => {}
            Value::Int(number) => out.push_str(&number.to_string()),
            Value::Wide(number) => out.push_str(&number.to_string()),
            Value::Bool(true) => out.push_str("true"),
            Value::Bool(false) => out.push_str("false"),
            Value::Text(text) => out.push_str(self.texts.get(*text)),
            Value::Tag(tag) => out.push_str(self.tag_name(*tag)),
            Value::Data(data) => {
                out.push_str(self.tag_name(data.tag));
                list("(", &mut data.fields.iter(), ")", out);
            }
            Value::List(items) => list("[", &mut items.items.iter(), "]", out),
            Value::Set(map) => list("{", &mut map.iter().map(|(key, _)| key), "}", out),
            Value::Map(map) => self.show_map(map, out),
        }
    }

    fn show_map(&self, map: &Map, out: &mut String) {
        out.push('{');
        for (i, (key, value)) in map.iter().enumerate() {
            if out.len() > MAX_BYTES {
                return;
            }
            out.push_str(if i > 0 { ", " } else { "" });
            self.show(key, out);
            out.push_str(": ");
            self.show(value, out);
        }
        out.push('}');
    }

    fn tag_name(&self, tag: u32) -> &str {
        self.code
            .tag_names
            .get(tag as usize)
            .map_or("", String::as_str)
    }
}
