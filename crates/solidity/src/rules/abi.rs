//! The rules of encoded data: `abi.encode`, `abi.decode`, `concat`.

use super::Rules;
use crate::ast::{Encoding, ExpressionId, FunctionId};
use crate::types::{COMPOSITE_REFERENCES, Elementary, FIXED};

impl Rules<'_> {
    pub(super) fn encode(&mut self, encoding: Encoding, arguments: &[ExpressionId]) {
        let first = match encoding {
            Encoding::Plain | Encoding::Packed => None,
            Encoding::WithSelector => Some(Elementary::fixed_bytes(4)),
            Encoding::WithSignature => Some(Elementary::STRING),
        };
        if let (Some(kind), Some(argument)) = (first, arguments.first()) {
            self.converts_to(*argument, kind);
        }
        // Packed data has no structs, and none has mappings.
        for &argument in arguments {
            self.restrict(argument, !COMPOSITE_REFERENCES);
        }
    }

    pub(super) fn encode_call(&mut self, function: FunctionId, arguments: &[ExpressionId]) {
        self.exposed(function);
        let parameters = &self.ast[function].parameters;
        for (&argument, &parameter) in arguments.iter().zip(parameters) {
            self.converts(argument, self.ast[parameter].kind);
        }
    }

    pub(super) fn concat(&mut self, strings: bool, parts: &[ExpressionId]) {
        let taken = match strings {
            true => Elementary::STRING.bit(),
            false => Elementary::BYTES.bit() | FIXED,
        };
        for &part in parts {
            self.restrict(part, taken);
        }
    }
}
