//! Making terms and raw s-expressions by hand. New nodes are appended.

use super::script::{
    Attribute, AttributeValue, Binder, Binding, IdentifierId, Literal, MatchCase, NO_OFFSET, Node,
    Script, SexprId, SexprNode, TermId, Variable,
};
use super::symbols::Symbol;
use super::{Range, index};

impl Script {
    pub(crate) fn push_node(&mut self, node: Node, offset: u32) -> TermId {
        let id = TermId(index(self.nodes.len()));
        self.nodes.push(node);
        self.offsets.push(offset);
        id
    }

    pub(crate) fn push_children(&mut self, terms: &[TermId]) -> Range {
        let range = Range::next(self.children.len(), terms.len());
        self.children.extend_from_slice(terms);
        range
    }

    /// A literal; `text` as [`Literal`] says.
    pub fn make_literal(&mut self, literal: Literal, text: &str) -> TermId {
        let text = self.intern(text);
        self.push_node(Node::Literal(literal, text), NO_OFFSET)
    }

    /// A constant, variable or application.
    pub fn make_application(&mut self, head: IdentifierId, arguments: &[TermId]) -> TermId {
        let range = self.push_children(arguments);
        self.push_node(Node::Application(head, range), NO_OFFSET)
    }

    /// An application of a plain name.
    pub fn make_call(&mut self, name: &str, arguments: &[TermId]) -> TermId {
        let symbol = self.intern(name);
        let head = self.plain_identifier(symbol);
        self.make_application(head, arguments)
    }

    /// A term applied to terms.
    pub fn make_apply(&mut self, function: TermId, arguments: &[TermId]) -> TermId {
        let range = self.push_children(arguments);
        self.push_node(Node::Apply(function, range), NO_OFFSET)
    }

    /// A `let`.
    pub fn make_let(&mut self, bindings: &[Binding], body: TermId) -> TermId {
        let range = Range::next(self.bindings.len(), bindings.len());
        self.bindings.extend_from_slice(bindings);
        self.push_node(Node::Let(body, range), NO_OFFSET)
    }

    /// A quantified term, `lambda` or `choice`.
    pub fn make_bind(&mut self, binder: Binder, variables: &[Variable], body: TermId) -> TermId {
        let range = Range::next(self.variables.len(), variables.len());
        self.variables.extend_from_slice(variables);
        self.push_node(Node::Bind(binder, body, range), NO_OFFSET)
    }

    /// A `match`; each case is its head, its variables and its body.
    pub fn make_match(
        &mut self,
        scrutinee: TermId,
        cases: &[(IdentifierId, Vec<Symbol>, TermId)],
    ) -> TermId {
        let range = Range::next(self.cases.len(), cases.len());
        for (head, variables, body) in cases {
            let case = MatchCase {
                head: *head,
                variables: Range::next(self.pattern_variables.len(), variables.len()),
                body: *body,
            };
            self.pattern_variables.extend_from_slice(variables);
            self.cases.push(case);
        }
        self.push_node(Node::Match(scrutinee, range), NO_OFFSET)
    }

    /// An annotated term. The value of a `:pattern` comes from
    /// [`Script::make_pattern`].
    pub fn make_annotated(&mut self, term: TermId, attributes: &[Attribute]) -> TermId {
        let range = Range::next(self.attributes.len(), attributes.len());
        self.attributes.extend_from_slice(attributes);
        self.push_node(Node::Annotated(term, range), NO_OFFSET)
    }

    /// The value of a `:pattern` attribute.
    pub fn make_pattern(&mut self, terms: &[TermId]) -> AttributeValue {
        AttributeValue::Pattern(self.push_children(terms))
    }

    /// The same term with other direct subterms, given in the order of
    /// [`Script::push_subterms`].
    pub fn with_subterms(&mut self, term: TermId, subterms: &[TermId]) -> TermId {
        match self.nodes[term.index()] {
            Node::Literal(..) => term,
            Node::Application(head, _) => self.make_application(head, subterms),
            Node::Apply(..) => self.make_apply(subterms[0], &subterms[1..]),
            Node::Let(_, range) => {
                let old = self.bindings[range.indices()].to_vec();
                let bindings: Vec<Binding> = old
                    .iter()
                    .zip(subterms)
                    .map(|(binding, &term)| Binding { term, ..*binding })
                    .collect();
                self.make_let(&bindings, subterms[bindings.len()])
            }
            Node::Bind(binder, _, range) => {
                self.push_node(Node::Bind(binder, subterms[0], range), NO_OFFSET)
            }
            Node::Match(_, range) => {
                let old = self.cases[range.indices()].to_vec();
                let new = Range::next(self.cases.len(), old.len());
                for (case, &body) in old.iter().zip(&subterms[1..]) {
                    self.cases.push(MatchCase { body, ..*case });
                }
                self.push_node(Node::Match(subterms[0], new), NO_OFFSET)
            }
            Node::Annotated(_, range) => {
                let mut attributes = self.attributes[range.indices()].to_vec();
                let mut rest = &subterms[1..];
                for attribute in &mut attributes {
                    if let AttributeValue::Pattern(pattern) = attribute.value {
                        let (terms, others) = rest.split_at(pattern.len as usize);
                        attribute.value = self.make_pattern(terms);
                        rest = others;
                    }
                }
                self.make_annotated(subterms[0], &attributes)
            }
        }
    }

    /// A raw symbol.
    pub fn make_sexpr_symbol(&mut self, name: &str) -> SexprId {
        let symbol = self.intern(name);
        self.push_sexpr(SexprNode::Symbol(symbol))
    }

    /// A raw list.
    pub fn make_sexpr_list(&mut self, items: &[SexprId]) -> SexprId {
        let range = Range::next(self.sexpr_children.len(), items.len());
        self.sexpr_children.extend_from_slice(items);
        self.push_sexpr(SexprNode::List(range))
    }

    pub(crate) fn push_sexpr(&mut self, node: SexprNode) -> SexprId {
        let id = SexprId(index(self.sexprs.len()));
        self.sexprs.push(node);
        id
    }
}
