//! What a compiler asks of the qualifiers of a program: the rules T-*, S-*
//! and V-* of the paper's appendix, and those of mutability.
//!
//! Every expression of an elementary type has a placeholder for its type, and
//! every one of a reference type one for its location. Which type and location
//! that is, `crate::typing` says; the rule of an operator ties those of its
//! operands together. The arenas of the program
//! are walked in order, so operands have theirs before operators.
//!
//! Where the paper is silent or differs from the compiler:
//! - S-Cond lets the arms of a conditional meet in memory from anywhere. The
//!   compiler wants one arm's location to flow to the other's: storage and
//!   calldata have no common type. The same holds for types (T-Cond).
//! - S-Ident pushes `S < S_v` for the use of a variable; a use is where the
//!   variable is, so here it is `=`.
//! - Mutability is a matter of locations too: reading through a storage
//!   pointer needs `view`, the same program with a memory pointer is `pure`.
//!   Hence `Reads` and `Writes`. Copying a whole value out of a storage
//!   pointer needs nothing, as the compiler has it.
//! - The paper keeps functions that use state variables from being `view`;
//!   the compiler only those that change them.
//! - Storage locations and visibilities are tied: a storage pointer is no
//!   parameter of a public function.

mod abi;
mod calls;
mod data;
mod declarations;
mod environment;
mod expressions;
mod operators;
mod statements;

use crate::ast::{
    Ast, ContractId, ContractKind, ExpressionId, FunctionId, Invocation, Owner, Type, TypeId,
};
use crate::qualify::{ConstraintSet, Kind, Level, Placeholder, Relation};
use crate::types::{Domain, Elementary, Location, Mutability, REFERENCES, SEQUENCES};
use crate::version::{Dialect, Feature};

/// The whole constraint set of a program. `declared` has the placeholders of
/// its declarations with their first codomains.
pub fn constraints(ast: &Ast, dialect: &Dialect, declared: &ConstraintSet) -> ConstraintSet {
    let mut rules = Rules {
        ast,
        dialect,
        set: declared.clone(),
        typed: Vec::with_capacity(ast.expressions.len()),
    };
    rules.declarations();
    for number in 0..ast.expressions.len() {
        let typed = rules.expression(ExpressionId(number as u32));
        rules.typed.push(typed);
    }
    rules.statements();
    rules.invocations();
    rules.set
}

/// What is known of an expression.
#[derive(Clone, Copy, Debug)]
struct Typed {
    form: Form,
    /// Where its data lives, if it is of a reference type.
    location: Option<Placeholder>,
    /// A number without a type of its own.
    is_literal: bool,
    /// It stands for a place in storage, or inside of something, and not for
    /// a pointer: assigning to it copies.
    is_place: bool,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Elementary(Placeholder),
    /// Any other type.
    Composite(Type),
    /// No value, or several.
    Nothing,
}

const NOTHING: Typed = Typed {
    form: Form::Nothing,
    location: None,
    is_literal: false,
    is_place: false,
};

const WRITING: Domain = Mutability::Payable.bit() | Mutability::NonPayable.bit();
const READING: Domain = WRITING | Mutability::View.bit();
const WRITABLE: Domain = Location::Memory.bit() | Location::Storage.bit();

struct Rules<'a> {
    ast: &'a Ast,
    dialect: &'a Dialect,
    set: ConstraintSet,
    typed: Vec<Typed>,
}

impl Rules<'_> {
    fn of(&self, id: ExpressionId) -> Typed {
        self.typed[id.0 as usize]
    }

    /// True if whatever is left for a placeholder is one of a set.
    fn within(&self, placeholder: Placeholder, domain: Domain) -> bool {
        self.set.domain(placeholder) & !domain == 0
    }

    /// A placeholder for the type of an expression.
    fn fresh(&mut self, domain: Domain) -> Placeholder {
        self.set.add(Kind::Type, Level::Expression, domain)
    }

    /// An expression of an elementary type without a location.
    fn elementary(&mut self, domain: Domain) -> Typed {
        Typed {
            form: Form::Elementary(self.fresh(domain)),
            ..NOTHING
        }
    }

    /// An expression whose data is in a known place.
    fn located(&mut self, location: Location) -> Option<Placeholder> {
        let placeholder = self
            .set
            .add(Kind::Location, Level::Expression, location.bit());
        Some(placeholder)
    }

    /// The use of something of this type (T-Ident); `location` is where its
    /// data is, if it has one (S-Ident).
    fn use_of(&mut self, kind: TypeId, location: Option<Placeholder>) -> Typed {
        let form = match self.ast[kind] {
            Type::Elementary(own) => {
                let used = self.fresh(self.set.domain(own));
                self.set.equate(own, used);
                Form::Elementary(used)
            }
            other => Form::Composite(other),
        };
        let location = location.filter(|_| self.is_reference(form)).map(|own| {
            let domain = self.set.domain(own);
            let used = self.set.add(Kind::Location, Level::Expression, domain);
            self.set.equate(own, used);
            used
        });
        Typed {
            form,
            location,
            ..NOTHING
        }
    }

    fn is_reference(&self, form: Form) -> bool {
        match form {
            Form::Elementary(own) => self.set.domain(own) & !REFERENCES == 0,
            Form::Composite(kind) => kind.is_reference(),
            Form::Nothing => false,
        }
    }

    /// Keeps the type of an expression within `domain`.
    fn restrict(&mut self, id: ExpressionId, domain: Domain) {
        if let Form::Elementary(own) = self.of(id).form {
            self.set.restrict(own, domain);
        }
    }

    /// `value` converts to a declared type (T-Assign, T-Apply).
    fn converts(&mut self, value: ExpressionId, to: TypeId) {
        self.converts_typed(self.of(value), to);
    }

    fn converts_typed(&mut self, value: Typed, to: TypeId) {
        match (value.form, self.ast[to]) {
            (Form::Elementary(from), Type::Elementary(to)) => {
                self.set.relate(Relation::Converts, from, to);
            }
            (Form::Composite(from), to) => self.same(from, to, false),
            _ => {}
        }
    }

    /// The value converts to a type that is given.
    fn converts_to(&mut self, value: ExpressionId, kind: Elementary) {
        if let Form::Elementary(from) = self.of(value).form {
            let to = self.fresh(kind.bit());
            self.set.relate(Relation::Converts, from, to);
        }
    }

    /// `value` is handed to a variable with a location of its own (S-Assign,
    /// S-Apply).
    fn flows(&mut self, value: ExpressionId, to: Option<Placeholder>) {
        self.flows_typed(self.of(value), to);
    }

    fn flows_typed(&mut self, value: Typed, to: Option<Placeholder>) {
        if let (Some(from), Some(to)) = (value.location, to) {
            let relation = match self.stays_in_calldata(value.form) {
                true => Relation::FlowsUncopied,
                false => Relation::Flows,
            };
            self.set.relate(relation, from, to);
        }
    }

    /// `value` is assigned to a place in storage or memory, and copied there.
    fn copied_to(&mut self, value: Typed, to: Typed) {
        let stored = to
            .location
            .is_some_and(|location| self.set.domain(location) == Location::Storage.bit());
        let is_struct = matches!(value.form, Form::Composite(Type::Struct(_)));
        // Storage takes structs out of calldata earlier than memory does.
        if !(stored && is_struct && self.dialect.has(Feature::DynamicStructStores)) {
            self.copied(value);
        }
    }

    /// `value` is copied to where it is put, wherever that is.
    fn copied(&mut self, value: Typed) {
        if let Some(from) = value.location
            && self.stays_in_calldata(value.form)
        {
            self.set.restrict(from, WRITABLE);
        }
    }

    /// True if this version cannot copy such a value out of calldata.
    fn stays_in_calldata(&self, form: Form) -> bool {
        let Form::Composite(kind) = form else {
            return false;
        };
        let is_sequence = |own| self.set.domain(own) & !SEQUENCES == 0;
        let needed = self.ast.copied_by(kind, is_sequence);
        needed.is_some_and(|needed| !self.dialect.has(needed))
    }

    /// Two composite types are the same; or, if `copied` into storage, the
    /// elements of one convert to those of the other.
    fn same(&mut self, from: Type, to: Type, copied: bool) {
        let mut pairs = vec![(from, to, copied)];
        while let Some(pair) = pairs.pop() {
            match pair {
                (Type::Elementary(from), Type::Elementary(to), true) => {
                    self.set.relate(Relation::Converts, from, to);
                }
                (Type::Elementary(from), Type::Elementary(to), false) => {
                    self.set.equate(from, to);
                }
                (Type::Array { element: from, .. }, Type::Array { element: to, .. }, copied) => {
                    pairs.push((self.ast[from], self.ast[to], copied));
                }
                (
                    Type::Mapping { key, value },
                    Type::Mapping {
                        key: to_key,
                        value: to_value,
                    },
                    _,
                ) => {
                    pairs.push((self.ast[key], self.ast[to_key], false));
                    pairs.push((self.ast[value], self.ast[to_value], false));
                }
                (Type::Function(from), Type::Function(to), _) if from != to => {
                    let kinds = self.becomes(from, to).into_iter();
                    pairs.extend(kinds.map(|(from, to)| (from, to, false)));
                }
                _ => {}
            }
        }
    }

    fn is_library(&self, contract: ContractId) -> bool {
        self.ast[contract].kind == ContractKind::Library
    }

    /// The mutabilities that an owner's code has to do with: its own, or
    /// those of all functions that a modifier stands at.
    fn mutabilities(&self, owner: Owner) -> Vec<Placeholder> {
        let functions = self.functions(owner).into_iter();
        functions
            .filter_map(|function| self.ast[function].mutability)
            .collect()
    }

    /// The function that code stands in, or all that a modifier stands at.
    fn functions(&self, owner: Owner) -> Vec<FunctionId> {
        match owner {
            Owner::Function(function) => vec![function],
            Owner::Modifier(modifier) => {
                let all = (0..self.ast.functions.len() as u32).map(FunctionId);
                let invoking = all.filter(|&function| {
                    let mut invoked = self.ast[function].modifiers.iter();
                    invoked.any(|(one, _)| *one == Invocation::Modifier(modifier))
                });
                invoking.collect()
            }
            Owner::Initializer => Vec::new(),
        }
    }

    /// The code of `owner` does something that not every mutability allows.
    fn needs(&mut self, owner: Owner, allowed: Domain) {
        for mutability in self.mutabilities(owner) {
            self.set.restrict(mutability, allowed);
        }
    }

    /// The code of `owner` reads or writes through a location.
    fn through(&mut self, owner: Owner, location: Option<Placeholder>, relation: Relation) {
        let Some(location) = location else { return };
        let domain = self.set.domain(location);
        if domain == Location::Storage.bit() {
            let allowed = match relation {
                Relation::Writes => WRITING,
                _ => READING,
            };
            self.needs(owner, allowed);
        } else if domain & Location::Storage.bit() != 0 {
            for mutability in self.mutabilities(owner) {
                self.set.relate(relation, location, mutability);
            }
        }
    }
}
