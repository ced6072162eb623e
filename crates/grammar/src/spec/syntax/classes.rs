//! Classes: their attributes, productions and rules. The rest of [`super::parser`].

use super::lexer::TokenKind;
use super::parser::ITEMS;
use super::templates;
use super::{
    Annotation, AttributeItem, AttributeKind, ClassBody, ClassItem, Name, Parser, Piece,
    ProductionItem, RuleItem,
};
use crate::spec::source::Problem;

impl Parser<'_> {
    pub(super) fn class(
        &mut self,
        doc: String,
        annotations: Vec<Annotation>,
    ) -> Result<ClassItem, Problem> {
        let name = self.capital("a class")?;
        let body = if self.take("(") {
            let span = self.peek().span;
            let text = templates::plain(self)?;
            self.mark(")")?;
            self.mark(";")?;
            ClassBody::Literal(Name { text, span })
        } else if self.take("=") {
            let mut texts = vec![self.plain_text()?];
            while self.take(",") {
                texts.push(self.plain_text()?);
            }
            if self.at("|") {
                return Err(self.expected("`,` between texts, or `;`"));
            }
            self.mark(";")?;
            ClassBody::Texts(texts)
        } else {
            self.mark("{")?;
            self.members()?
        };
        Ok(ClassItem {
            doc,
            annotations,
            name,
            body,
        })
    }

    fn members(&mut self) -> Result<ClassBody, Problem> {
        let (mut attributes, mut productions) = (Vec::new(), Vec::new());
        let mut without = Vec::new();
        while !self.take("}") {
            let doc = self.doc(self.peek().span);
            if self.peek_word() == Some("without") && self.peek_second().kind == TokenKind::Name {
                self.advance();
                without.extend(self.list(";", |parser| parser.small("a production"))?);
                continue;
            }
            let kind = match self.peek_word() {
                Some("inh") => Some(AttributeKind::Inherited),
                Some("syn") => Some(AttributeKind::Synthesized),
                Some("grd") => Some(AttributeKind::Guard),
                _ => None,
            };
            match kind {
                Some(kind) if self.peek_second().kind == TokenKind::Name => {
                    attributes.push(self.attribute(kind)?);
                }
                _ => productions.push(self.production(doc)?),
            }
        }
        Ok(ClassBody::Members {
            attributes,
            productions,
            without,
        })
    }

    fn attribute(&mut self, kind: AttributeKind) -> Result<AttributeItem, Problem> {
        self.advance();
        let name = self.small("an attribute")?;
        let type_text = match kind {
            AttributeKind::Guard => None,
            _ => {
                self.mark(":")?;
                Some(self.type_text()?)
            }
        };
        self.mark(";")?;
        Ok(AttributeItem {
            kind,
            name,
            type_text,
        })
    }

    fn production(&mut self, doc: String) -> Result<ProductionItem, Problem> {
        let annotations = self.annotations()?;
        let item = self.peek_word().is_some_and(|word| ITEMS.contains(&word));
        if item && self.peek_second().kind == TokenKind::Name {
            return Err(self.expected("`}` that ends the class above"));
        }
        if self.peek().kind == TokenKind::Text {
            let what = "a production, which has a name (`name(\"text\") {}`)";
            return Err(self.expected(what));
        }
        let name = self.small("an attribute, a production or `}`")?;
        self.mark("(")?;
        let generator = match self.peek().kind {
            TokenKind::Text => None,
            _ => Some(self.expr()?),
        };
        let has_template = generator.is_none() || self.take(",");
        let template = match has_template {
            true => templates::template(self)?,
            false => Vec::new(),
        };
        self.mark(")")?;
        let value_type = match self.take(":") {
            true => Some(self.type_text()?),
            false => None,
        };
        if !self.at("{") {
            let what = "`{`: a production ends with its rules, or with `{}`";
            return Err(self.expected(what));
        }
        self.advance();
        let (mut rules, mut texts) = (Vec::new(), Vec::new());
        while !self.take("}") {
            let further = self.peek_word() == Some("text");
            match further && self.peek_second().kind == TokenKind::Name {
                true => texts.push(self.further_text()?),
                false => rules.push(self.rule()?),
            }
        }
        Ok(ProductionItem {
            doc,
            annotations,
            name,
            generator,
            template,
            has_template,
            value_type,
            rules,
            texts,
        })
    }

    /// `text NAME = "…";`
    fn further_text(&mut self) -> Result<(Name, Vec<Piece>), Problem> {
        self.advance();
        let name = self.small_word("the name of a text")?;
        self.mark("=")?;
        let pieces = templates::further(self)?;
        self.mark(";")?;
        Ok((name, pieces))
    }

    fn rule(&mut self) -> Result<RuleItem, Problem> {
        let local = self.peek_word() == Some("loc");
        let (owner, name) = if local && self.peek_second().kind == TokenKind::Name {
            self.advance();
            (None, self.small_word("a local name")?)
        } else {
            let owner = self.name("a rule (`this.attribute = …;`) or `}`")?;
            self.mark(".")?;
            (Some(owner), self.small("an attribute")?)
        };
        self.mark("=")?;
        let body = self.expr()?;
        self.mark(";")?;
        Ok(RuleItem { owner, name, body })
    }
}
