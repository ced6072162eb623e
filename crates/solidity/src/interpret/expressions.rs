//! What expressions are worth, and what they do on the way.

use dashu_int::IBig;

use super::data::{ObjectId, Value};
use super::digests::{ripemd160, sha256};
use super::effects::After;
use super::encode::{SELECTOR, WORD};
use super::forms::{Form, common};
use super::keccak::{big_endian, keccak256, number_of};
use super::machine::{Failed, Machine, Order, Reason, Stop};
use super::number::{Fault, converted, range, wrapped};
use crate::ast::{
    BinaryOp, ContractId, Environment, Expression, ExpressionId, FunctionId, Literal, Member,
    Shape, SignalId, Type, TypeFact, TypeId, UnaryOp, VariableId, Via, address, letters,
    number_of_digits,
};
use crate::types::Elementary;

/// The longest array that is made: the memory of a larger one costs much gas.
const NEW_ELEMENTS: usize = 1_000;

pub(super) const UNTYPED: Stop = Stop::Unknown("an expression without a type");

impl Machine<'_> {
    pub(super) fn form(&self, id: ExpressionId) -> &Form {
        &self.run.forms[id.0 as usize]
    }

    /// The value of an expression that has one; nothing is an empty tuple.
    pub(super) fn evaluate(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        self.descend()?;
        let value = self.evaluated(id);
        self.nesting -= 1;
        if let Err(Stop::Fault(fault)) = value
            && self.failed.is_none()
        {
            let operands = self.operands.take();
            self.failed = Some(Failed {
                at: id,
                fault,
                operands,
            });
        }
        value
    }

    fn evaluated(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        let ast = self.types.ast;
        match &ast[id] {
            Expression::Literal(literal) => Ok(literal_value(*literal)),
            Expression::Variable(_) | Expression::Member { .. } => {
                let place = self.place(id)?;
                self.read(&place, id)
            }
            Expression::Index { base, index } => match self.form(*base).word(self.types) {
                Some(kind) => self.byte_of(*base, *index, kind),
                None => {
                    let place = self.place(id)?;
                    self.read(&place, id)
                }
            },
            Expression::Assign { op, target, value } => self.assign(*op, *target, *value),
            Expression::Binary { op, left, right } => self.binary(*op, *left, *right),
            Expression::Unary { op, operand } => self.unary(*op, *operand),
            Expression::Conditional { condition, yes, no } => {
                let chosen = match self.truth(*condition)? {
                    true => *yes,
                    false => *no,
                };
                let value = self.evaluate(chosen)?;
                let (from, to) = (self.form(chosen).clone(), self.form(id).clone());
                self.converted(value, &from, &to)
            }
            Expression::Call {
                function,
                via,
                arguments,
            } if !via.is_external() => {
                let values = self.call(*function, *via, arguments)?;
                Ok(one_or_parts(values))
            }
            Expression::With { call, .. } if !self.leaves(*call) => self.evaluate(*call),
            Expression::Call { .. }
            | Expression::Getter { .. }
            | Expression::New { .. }
            | Expression::With { .. } => {
                let call = self.outgoing(id)?;
                let values = self.send(call)?;
                Ok(one_or_parts(values))
            }
            Expression::Encode(encoding, arguments) => self.encoded(*encoding, arguments),
            Expression::Decode { data, kinds } => self.decoded(*data, kinds),
            Expression::Keccak(data) => {
                let hash = keccak256(&self.bytes(*data)?);
                Ok(Value::Word(number_of(&hash)))
            }
            Expression::Struct { id, arguments } => {
                let parts = self.list_for(&ast[*id].fields, arguments)?;
                self.run.heap.push(Value::Parts(parts));
                Ok(Value::Memory(ObjectId(self.run.heap.len() - 1)))
            }
            _ => self.further(id),
        }
    }

    /// Expressions beyond the paper's figure 4.
    fn further(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        let ast = self.types.ast;
        match &ast[id] {
            Expression::Cast { operand, .. } => {
                let value = self.evaluate(*operand)?;
                let (from, to) = (self.form(*operand).clone(), self.form(id).clone());
                self.cast(value, &from, &to)
            }
            Expression::Quoted(bytes) => Ok(Value::Bytes(bytes.clone())),
            Expression::Inline { kind, elements } => self.inline(*kind, elements),
            Expression::Length(base) => {
                let value = self.evaluate(*base)?;
                let length = self.length(&value)?;
                Ok(Value::Word(IBig::from(length)))
            }
            Expression::NewArray { kind, length } => self.new_array(*kind, *length),
            Expression::Tuple(parts) => {
                let parts: Option<Vec<ExpressionId>> = parts.iter().copied().collect();
                let parts = parts.ok_or(Stop::Unknown("a tuple with a gap"))?;
                Ok(one_or_parts(self.list(&parts, After::Copied)?))
            }
            Expression::Concat { parts, .. } => {
                let mut joined = Vec::new();
                let values = self.list(parts, After::Copied)?;
                for (part, value) in parts.iter().zip(values) {
                    let form = self.form(*part).clone();
                    match (self.whole(&value)?, form.word(self.types)) {
                        (Value::Bytes(bytes), _) => joined.extend(bytes),
                        (Value::Word(word), Some(kind)) => {
                            joined.extend(big_endian(&word, usize::from(kind.size())))
                        }
                        _ => return Err(UNTYPED),
                    }
                }
                Ok(self.in_memory(Value::Bytes(joined)))
            }
            Expression::Push { array, value } => self.push(*array, *value),
            Expression::Pop(array) => self.pop(*array),
            Expression::Grow(array) => self.grow(*array),
            Expression::EnumMember(_, number) => Ok(Value::Word(IBig::from(*number))),
            Expression::Wrap(_, operand) | Expression::Unwrap(_, operand) => {
                let value = self.evaluate(*operand)?;
                let (from, to) = (self.form(*operand).clone(), self.form(id).clone());
                let to = Form::Elementary(to.word(self.types).ok_or(UNTYPED)?);
                self.converted(value, &from, &to)
            }
            Expression::Environment(what) => match what {
                Environment::Sender => known(&self.run.world.sender),
                Environment::This => known(&self.run.world.this),
                Environment::Timestamp => Ok(Value::Word(self.run.world.timestamp.clone())),
                Environment::Number => Ok(Value::Word(self.run.world.number.clone())),
                Environment::Data => match &self.run.world.data {
                    Some(data) => Ok(Value::Bytes(data.clone()).in_calldata()),
                    None => Err(Stop::Unknown("the data of a call")),
                },
                Environment::Gas => Err(Stop::Unknown("how much gas is left")),
            },
            _ => self.without_declaration(id),
        }
    }

    /// Functions as values, selectors, and what nobody declares.
    fn without_declaration(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        match &self.types.ast[id] {
            // Zero is no function.
            Expression::Reference(function) => {
                let reached = self.overriding(*function);
                Ok(Value::Word(IBig::from(reached.0) + 1))
            }
            Expression::ReferenceOutside(function) => {
                let this = word(known(&self.run.world.this)?)?;
                let selector = number_of(&self.selector(*function)?);
                Ok(Value::Word((this << (8 * SELECTOR)) + selector))
            }
            Expression::CallValue {
                callee,
                function,
                arguments,
            } if !self.types.ast.is_external_type(*function) => {
                let values = self.call_value(*callee, *function, arguments)?;
                Ok(one_or_parts(values))
            }
            Expression::CallValue { .. } => {
                let call = self.outgoing(id)?;
                let values = self.send(call)?;
                Ok(one_or_parts(values))
            }
            Expression::Selector(function) => {
                let selector = self.selector(*function)?;
                Ok(Value::Word(number_of(&selector)))
            }
            Expression::EncodeCall {
                function,
                arguments,
            } => self.encoded_call(*function, arguments),
            Expression::Limit { kind, largest } => {
                if let Type::Enum(id) = self.types.ast[*kind] {
                    let last = self.types.ast[id].members.saturating_sub(1);
                    return Ok(Value::Word(IBig::from(if *largest { last } else { 0 })));
                }
                let kind = self.types.word(*kind).ok_or(UNTYPED)?;
                let (least, greatest) = range(kind);
                Ok(Value::Word(if *largest { greatest } else { least }))
            }
            Expression::Intrinsic(intrinsic, operands) => {
                self.intrinsic(intrinsic.row().text, operands)
            }
            _ => self.elaborate(id),
        }
    }

    /// Texts in other notations, facts, slices, operators of user-defined
    /// types, errors of `require`, messages without types.
    fn elaborate(&mut self, id: ExpressionId) -> Result<Value, Stop> {
        let ast = self.types.ast;
        match &ast[id] {
            Expression::Text(notation, length) => Ok(Value::Bytes(notation.bytes(*length))),
            Expression::Fact(fact, contract) => self.fact(*fact, *contract),
            Expression::Slice { base, from, to } => self.slice(*base, *from, *to),
            Expression::Operator {
                function,
                left,
                right,
                ..
            } => Ok(one_or_parts(self.invoked(*function, &[*left, *right])?)),
            Expression::UnaryOperator {
                function, operand, ..
            } => Ok(one_or_parts(self.invoked(*function, &[*operand])?)),
            Expression::RequireError {
                condition,
                signal,
                arguments,
            } => self.require_error(*condition, *signal, arguments),
            Expression::Message {
                kind,
                to,
                wei,
                data,
            } => self.message(*kind, *to, *wei, *data),
            Expression::Erc7201(length) => {
                let name = number_of(&keccak256(letters(*length).as_bytes()));
                let place = keccak256(&big_endian(&(name - 1), WORD));
                let place = number_of(&place);
                let low = &place - ((&place >> 8) << 8);
                Ok(Value::Word(place - low))
            }
            _ => Err(Stop::Unknown("an expression of another kind")),
        }
    }

    /// True if a call leaves the contract.
    fn leaves(&self, call: ExpressionId) -> bool {
        match &self.types.ast[call] {
            Expression::Call { via, .. } => via.is_external(),
            Expression::CallValue { function, .. } => self.types.ast.is_external_type(*function),
            _ => true,
        }
    }

    /// A call of a value of an internal function type: directly generated code
    /// looks at the function last.
    fn call_value(
        &mut self,
        callee: ExpressionId,
        like: FunctionId,
        arguments: &[ExpressionId],
    ) -> Result<Vec<Value>, Stop> {
        let mut members = vec![callee];
        members.extend(arguments);
        let mut order: Vec<usize> = (0..members.len()).collect();
        if self.run.order == Order::RightFirst {
            order.rotate_left(1);
        }
        let mut values = self.list_in(&members, &order, After::Passed)?;
        let function = word(values.remove(0))?;
        let parameters = &self.types.ast[like].parameters;
        let mut fitted = Vec::with_capacity(values.len());
        for ((variable, member), value) in parameters.iter().zip(arguments).zip(values) {
            let form = self.form(*member).clone();
            fitted.push(self.fitted(value, &form, *variable)?);
        }
        let function = u32::try_from(&function).map_err(|_| UNTYPED)?;
        match function.checked_sub(1) {
            Some(function) => self.invoke(FunctionId(function), fitted),
            None => Err(Stop::Fault(Fault::Function)),
        }
    }

    /// `require(condition, R(…))`: all is evaluated, whatever the condition.
    fn require_error(
        &mut self,
        condition: ExpressionId,
        signal: SignalId,
        arguments: &[ExpressionId],
    ) -> Result<Value, Stop> {
        let mut members = vec![condition];
        members.extend(arguments);
        let mut values = self.list(&members, After::Copied)?;
        if word(values.remove(0))? != IBig::ZERO {
            return Ok(Value::Parts(Vec::new()));
        }
        let parameters = &self.types.ast[signal].parameters;
        let values = self.signalled(parameters, arguments, values)?;
        Err(Stop::Revert(Reason::Signal(signal, values)))
    }

    fn fact(&mut self, fact: TypeFact, contract: ContractId) -> Result<Value, Stop> {
        let ast = self.types.ast;
        match fact {
            TypeFact::Name => {
                let name = ast.contract_name(contract).into_bytes();
                Ok(self.in_memory(Value::Bytes(name)))
            }
            TypeFact::InterfaceId => {
                let mut together = [0; SELECTOR];
                for member in &ast[contract].members {
                    if let Member::Function(function) = *member {
                        let selector = self.selector(function)?;
                        for (byte, own) in together.iter_mut().zip(selector) {
                            *byte ^= own;
                        }
                    }
                }
                Ok(Value::Word(number_of(&together)))
            }
            TypeFact::CreationCode | TypeFact::RuntimeCode => {
                Err(Stop::Unknown("the code of a contract"))
            }
        }
    }

    /// `base[from:to]`: what is beyond the end is refused.
    fn slice(
        &mut self,
        base: ExpressionId,
        from: Option<ExpressionId>,
        to: Option<ExpressionId>,
    ) -> Result<Value, Stop> {
        let members: Vec<ExpressionId> = [Some(base), from, to].into_iter().flatten().collect();
        let values = self.list(&members, After::Passed)?;
        let mut values = values.into_iter();
        let Some(Value::Calldata(whole)) = values.next() else {
            return Err(UNTYPED);
        };
        let length = self.length(&whole)?;
        let mut end = |given: Option<ExpressionId>, otherwise: usize| match given {
            Some(_) => Ok(usize::try_from(&word(values.next().ok_or(UNTYPED)?)?).ok()),
            None => Ok(Some(otherwise)),
        };
        let (from, to) = (end(from, 0)?, end(to, length)?);
        let refused = Stop::Revert(Reason::Silent);
        let (Some(from), Some(to)) = (from, to) else {
            return Err(refused);
        };
        if from > to || to > length {
            return Err(refused);
        }
        let part = match *whole {
            Value::Bytes(bytes) => Value::Bytes(bytes[from..to].to_vec()),
            Value::Parts(parts) => Value::Parts(parts[from..to].to_vec()),
            _ => return Err(UNTYPED),
        };
        Ok(part.in_calldata())
    }

    /// Bytes or a text, wherever it is.
    fn bytes(&mut self, id: ExpressionId) -> Result<Vec<u8>, Stop> {
        let data = self.evaluate(id)?;
        match self.whole(&data)? {
            Value::Bytes(bytes) => Ok(bytes),
            _ => Err(UNTYPED),
        }
    }

    /// What the language offers, as far as it does not depend on the chain.
    fn intrinsic(&mut self, text: &str, operands: &[ExpressionId]) -> Result<Value, Stop> {
        match (text, operands) {
            ("now", _) => Ok(Value::Word(self.run.world.timestamp.clone())),
            ("tx.origin", _) => known(&self.run.world.origin),
            ("msg.value", _) => Ok(Value::Word(self.run.world.value.clone())),
            ("msg.sig", _) => {
                let data = self.run.world.data.as_ref();
                let data = data.ok_or(Stop::Unknown("the data of a call"))?;
                let mut selector: Vec<u8> = data.iter().copied().take(SELECTOR).collect();
                selector.resize(SELECTOR, 0);
                Ok(Value::Word(number_of(&selector)))
            }
            ("$.balance", [of]) => {
                let of = word(self.evaluate(*of)?)?;
                match self.run.world.this {
                    Some(_) => Ok(Value::Word(self.balance(&of))),
                    None => Err(Stop::Unknown("what an account has")),
                }
            }
            ("$.send($)", [_, _]) => {
                let values = self.list(operands, After::Copied)?;
                let mut words = values.into_iter().map(word);
                let mut next = || words.next().unwrap_or(Err(UNTYPED));
                let (to, wei) = (next()?, next()?);
                let went = self.handed_over(to, wei)?;
                Ok(Value::Word(IBig::from(u8::from(went))))
            }
            ("addmod($, $, $)" | "mulmod($, $, $)", [_, _, _]) => {
                let values = match self.run.order {
                    Order::LeftFirst => self.list(operands, After::Copied)?,
                    Order::RightFirst => self.list_in(operands, &[2, 1, 0], After::Copied)?,
                };
                let mut words = values.into_iter().map(word);
                let mut next = || words.next().unwrap_or(Err(UNTYPED));
                let (left, right, modulus) = (next()?, next()?, next()?);
                if modulus == IBig::ZERO {
                    return Err(match self.run.arithmetic.checked {
                        true => Stop::Fault(Fault::Division),
                        false => Stop::Unknown("a modulus of zero"),
                    });
                }
                let result = match text.starts_with('a') {
                    true => left + right,
                    false => left * right,
                };
                Ok(Value::Word(result % modulus))
            }
            ("sha256($)", [bytes]) => Ok(Value::Word(number_of(&sha256(&self.bytes(*bytes)?)))),
            ("ripemd160($)", [bytes]) => {
                Ok(Value::Word(number_of(&ripemd160(&self.bytes(*bytes)?))))
            }
            (of_chain, []) => self.chain_fact(of_chain),
            _ => Err(Stop::Unknown("what depends on the chain")),
        }
    }

    fn chain_fact(&self, text: &str) -> Result<Value, Stop> {
        let unknown = Stop::Unknown("what depends on the chain");
        let block = self.run.world.block.as_ref().ok_or(unknown.clone())?;
        let fact = match text {
            "block.coinbase" => &block.coinbase,
            "block.difficulty" | "block.prevrandao" => &block.randomness,
            "block.gaslimit" => &block.gas_limit,
            "block.chainid" => &block.chain,
            "block.basefee" => &block.base_fee,
            "tx.gasprice" => &block.gas_price,
            _ => return Err(unknown),
        };
        Ok(Value::Word(fact.clone()))
    }

    /// The value of a condition.
    pub(super) fn truth(&mut self, id: ExpressionId) -> Result<bool, Stop> {
        Ok(word(self.evaluate(id)?)? != IBig::ZERO)
    }

    /// The value as a variable takes it.
    pub(super) fn evaluate_for(
        &mut self,
        id: ExpressionId,
        variable: VariableId,
    ) -> Result<Value, Stop> {
        let value = self.evaluate(id)?;
        let form = self.form(id).clone();
        self.fitted(value, &form, variable)
    }

    /// The members of a list as variables take them: all are evaluated, then
    /// all are converted.
    pub(super) fn list_for(
        &mut self,
        variables: &[VariableId],
        members: &[ExpressionId],
    ) -> Result<Vec<Value>, Stop> {
        let values = self.list(members, After::Passed)?;
        let mut fitted = Vec::with_capacity(values.len());
        for ((variable, member), value) in variables.iter().zip(members).zip(values) {
            let form = self.form(*member).clone();
            fitted.push(self.fitted(value, &form, *variable)?);
        }
        Ok(fitted)
    }

    /// The value as a type takes it.
    pub(super) fn evaluate_as(&mut self, id: ExpressionId, to: &Form) -> Result<Value, Stop> {
        let value = self.evaluate(id)?;
        let form = self.form(id).clone();
        self.converted(value, &form, to)
    }

    /// Several values with their types: of a call or a tuple.
    pub(super) fn several(&mut self, id: ExpressionId) -> Result<Vec<(Form, Value)>, Stop> {
        let Form::Several(forms) = self.form(id).clone() else {
            return Err(UNTYPED);
        };
        match self.evaluate(id)? {
            Value::Parts(values) => Ok(forms.into_iter().zip(values).collect()),
            _ => Err(UNTYPED),
        }
    }

    /// A value converted to the type of a variable, and where it wants it.
    pub(super) fn fitted(
        &mut self,
        value: Value,
        form: &Form,
        variable: VariableId,
    ) -> Result<Value, Stop> {
        let declared = &self.types.ast[variable];
        let value = self.converted(value, form, &Form::of(self.types, declared.kind))?;
        self.held(variable, value)
    }

    /// A value as memory holds it.
    pub(super) fn memory_part(&mut self, value: Value) -> Result<Value, Stop> {
        match value {
            Value::Storage(path) => {
                let whole = self.load(&path)?;
                Ok(self.in_memory(whole))
            }
            value => Ok(self.in_memory(value)),
        }
    }

    /// An implicit conversion.
    pub(super) fn converted(&self, value: Value, from: &Form, to: &Form) -> Result<Value, Stop> {
        let Some(kind) = to.word(self.types) else {
            return Ok(value);
        };
        Ok(match (value, from.word(self.types)) {
            (Value::Word(word), Some(from)) => Value::Word(converted(from, kind, &word)),
            (Value::Bytes(mut bytes), None) if *from == Form::Text => {
                bytes.resize(usize::from(kind.size()), 0);
                Value::Word(number_of(&bytes))
            }
            (value, _) => value,
        })
    }

    fn cast(&mut self, value: Value, from: &Form, to: &Form) -> Result<Value, Stop> {
        if let Form::Composite(Type::Enum(id)) = to {
            let word = word(value)?;
            return match word < IBig::from(self.types.ast[*id].members) && word >= IBig::ZERO {
                true => Ok(Value::Word(word)),
                false => Err(Stop::Fault(Fault::Enum)),
            };
        }
        match (&value, from, to.word(self.types)) {
            (Value::Word(word), Form::Number, Some(kind)) => Ok(Value::Word(wrapped(kind, word))),
            _ => self.converted(value, from, to),
        }
    }

    fn call(
        &mut self,
        function: FunctionId,
        via: Via,
        arguments: &[ExpressionId],
    ) -> Result<Vec<Value>, Stop> {
        let reached = match via {
            Via::Super => self.overridden(function),
            Via::Library | Via::Attached => function,
            _ => self.overriding(function),
        };
        self.invoked(reached, arguments)
    }

    /// Calls exactly this function.
    fn invoked(
        &mut self,
        reached: FunctionId,
        arguments: &[ExpressionId],
    ) -> Result<Vec<Value>, Stop> {
        let values = self.list_for(&self.types.ast[reached].parameters, arguments)?;
        self.invoke(reached, values)
    }

    /// What goes in and out of an external call is a copy.
    pub(super) fn copies(&mut self, values: Vec<Value>) -> Result<Vec<Value>, Stop> {
        let mut copies = Vec::with_capacity(values.len());
        for value in values {
            let whole = self.whole(&value)?;
            copies.push(self.in_memory(whole));
        }
        Ok(copies)
    }

    /// Both operands, in the order of the code generator.
    fn operands(
        &mut self,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<(Value, Value), Stop> {
        match self.run.order {
            Order::LeftFirst => {
                let left = self.evaluate(left)?;
                Ok((left, self.evaluate(right)?))
            }
            Order::RightFirst => {
                let right = self.evaluate(right)?;
                Ok((self.evaluate(left)?, right))
            }
        }
    }

    fn binary(
        &mut self,
        op: BinaryOp,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<Value, Stop> {
        if op.shape() == Shape::Logic {
            let decided = op == BinaryOp::Or;
            let first = self.truth(left)?;
            let truth = match first == decided {
                true => decided,
                false => self.truth(right)?,
            };
            return Ok(Value::Word(IBig::from(u8::from(truth))));
        }
        let (left_form, right_form) = (self.form(left).clone(), self.form(right).clone());
        let (left, right) = self.operands(left, right)?;
        let result = self.operation(op, (left, &left_form), (right, &right_form))?;
        Ok(Value::Word(result))
    }

    /// An operator on values with their types.
    pub(super) fn operation(
        &mut self,
        op: BinaryOp,
        (left, left_form): (Value, &Form),
        (right, right_form): (Value, &Form),
    ) -> Result<IBig, Stop> {
        let together = match op.shape() {
            Shape::Shift => left_form.clone(),
            _ => common(left_form.clone(), right_form.clone()),
        };
        let kind = together.word(self.types).ok_or(UNTYPED)?;
        let left = word(self.converted(left, left_form, &together)?)?;
        let right = match op.shape() {
            Shape::Shift => word(right)?,
            _ => word(self.converted(right, right_form, &together)?)?,
        };
        if op.shape() == Shape::Shift && right < IBig::ZERO {
            return Err(Stop::Unknown("a shift or power by less than zero"));
        }
        let result = self.arithmetic().binary(op, kind, &left, &right);
        if result.is_err() {
            self.operands = Some((kind, left, right));
        }
        result.map_err(Stop::Fault)
    }

    fn unary(&mut self, op: UnaryOp, operand: ExpressionId) -> Result<Value, Stop> {
        if op == UnaryOp::Delete {
            return self.delete(operand);
        }
        let form = self.form(operand).clone();
        let kind = form.word(self.types).ok_or(UNTYPED)?;
        if !op.assigns() {
            let value = word(self.evaluate(operand)?)?;
            let result = self.arithmetic().unary(op, kind, &value);
            return result.map(Value::Word).map_err(Stop::Fault);
        }
        let place = self.place(operand)?;
        let old = word(self.read(&place, operand)?)?;
        let new = self
            .arithmetic()
            .unary(op, kind, &old)
            .map_err(Stop::Fault)?;
        self.write(&place, Value::Word(new.clone()))?;
        let is_post = matches!(op, UnaryOp::PostIncrement | UnaryOp::PostDecrement);
        Ok(Value::Word(if is_post { old } else { new }))
    }

    /// A byte of `bytesN`.
    fn byte_of(
        &mut self,
        base: ExpressionId,
        index: ExpressionId,
        kind: Elementary,
    ) -> Result<Value, Stop> {
        let (value, at) = (word(self.evaluate(base)?)?, word(self.evaluate(index)?)?);
        let size = usize::from(kind.size());
        let at = usize::try_from(&at).ok().filter(|at| *at < size);
        let at = at.ok_or(Stop::Fault(Fault::Index))?;
        let byte = wrapped(Elementary::uint(8), &(value >> (8 * (size - 1 - at))));
        Ok(Value::Word(byte))
    }

    /// `[a, b]`: in memory, and each element has its type.
    fn inline(&mut self, kind: TypeId, elements: &[ExpressionId]) -> Result<Value, Stop> {
        let Type::Array { element, .. } = self.types.ast[kind] else {
            return Err(UNTYPED);
        };
        let to = Form::of(self.types, element);
        let values = self.list(elements, After::Passed)?;
        let mut parts = Vec::with_capacity(values.len());
        for (element, value) in elements.iter().zip(values) {
            let from = self.form(*element).clone();
            let value = self.converted(value, &from, &to)?;
            parts.push(self.memory_part(value)?);
        }
        self.run.heap.push(Value::Parts(parts));
        Ok(Value::Memory(ObjectId(self.run.heap.len() - 1)))
    }

    fn new_array(&mut self, kind: TypeId, length: ExpressionId) -> Result<Value, Stop> {
        let length = word(self.evaluate(length)?)?;
        let length = usize::try_from(&length)
            .ok()
            .filter(|length| *length <= NEW_ELEMENTS);
        let length = length.ok_or(Stop::TooLong)?;
        let whole = match self.types.ast[kind] {
            Type::Array { element, .. } => Value::Parts(vec![self.types.zero(element); length]),
            _ => Value::Bytes(vec![0; length]),
        };
        Ok(self.in_memory(whole))
    }
}

fn one_or_parts(mut values: Vec<Value>) -> Value {
    match values.len() {
        1 => values.remove(0),
        _ => Value::Parts(values),
    }
}

fn known(address: &Option<IBig>) -> Result<Value, Stop> {
    let address = address
        .clone()
        .ok_or(Stop::Unknown("the address of a contract"))?;
    Ok(Value::Word(address))
}

pub(super) fn word(value: Value) -> Result<IBig, Stop> {
    match value {
        Value::Word(word) => Ok(word),
        _ => Err(UNTYPED),
    }
}

fn literal_value(literal: Literal) -> Value {
    match literal {
        Literal::Bool(truth) => Value::Word(IBig::from(u8::from(truth))),
        Literal::Number { value, negative } => {
            let value = IBig::from(value);
            Value::Word(if negative { -value } else { value })
        }
        Literal::Hex { value, .. } => Value::Word(IBig::from(value)),
        Literal::Text(length) => Value::Bytes(letters(length).into()),
        Literal::Address(number) => {
            let digits = address(number).trim_start_matches("0x");
            let number = IBig::from_str_radix(digits, 16);
            Value::Word(number.expect("an address is hexadecimal"))
        }
        Literal::Word {
            digits, negative, ..
        } => {
            let value = IBig::from(number_of_digits(digits));
            Value::Word(if negative { -value } else { value })
        }
    }
}
