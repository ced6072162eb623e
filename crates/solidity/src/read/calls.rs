//! Calls: of functions, types, and what the language offers.

use dashu_int::IBig;

use super::Unread;
use super::declare::{NAMELESS, Named, Reader};
use super::resolve::{constant, is_elementary, kind_of, path_of};
use super::tree::{Kind, Tree};
use crate::ast::{
    ContractId, ContractKind, Encoding, Environment, Expression, ExpressionId, FunctionId, Type,
    TypeId, Via,
};
use crate::generate::Stage;
use crate::types::{Elementary, Family};
use crate::typing::Form;

const ENCODINGS: [(&str, Encoding); 4] = [
    ("encode", Encoding::Plain),
    ("encodePacked", Encoding::Packed),
    ("encodeWithSelector", Encoding::WithSelector),
    ("encodeWithSignature", Encoding::WithSignature),
];

impl Reader {
    pub(super) fn call(
        &mut self,
        callee: &Tree,
        arguments: &[Tree],
    ) -> Result<ExpressionId, Unread> {
        match callee {
            Tree::New(kind) => return self.created(kind, arguments),
            Tree::Member(base, name) => return self.call_member(base, name, arguments),
            callee if is_elementary(callee) => {
                let kind = kind_of(callee).ok_or(NAMELESS)?;
                let kind = self.kind(&kind)?;
                return self.cast(kind, arguments);
            }
            _ => {}
        }
        let Tree::Name(name) = callee else {
            return Err(Unread("a call of another kind"));
        };
        if self.is_local(name) {
            return Err(Unread("a call of a variable"));
        }
        match (name.as_str(), arguments) {
            ("keccak256", [data]) => {
                let data = self.expression(data)?;
                return Ok(self.stage.add(Expression::Keccak(data)));
            }
            ("sha256" | "ripemd160", [_]) => {
                let operands = self.expressions(arguments)?;
                return self.intrinsic(&format!("{name}($)"), operands);
            }
            ("addmod" | "mulmod", [_, _, _]) => {
                let operands = self.expressions(arguments)?;
                return self.intrinsic(&format!("{name}($, $, $)"), operands);
            }
            _ => {}
        }
        let found = self.look_up(std::slice::from_ref(name))?;
        self.call_named(&found, Via::Name, arguments)
    }

    /// A call of what a name stands for.
    fn call_named(
        &mut self,
        found: &[Named],
        via: Via,
        arguments: &[Tree],
    ) -> Result<ExpressionId, Unread> {
        match found.first() {
            Some(Named::Struct(id)) => {
                let id = *id;
                let fields = self.stage.ast[id].fields.iter();
                let kinds: Vec<TypeId> = fields.map(|at| self.stage.ast[*at].kind).collect();
                if kinds.len() != arguments.len() {
                    return Err(Unread("a struct with mappings"));
                }
                let arguments = self.expressions(arguments)?;
                Ok(self.stage.add(Expression::Struct { id, arguments }))
            }
            Some(Named::Enum(id)) => {
                let kind = self.stage.ast.add_type(Type::Enum(*id));
                self.cast(kind, arguments)
            }
            Some(Named::Contract(id)) => {
                let kind = self.stage.ast.add_type(Type::Contract(*id));
                self.cast(kind, arguments)
            }
            Some(Named::Function(_)) => {
                let arguments = self.expressions(arguments)?;
                let function = self.chosen(found, &arguments)?;
                Ok(self.stage.add(Expression::Call {
                    function,
                    via,
                    arguments,
                }))
            }
            _ => Err(Unread("a call of another kind")),
        }
    }

    /// The one function among those of its name that takes the arguments.
    fn chosen(
        &mut self,
        found: &[Named],
        arguments: &[ExpressionId],
    ) -> Result<FunctionId, Unread> {
        let mut functions: Vec<FunctionId> = Vec::new();
        for named in found {
            let Named::Function(id) = *named else {
                continue;
            };
            let name = self.stage.ast[id].name;
            // The nearest hides those that it overrides.
            let hidden = functions
                .iter()
                .any(|other| self.stage.ast[*other].name == name);
            if !hidden && self.stage.ast[id].parameters.len() == arguments.len() {
                functions.push(id);
            }
        }
        if functions.len() > 1 {
            let forms: Vec<Form> = arguments.iter().map(|id| self.form(*id)).collect();
            functions.retain(|id| {
                let types = self.stage.types();
                let parameters = types.ast[*id].parameters.iter();
                let mut pairs = parameters.zip(&forms);
                pairs.all(|(id, form)| Form::of(types, types.ast[*id].kind) == *form)
            });
        }
        match functions[..] {
            [only] => Ok(only),
            _ => Err(Unread("a function among several of its name")),
        }
    }

    fn cast(&mut self, kind: TypeId, arguments: &[Tree]) -> Result<ExpressionId, Unread> {
        let [operand] = arguments else {
            return Err(Unread("a conversion of several values"));
        };
        if matches!(operand, Tree::Name(name) if name == "this") {
            let this = Expression::Environment(Environment::This);
            return Ok(self.stage.add(this));
        }
        let target = Form::of(self.stage.types(), kind);
        if let (Some(number), Form::Elementary(elementary)) = (constant(operand), &target) {
            return self.cast_number(*elementary, &number);
        }
        let operand = self.expression(operand)?;
        let source = self.form(operand);
        let is_text = |form: &Form| {
            *form == Form::Text || matches!(form, Form::Elementary(kind) if kind.is_reference())
        };
        // Of bytes some are cut off.
        if is_text(&source) && !is_text(&target) {
            return Err(Unread("a conversion of bytes to words"));
        }
        Ok(self.stage.add(Expression::Cast { kind, operand }))
    }

    fn cast_number(&mut self, kind: Elementary, number: &IBig) -> Result<ExpressionId, Unread> {
        match kind.family() {
            Family::Uint | Family::Int | Family::Address | Family::FixedBytes
                if crate::interpret::holds(kind, number) =>
            {
                Ok(self.stage.word(kind, number))
            }
            _ => Err(Unread("a number that its type does not hold")),
        }
    }

    fn created(&mut self, kind: &Kind, arguments: &[Tree]) -> Result<ExpressionId, Unread> {
        let kind = self.kind(kind)?;
        let arguments = self.expressions(arguments)?;
        let made = match (self.stage.ast[kind], &arguments[..]) {
            (Type::Contract(contract), _) => Expression::New {
                contract,
                arguments,
            },
            (_, [length]) => Expression::NewArray {
                kind,
                length: *length,
            },
            _ => return Err(Unread("an array of several lengths")),
        };
        Ok(self.stage.add(made))
    }

    fn call_member(
        &mut self,
        base: &Tree,
        name: &str,
        arguments: &[Tree],
    ) -> Result<ExpressionId, Unread> {
        if let Some(path) = path_of(base)
            && !self.is_local(&path[0])
            && let Some(called) = self.call_path(&path, name, arguments)?
        {
            return Ok(called);
        }
        let base = self.expression(base)?;
        let form = self.form(base);
        match (&form, name, arguments) {
            (Form::Composite(Type::Contract(contract)), ..) => {
                self.call_outside(*contract, Via::On(base), name, arguments)
            }
            (
                Form::Composite(Type::Array { .. }) | Form::Elementary(Elementary::BYTES),
                "push",
                [value],
            ) => {
                let value = self.expression(value)?;
                let array = base;
                Ok(self.stage.add(Expression::Push { array, value }))
            }
            (
                Form::Composite(Type::Array { .. }) | Form::Elementary(Elementary::BYTES),
                "push",
                [],
            ) => Ok(self.stage.add(Expression::Grow(base))),
            (
                Form::Composite(Type::Array { .. }) | Form::Elementary(Elementary::BYTES),
                "pop",
                [],
            ) => Ok(self.stage.add(Expression::Pop(base))),
            _ => self.attached(base, name, arguments),
        }
    }

    /// `x.f(…)` of a library that is used here.
    fn attached(
        &mut self,
        base: ExpressionId,
        name: &str,
        arguments: &[Tree],
    ) -> Result<ExpressionId, Unread> {
        let contract = self.contract.ok_or(NAMELESS)?;
        let libraries = self.stage.ast[contract].using.clone();
        let mut found = Vec::new();
        for library in libraries {
            found.extend(self.members_of(library, name));
        }
        let mut all = vec![base];
        all.extend(self.expressions(arguments)?);
        let function = self.chosen(&found, &all)?;
        Ok(self.stage.add(Expression::Call {
            function,
            via: Via::Attached,
            arguments: all,
        }))
    }

    fn members_of(&self, contract: ContractId, name: &str) -> Vec<Named> {
        let line = self.stage.ast.lineage(contract);
        let members = line.into_iter().flat_map(|at| self.own_of(at, name));
        members.collect()
    }

    /// `this.f(…)` and the like.
    fn call_outside(
        &mut self,
        contract: ContractId,
        via: Via,
        name: &str,
        arguments: &[Tree],
    ) -> Result<ExpressionId, Unread> {
        let found = self.members_of(contract, name);
        match found.first().and_then(|named| self.outside(named)) {
            Some(Ok(_)) => self.call_named(&found, via, arguments),
            Some(Err(variable)) => {
                let arguments = self.expressions(arguments)?;
                Ok(self.stage.add(Expression::Getter {
                    variable,
                    via,
                    arguments,
                }))
            }
            None => Err(NAMELESS),
        }
    }

    /// A call behind a name that is no value.
    fn call_path(
        &mut self,
        path: &[String],
        name: &str,
        arguments: &[Tree],
    ) -> Result<Option<ExpressionId>, Unread> {
        if let [base] = path {
            match base.as_str() {
                "abi" => return self.coded(name, arguments).map(Some),
                "super" => {
                    let contract = self.contract.ok_or(NAMELESS)?;
                    let found = self.members_of(contract, name);
                    return self.call_named(&found, Via::Super, arguments).map(Some);
                }
                "this" => {
                    let contract = self.contract.ok_or(NAMELESS)?;
                    return self
                        .call_outside(contract, Via::This, name, arguments)
                        .map(Some);
                }
                "bytes" | "string" if name == "concat" => {
                    let strings = base == "string";
                    let parts = self.expressions(arguments)?;
                    return Ok(Some(self.stage.add(Expression::Concat { strings, parts })));
                }
                _ => {}
            }
        }
        let Ok(found) = self.look_up(path) else {
            return Ok(None);
        };
        match found.first() {
            Some(Named::Contract(contract)) => {
                let found = self.members_of(*contract, name);
                let is_open = found.iter().any(|named| self.is_linked(*contract, *named));
                match is_open {
                    true => Err(Unread("a library with code of its own")),
                    false => self.call_named(&found, Via::Library, arguments).map(Some),
                }
            }
            Some(Named::ValueType(id)) => {
                let [operand] = arguments else {
                    return Err(NAMELESS);
                };
                let operand = self.expression(operand)?;
                Ok(Some(self.stage.add(match name {
                    "wrap" => Expression::Wrap(*id, operand),
                    _ => Expression::Unwrap(*id, operand),
                })))
            }
            _ => Ok(None),
        }
    }

    /// True for a function of a library that others call at its address.
    fn is_linked(&self, contract: ContractId, named: Named) -> bool {
        let Named::Function(id) = named else {
            return false;
        };
        let visibility = self.stage.ast[id].visibility;
        let internal = Stage::visibility(crate::types::Visibility::Internal);
        let private = Stage::visibility(crate::types::Visibility::Private);
        self.stage.ast[contract].kind == ContractKind::Library
            && visibility != Some(internal)
            && visibility != Some(private)
    }

    /// `abi.encode(…)` and the like; numbers are encoded as words.
    fn coded(&mut self, name: &str, arguments: &[Tree]) -> Result<ExpressionId, Unread> {
        if let ("decode", [data, kinds]) = (name, arguments) {
            let data = self.expression(data)?;
            let kinds = match kinds {
                Tree::Tuple(kinds) => kinds.iter().map(|kind| kind.as_ref().and_then(kind_of)),
                _ => return Err(NAMELESS),
            };
            let kinds: Option<Vec<Kind>> = kinds.collect();
            let kinds = kinds.ok_or(NAMELESS)?;
            let kinds = kinds.iter().map(|kind| self.kind(kind));
            let kinds = kinds.collect::<Result<_, Unread>>()?;
            return Ok(self.stage.add(Expression::Decode { data, kinds }));
        }
        let encoding = ENCODINGS.iter().find(|(known, _)| *known == name);
        let (_, encoding) = encoding.ok_or(Unread("an encoding of another kind"))?;
        let mut parts = Vec::new();
        for argument in arguments {
            parts.push(match constant(argument) {
                Some(number) if number < IBig::ZERO => {
                    self.stage.word(Elementary::int(256), &number)
                }
                Some(number) => self.stage.word(Elementary::UINT256, &number),
                None => self.expression(argument)?,
            });
        }
        Ok(self.stage.add(Expression::Encode(*encoding, parts)))
    }
}
