//! Messages without types: data for an address, and what comes back.

use lydite_core::Reject;

use super::context::ANYWHERE;
use super::options::Part;
use super::types::Wanted;
use super::weights::Draw;
use super::{Generator, Intent};
use crate::ast::{Environment, Expression, ExpressionId, Literal, MessageKind, StatementId, Type};
use crate::types::{Elementary, Location};
use crate::version::Feature;

/// The wei of a message, at most: contracts have few.
const WEI: u64 = 4;

impl Generator<'_> {
    /// True if a message can be drawn here.
    pub(super) fn can_send(&self) -> bool {
        self.allows(Part::Messages)
            && self.has(Feature::EncodeCall)
            && self.frame.intent >= Intent::View
            && !self.is_in_library()
            && self.frame.slots + 2 <= self.options.slots
    }

    /// `(bool a, bytes memory b) = x.call(data);`
    pub(super) fn message(&mut self) -> Result<Option<StatementId>, Reject> {
        if !self.can_send() {
            return self.assignment_statement();
        }
        let writes = self.frame.intent >= Intent::Write;
        let kind = match self.choices.weighted(&[if writes { 5 } else { 0 }, 2, 2])? {
            0 => MessageKind::Call,
            2 if writes => MessageKind::Delegate,
            _ => MessageKind::Static,
        };
        let (to, data) = match self.typed_message(kind)? {
            Some(parts) => parts,
            None if kind == MessageKind::Call => {
                let address = Wanted::Elementary(Elementary::ADDRESS);
                let to = self.value(address, ANYWHERE, 1, true)?;
                (to, self.expression(Expression::Literal(Literal::Text(0))))
            }
            None => return self.assignment_statement(),
        };
        let wei = match kind == MessageKind::Call && self.often(Draw::MessageWei)? {
            true => {
                let wei = self.choices.below(WEI)?;
                Some(self.number(wei))
            }
            false => None,
        };
        let sent = self.expression(Expression::Message {
            kind,
            to,
            wei,
            data,
        });
        let truth = self.leaf_within(Elementary::BOOL, Elementary::BOOL.bit());
        let bytes = self.leaf_within(Elementary::BYTES, Elementary::BYTES.bit());
        let parts = [
            Some((truth, Location::Memory)),
            Some((bytes, Location::Memory)),
        ];
        Ok(Some(self.declare_parts(&parts, sent)))
    }

    /// An address and a call of a function that is there.
    fn typed_message(
        &mut self,
        kind: MessageKind,
    ) -> Result<Option<(ExpressionId, ExpressionId)>, Reject> {
        let mut callees = self.callees();
        callees.retain(|callee| {
            let reads = self.intents[callee.function.0 as usize] < Intent::Write;
            let is_fitting = match kind {
                MessageKind::Call => true,
                MessageKind::Static => reads,
                MessageKind::Delegate => callee.is_own_outside(),
            };
            callee.is_external() && is_fitting
        });
        if callees.is_empty() || !self.percent(80)? {
            return Ok(None);
        }
        let callee = *self.choices.pick(&callees)?;
        let to = match callee.other() {
            None => self.expression(Expression::Environment(Environment::This)),
            Some(contract) => {
                let kind = self.ast.add_type(Type::Contract(contract));
                let operand = self.identifier(Wanted::Type(kind), ANYWHERE, 1)?;
                let kind = self.leaf_within(Elementary::ADDRESS, Elementary::ADDRESS.bit());
                self.expression(Expression::Cast { kind, operand })
            }
        };
        let function = callee.function;
        self.referenced.push(function);
        let depth = self.options.depth.saturating_sub(1);
        let arguments = self.arguments(function, true, depth)?;
        let data = self.expression(Expression::EncodeCall {
            function,
            arguments,
        });
        Ok(Some((to, data)))
    }
}
