//! Forms over containers that no table of signatures can say: tuples, arrays
//! of several indices, tables, relations, and functions lifted over elements.

use super::{Checker, Resolved};
use crate::sort::{Sort, SortKind, Values};
use crate::syntax::{Identifier, Index, Symbol};

/// What holds the rows of a table or relation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    Bag,
    Set,
}

impl Checker<'_> {
    pub(super) fn by_container(
        &mut self,
        name: &str,
        indices: &[Index],
        arguments: &[Sort],
        qualified: Option<Sort>,
    ) -> Option<(Resolved, Sort)> {
        match (name, indices, arguments) {
            ("map", [index], _) => self.map(self.index_symbol(*index)?, arguments),
            ("nullable.lift", [index], _) => self.lift(self.index_symbol(*index)?, arguments),
            ("nullable.lift", [], [function, rest @ ..]) => {
                let elements = self.nullable_elements(rest)?;
                let element = self.call_result(*function, &elements)?;
                let sort = self.nullable(element)?;
                Some((Resolved::Lift, sort))
            }
            ("is", [index], [sort]) => self.list_tester(*index, *sort),
            ("select" | "store" | "const" | "default", [], _) => {
                let sort = self.wide_array(name, arguments, qualified)?;
                Some((Resolved::WideArray, sort))
            }
            ("tuple" | "mkTuple" | "tuple.unit", [], _) => {
                let sort = self.intern_sort(SortKind::Tuple(arguments.into())).ok()?;
                Some((Resolved::Tuple, sort))
            }
            _ if name.starts_with("tup") => {
                let positions = self.positions(indices)?;
                Some((Resolved::Tuple, self.tuple(name, &positions, arguments)?))
            }
            _ if name.starts_with("rel.") || name.starts_with("table.") => {
                let positions = self.positions(indices)?;
                let sort = self.table(name, &positions, arguments)?;
                Some((Resolved::Relation, sort))
            }
            _ => None,
        }
    }

    fn positions(&self, indices: &[Index]) -> Option<Vec<usize>> {
        indices
            .iter()
            .map(|&index| usize::try_from(self.number(index)?).ok())
            .collect()
    }

    /// True if arguments of these sorts may stand for these parameters.
    fn take(&self, formals: &[Sort], actuals: &[Sort]) -> bool {
        formals.len() == actuals.len()
            && formals.iter().zip(actuals).all(|(&formal, &actual)| {
                formal == actual
                    || !self.options.strict && self.typed.sorts.assignable(formal, actual)
            })
    }

    /// z3's arrays of several indices.
    fn wide_array(&self, name: &str, arguments: &[Sort], qualified: Option<Sort>) -> Option<Sort> {
        let (array, rest) = match (qualified, arguments) {
            (Some(sort), _) if name == "const" => (sort, arguments),
            (None, [array, rest @ ..]) => (*array, rest),
            _ => return None,
        };
        let SortKind::WideArray(parts) = self.typed.sorts.kind(array) else {
            return None;
        };
        let (&element, indices) = parts.split_last()?;
        let (formals, result) = match name {
            "select" => (indices, element),
            "store" => (&parts[..], array),
            "const" => (&parts[indices.len()..], array),
            _ => (&[][..], element),
        };
        self.take(formals, rest).then_some(result)
    }

    /// z3's `(_ is nil)` and `(_ is insert)` of its built-in lists.
    fn list_tester(&self, constructor: Index, sort: Sort) -> Option<(Resolved, Sort)> {
        let name = self.script.name(self.index_symbol(constructor)?);
        let is_list = self.typed.sorts.kind(sort).is_called("List");
        (is_list && matches!(name, "nil" | "insert")).then_some((Resolved::List, Sort::BOOL))
    }

    fn tuple(&mut self, name: &str, positions: &[usize], arguments: &[Sort]) -> Option<Sort> {
        let (&tuple, rest) = arguments.split_first()?;
        let SortKind::Tuple(parts) = self.typed.sorts.kind(tuple) else {
            return None;
        };
        match (name, positions, rest) {
            ("tuple.select" | "tupSel" | "tuple_select", [at], []) => parts.get(*at).copied(),
            ("tuple.update" | "tuple_update", [at], [_]) => {
                self.take(&[*parts.get(*at)?], rest).then_some(tuple)
            }
            ("tuple.project" | "tuple_project", _, []) => {
                let kept = projection(parts, positions)?;
                self.intern_sort(SortKind::Tuple(kept.into())).ok()
            }
            _ => None,
        }
    }

    /// The columns of a table (a bag of tuples) or a relation (a set of them).
    fn columns(&self, sort: Sort, rows: Rows) -> Option<&[Sort]> {
        let row = match (self.typed.sorts.kind(sort), rows) {
            (SortKind::Bag(row), Rows::Bag) | (SortKind::Set(row), Rows::Set) => *row,
            _ => return None,
        };
        match self.typed.sorts.kind(row) {
            SortKind::Tuple(columns) => Some(columns),
            _ => None,
        }
    }

    fn rows_of(&mut self, row: Sort, rows: Rows) -> Option<Sort> {
        let kind = match rows {
            Rows::Bag => SortKind::Bag(row),
            Rows::Set => SortKind::Set(row),
        };
        self.intern_sort(kind).ok()
    }

    /// cvc5's tables and relations.
    fn table(&mut self, name: &str, positions: &[usize], arguments: &[Sort]) -> Option<Sort> {
        let rows = match name.starts_with("table.") {
            true => Rows::Bag,
            false => Rows::Set,
        };
        let first = self.columns(*arguments.first()?, rows);
        let second = arguments
            .get(1)
            .and_then(|&table| self.columns(table, rows));
        let columns: Vec<Sort> = match (name, positions, arguments.len(), first, second) {
            ("rel.transpose", [], 1, Some(columns), _) => columns.iter().rev().copied().collect(),
            ("rel.tclosure", [], 1, Some(columns), _) => columns.to_vec(),
            ("rel.iden", [], 1, Some(columns), _) => vec![*columns.first()?; 2],
            ("rel.join_image", [], 2, Some(columns), _) => vec![*columns.first()?],
            ("rel.join", [], 2, Some(left), Some(right)) => {
                let (last, kept) = left.split_last()?;
                let (head, rest) = right.split_first()?;
                if last != head {
                    return None;
                }
                kept.iter().chain(rest).copied().collect()
            }
            ("rel.product" | "table.product", [], 2, Some(left), Some(right)) => {
                left.iter().chain(right).copied().collect()
            }
            ("rel.table_join" | "table.join", _, 2, Some(left), Some(right)) => {
                if !joins(left, right, positions) {
                    return None;
                }
                left.iter().chain(right).copied().collect()
            }
            ("rel.project" | "table.project", _, 1, Some(columns), _) => {
                projection(columns, positions)?
            }
            ("rel.group" | "table.group", _, 1, Some(columns), _) => {
                projection(columns, positions)?;
                return self.rows_of(arguments[0], rows);
            }
            ("rel.aggr" | "table.aggr", _, 3, _, _) => {
                return self.aggregate(positions, arguments, rows);
            }
            _ => return None,
        };
        let row = self.intern_sort(SortKind::Tuple(columns.into())).ok()?;
        self.rows_of(row, rows)
    }

    /// `((_ rel.aggr i …) f start rows)`: `f` folds each group of rows.
    fn aggregate(&mut self, positions: &[usize], arguments: &[Sort], rows: Rows) -> Option<Sort> {
        let &[function, start, table] = arguments else {
            return None;
        };
        projection(self.columns(table, rows)?, positions)?;
        let row = *self.typed.sorts.kind(table).parts().first()?;
        let SortKind::Function(parts) = self.typed.sorts.kind(function) else {
            return None;
        };
        self.take(parts, &[row, start, start]).then_some(())?;
        self.rows_of(start, rows)
    }

    /// z3's `(_ map f)`: `f` on the elements of arrays with the same indices.
    fn map(&mut self, symbol: Symbol, arguments: &[Sort]) -> Option<(Resolved, Sort)> {
        let mut indices: Option<Vec<Sort>> = None;
        let mut elements = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            let parts = match self.typed.sorts.kind(argument) {
                SortKind::Array([from, to]) => vec![*from, *to],
                SortKind::WideArray(parts) => parts.to_vec(),
                _ => return None,
            };
            let (&element, own) = parts.split_last()?;
            if indices.as_ref().is_some_and(|indices| indices != own) {
                return None;
            }
            indices = Some(own.to_vec());
            elements.push(element);
        }
        let element = self.result_on(symbol, &elements)?;
        let kind = match indices?.as_slice() {
            [index] => SortKind::Array([*index, element]),
            indices => {
                let mut parts = indices.to_vec();
                parts.push(element);
                SortKind::WideArray(parts.into())
            }
        };
        Some((Resolved::Map, self.intern_sort(kind).ok()?))
    }

    /// cvc5's `(_ nullable.lift f)`: null if an argument is.
    fn lift(&mut self, symbol: Symbol, arguments: &[Sort]) -> Option<(Resolved, Sort)> {
        let elements = self.nullable_elements(arguments)?;
        let element = self.result_on(symbol, &elements)?;
        let sort = self.nullable(element)?;
        Some((Resolved::Lift, sort))
    }

    fn nullable(&mut self, element: Sort) -> Option<Sort> {
        let values = Values::Opaque("Nullable".into());
        self.typed.sorts.make(&values, &[], &[element])
    }

    fn nullable_elements(&self, arguments: &[Sort]) -> Option<Vec<Sort>> {
        let element = |&argument: &Sort| {
            let kind = self.typed.sorts.kind(argument);
            let element = kind.parts().first().copied();
            element.filter(|_| kind.is_called("Nullable"))
        };
        arguments.iter().map(element).collect()
    }

    /// TIP's `(_ nil Int)`: a function of the script with the sorts for its
    /// sort parameters. Sorts that are more than a name are left open.
    pub(super) fn by_instance(
        &mut self,
        identifier: &Identifier,
        arguments: &[Sort],
    ) -> Option<(Resolved, Sort)> {
        let id = self.function_named(identifier.symbol)?;
        let function = self.typed.function(id).clone();
        let count = identifier.indices.len();
        if self.options.strict || count == 0 || function.sort_parameters != count {
            return None;
        }
        let mut chosen = Vec::with_capacity(count);
        for &index in &identifier.indices {
            chosen.push(match index {
                Index::Symbol(symbol) => {
                    let plain = Identifier {
                        symbol,
                        indices: Box::default(),
                        sort: None,
                    };
                    Some(self.named_sort(&plain, &[]).ok()?)
                }
                Index::Sexpr(_) => Some(Sort::UNKNOWN),
                Index::Numeral(_) | Index::Hexadecimal(_) => return None,
            });
        }
        let sorts = &mut self.typed.sorts;
        let fits = function.parameters.len() == arguments.len()
            && function
                .parameters
                .iter()
                .zip(arguments)
                .all(|(&formal, &actual)| sorts.fit(formal, actual, &mut chosen, true));
        let chosen: Vec<Sort> = chosen.into_iter().flatten().collect();
        let result = sorts.substitute(function.result, &chosen)?;
        fits.then_some((Resolved::Function(id), result))
    }

    /// What the function or operator of this name gives on these arguments.
    fn result_on(&mut self, symbol: Symbol, arguments: &[Sort]) -> Option<Sort> {
        let plain = Identifier {
            symbol,
            indices: Box::default(),
            sort: None,
        };
        let (_, sort) = self
            .by_function(&plain, arguments, None)
            .or_else(|| self.by_operator(&plain, arguments, None))?;
        Some(sort)
    }
}

fn projection(columns: &[Sort], positions: &[usize]) -> Option<Vec<Sort>> {
    positions
        .iter()
        .map(|&at| columns.get(at).copied())
        .collect()
}

/// Positions come in pairs: a column of the left and one of the right that
/// must be equal.
fn joins(left: &[Sort], right: &[Sort], positions: &[usize]) -> bool {
    positions.len().is_multiple_of(2)
        && positions.chunks(2).all(|pair| {
            let columns = (left.get(pair[0]), right.get(pair[1]));
            columns.0.is_some() && columns.0 == columns.1
        })
}
