//! From tokens to items. Classes, expressions and texts have files of their own.

use lydite_core::nearest::nearest;

use super::expressions::KEYWORDS;
use super::lexer::{Token, TokenKind, tokens};
use super::templates;
use super::{
    Annotation, File, FunctionItem, KnobItem, KnobValue, MAX_DEPTH, Name, Reference, TypeItem,
    TypeKind, TypeText,
};
use crate::spec::source::{Problem, Span};

/// The words that items begin with.
pub(super) const ITEMS: [&str; 12] = [
    "language", "extension", "comment", "height", "extends", "use", "knob", "alias", "type",
    "record", "fn", "class",
];

/// The longest ending of a file.
const MAX_EXTENSION: usize = 16;

/// Reads one file.
pub(crate) fn parse(text: &str, file: u16) -> Result<File, Problem> {
    let all = tokens(text, file, 0, text.len())?;
    let mut parser = Parser::new(text, &all);
    let mut file = File {
        doc: parser.file_doc(&all),
        ..File::default()
    };
    while parser.peek().kind != TokenKind::End {
        parser.item(&mut file)?;
    }
    Ok(file)
}

pub(crate) struct Parser<'a> {
    pub(super) text: &'a str,
    /// Without comments.
    tokens: Vec<Token>,
    /// Comments that document: those with two `#`.
    docs: Vec<Span>,
    next: usize,
    pub(super) depth: usize,
    /// What the end of the tokens is called.
    pub(super) end: &'static str,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(text: &'a str, all: &[Token]) -> Parser<'a> {
        let is_comment = |token: &&Token| token.kind == TokenKind::Comment;
        let docs = all.iter().filter(is_comment).map(|token| token.span);
        let docs = docs.filter(|span| text[span.start as usize..].starts_with("##"));
        Parser {
            text,
            tokens: all.iter().filter(|t| !is_comment(t)).copied().collect(),
            docs: docs.collect(),
            next: 0,
            depth: 0,
            end: "the end of the file",
        }
    }

    pub(super) fn peek(&self) -> Token {
        self.tokens[self.next]
    }

    /// The token after the next one.
    pub(super) fn peek_second(&self) -> Token {
        self.tokens[(self.next + 1).min(self.tokens.len() - 1)]
    }

    pub(super) fn words(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(super) fn peek_word(&self) -> Option<&'a str> {
        let token = self.peek();
        (token.kind == TokenKind::Name).then(|| self.words(token.span))
    }

    /// The end stays where it is: nothing comes after it.
    pub(super) fn advance(&mut self) -> Token {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    /// Where the last token read is.
    pub(super) fn last(&self) -> Span {
        self.tokens[self.next.saturating_sub(1)].span
    }

    pub(super) fn at(&self, mark: &str) -> bool {
        matches!(self.peek().kind, TokenKind::Mark(found) if found == mark)
    }

    pub(super) fn take(&mut self, mark: &str) -> bool {
        let found = self.at(mark);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expected(&self, what: &str) -> Problem {
        let token = self.peek();
        let found = match token.kind {
            TokenKind::End => self.end.to_string(),
            TokenKind::Text => "a text".to_string(),
            _ => format!("`{}`", self.words(token.span)),
        };
        Problem::error(token.span, format!("expected {what}, found {found}"))
    }

    pub(super) fn mark(&mut self, mark: &str) -> Result<Span, Problem> {
        match self.at(mark) {
            true => Ok(self.advance().span),
            false => Err(self.expected(&format!("`{mark}`"))),
        }
    }

    pub(super) fn word(&mut self, word: &str) -> Result<(), Problem> {
        match self.take_word(word) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{word}`"))),
        }
    }

    pub(super) fn name(&mut self, what: &str) -> Result<Name, Problem> {
        let token = self.peek();
        match token.kind {
            TokenKind::Name if self.words(token.span) != "$" => {
                self.advance();
                let text = self.words(token.span).to_string();
                let span = token.span;
                Ok(Name { text, span })
            }
            _ => Err(self.expected(what)),
        }
    }

    /// A name that begins with a capital letter, as types, their variants and
    /// classes do.
    pub(super) fn capital(&mut self, what: &str) -> Result<Name, Problem> {
        let name = self.name(what)?;
        match name.text.starts_with(|c: char| c.is_ascii_uppercase()) {
            true => Ok(name),
            false => Err(Problem::error(
                name.span,
                format!("{what} begins with a capital letter"),
            )),
        }
    }

    /// A name that does not, as everything else.
    pub(super) fn small(&mut self, what: &str) -> Result<Name, Problem> {
        small(self.name(what)?, what)
    }

    /// A small name that stands by itself in expressions.
    pub(super) fn small_word(&mut self, what: &str) -> Result<Name, Problem> {
        small(self.own_word(what)?, what)
    }

    /// A name that is no word of the language.
    pub(super) fn own_word(&mut self, what: &str) -> Result<Name, Problem> {
        let name = self.name(what)?;
        match KEYWORDS.contains(&name.text.as_str()) {
            false => Ok(name),
            true => Err(Problem::error(
                name.span,
                format!("`{}` is a word of the language", name.text),
            )),
        }
    }

    /// Counts one level of nesting for the time of `read`.
    pub(super) fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.depth >= MAX_DEPTH {
            let problem = format!("nested more than {MAX_DEPTH} deep");
            return Err(Problem::error(self.peek().span, problem));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// What is in between, separated by commas, up to `end`.
    pub(super) fn list<T>(
        &mut self,
        end: &str,
        mut read: impl FnMut(&mut Self) -> Result<T, Problem>,
    ) -> Result<Vec<T>, Problem> {
        let mut all = Vec::new();
        while !self.take(end) {
            all.push(read(self)?);
            if !self.at(end) {
                match self.at(",") {
                    true => self.advance(),
                    false => return Err(self.expected(&format!("`,` or `{end}`"))),
                };
            }
        }
        Ok(all)
    }

    /// The lines with two `#` right above `span`.
    pub(super) fn doc(&self, span: Span) -> String {
        let upto = self.docs.partition_point(|doc| doc.end <= span.start);
        let mut from = upto;
        let mut below = span.start as usize;
        while from > 0 {
            let doc = self.docs[from - 1];
            let between = &self.text[doc.end as usize..below];
            if !between.trim().is_empty() || between.matches('\n').count() > 1 {
                break;
            }
            below = doc.start as usize;
            from -= 1;
        }
        self.joined(&self.docs[from..upto])
    }

    fn joined(&self, docs: &[Span]) -> String {
        let lines = docs.iter().map(|doc| self.words(*doc));
        let lines = lines.map(|line| line.trim_start_matches('#').trim());
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The lines with two `#` that the file begins with, if an empty line
    /// sets them apart from the first item.
    fn file_doc(&self, all: &[Token]) -> String {
        let count = all
            .iter()
            .take_while(|token| token.kind == TokenKind::Comment)
            .take_while(|token| self.words(token.span).starts_with("##"))
            .count();
        let Some(last) = count.checked_sub(1).map(|last| all[last].span.end as usize) else {
            return String::new();
        };
        let rest = &self.text[last..];
        let gap = &rest[..rest.len() - rest.trim_start().len()];
        match gap.matches('\n').count() > 1 {
            true => self.joined(&self.docs[..count]),
            false => String::new(),
        }
    }

    fn item(&mut self, file: &mut File) -> Result<(), Problem> {
        let doc = self.doc(self.peek().span);
        let annotations = self.annotations()?;
        let token = self.peek();
        let word = self.peek_word().unwrap_or_default();
        if !annotations.is_empty() && word != "class" {
            return Err(self.expected("`class` after annotations"));
        }
        if !ITEMS.contains(&word) {
            let hint = match nearest(word, ITEMS) {
                Some(near) if !word.is_empty() => format!("; did you mean `{near}`?"),
                _ => format!(" ({})", ITEMS.join(", ")),
            };
            let hint = match self.text[token.span.start as usize..].starts_with("//") {
                true => "; comments begin with `#`".to_string(),
                false => hint,
            };
            let mut problem = self.expected("an item");
            problem.message.push_str(&hint);
            return Err(problem);
        }
        self.advance();
        match word {
            "knob" => file.knobs.push(self.knob(doc)?),
            "fn" => file.functions.push(self.function(doc)?),
            "class" => file.classes.push(self.class(doc, annotations)?),
            "alias" | "type" | "record" => file.types.push(self.type_item(doc, word)?),
            _ => {
                self.setting(word, token.span, file)?;
                self.mark(";")?;
            }
        }
        Ok(())
    }

    /// What is said of the whole file, up to its `;`.
    fn setting(&mut self, word: &str, span: Span, file: &mut File) -> Result<(), Problem> {
        let again = match word {
            "language" => {
                let name = self.name("the language's name, without quotes")?;
                file.language.replace(name).is_some()
            }
            "extension" => {
                let name = self.extension()?;
                file.extension.replace(name).is_some()
            }
            "comment" => {
                let name = self.plain_text()?;
                if name.text.trim().is_empty() {
                    return Err(Problem::error(name.span, "a comment begins with some mark"));
                }
                file.comment.replace(name).is_some()
            }
            "height" => {
                let number = self.number("a height")?;
                let height = u32::try_from(number).ok().filter(|&height| height <= 1000);
                let bad = || Problem::error(span, "a height is at most 1000");
                file.height.replace(height.ok_or_else(bad)?).is_some()
            }
            "extends" => {
                let base = self.reference("the name of a spec, or a file in quotes")?;
                file.extends.replace(base).is_some()
            }
            _ => {
                let library = self.reference("the name of a library, or a file in quotes")?;
                file.uses.push(library);
                false
            }
        };
        match again {
            false => Ok(()),
            true => Err(Problem::error(span, format!("`{word}` stands here twice"))),
        }
    }

    /// A text in which nothing is printed, and where it stands.
    pub(super) fn plain_text(&mut self) -> Result<Name, Problem> {
        let span = self.peek().span;
        let text = templates::plain(self)?;
        let span = span.to(self.last());
        Ok(Name { text, span })
    }

    fn reference(&mut self, what: &str) -> Result<Reference, Problem> {
        let is_file = self.peek().kind == TokenKind::Text;
        let name = match is_file {
            true => self.plain_text()?,
            false => self.dashed(what)?,
        };
        Ok(Reference { name, is_file })
    }

    /// A name with dashes in it, as specs have.
    fn dashed(&mut self, what: &str) -> Result<Name, Problem> {
        let mut name = self.name(what)?;
        while self.at("-") && self.peek_second().kind == TokenKind::Name {
            self.advance();
            let part = self.name(what)?;
            name.text = format!("{}-{}", name.text, part.text);
            name.span = name.span.to(part.span);
        }
        Ok(name)
    }

    /// The ending of a file, with or without quotes.
    fn extension(&mut self) -> Result<Name, Problem> {
        let name = match self.peek().kind {
            TokenKind::Text => self.plain_text()?,
            _ => self.name("the ending of files")?,
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let fits = (1..=MAX_EXTENSION).contains(&name.text.len()) && name.text.chars().all(plain);
        match fits {
            true => Ok(name),
            false => Err(Problem::error(
                name.span,
                format!("an ending has 1 to {MAX_EXTENSION} letters and digits, without the dot"),
            )),
        }
    }

    fn number(&mut self, what: &str) -> Result<i64, Problem> {
        match self.peek().kind {
            TokenKind::Number(number) => {
                self.advance();
                Ok(number)
            }
            _ => Err(self.expected(what)),
        }
    }

    fn knob(&mut self, doc: String) -> Result<KnobItem, Problem> {
        let name = self.small_word("a knob")?;
        self.mark("=")?;
        let value = match self.peek_word() {
            Some("true") => KnobValue::Bool(true),
            Some("false") => KnobValue::Bool(false),
            _ => KnobValue::Int(self.number("a number, `true` or `false`")?),
        };
        if matches!(value, KnobValue::Bool(_)) {
            self.advance();
        }
        self.mark(";")?;
        Ok(KnobItem { doc, name, value })
    }

    fn params(&mut self) -> Result<Vec<Name>, Problem> {
        match self.take("<") {
            true => self.list(">", |parser| parser.capital("a type parameter")),
            false => Ok(Vec::new()),
        }
    }

    fn type_item(&mut self, doc: String, word: &str) -> Result<TypeItem, Problem> {
        let name = self.capital("a type")?;
        let params = self.params()?;
        let kind = match word {
            "record" => {
                self.mark("{")?;
                TypeKind::Record(self.list("}", Parser::field_type)?)
            }
            _ => {
                self.mark("=")?;
                let kind = match word {
                    "alias" => TypeKind::Alias(self.type_text()?),
                    _ if self.take_word("builtin") => TypeKind::BuiltIn,
                    _ => TypeKind::Variant(self.variants()?),
                };
                self.mark(";")?;
                kind
            }
        };
        Ok(TypeItem {
            doc,
            name,
            params,
            kind,
        })
    }

    fn variants(&mut self) -> Result<Vec<(Name, Vec<TypeText>)>, Problem> {
        let mut all = Vec::new();
        loop {
            let name = self.capital("a variant")?;
            let fields = match self.take("(") {
                true => self.list(")", Parser::type_text)?,
                false => Vec::new(),
            };
            all.push((name, fields));
            if !self.take("|") {
                return Ok(all);
            }
        }
    }

    fn field_type(&mut self) -> Result<(Name, TypeText), Problem> {
        let name = self.small_word("a field")?;
        self.mark(":")?;
        Ok((name, self.type_text()?))
    }

    pub(super) fn type_text(&mut self) -> Result<TypeText, Problem> {
        self.deeper(|parser| {
            let span = parser.peek().span;
            if parser.take("(") {
                let args = parser.list(")", Parser::type_text)?;
                if args.len() < 2 {
                    return Err(Problem::error(span, "a tuple has at least two parts"));
                }
                let name = None;
                return Ok(TypeText { span, name, args });
            }
            if parser.at("[") {
                return Err(parser.expected("a type; one of lists is `List<Int>`"));
            }
            let name = Some(parser.capital("a type")?.text);
            let args = match parser.take("<") {
                true => parser.list(">", Parser::type_text)?,
                false => Vec::new(),
            };
            Ok(TypeText { span, name, args })
        })
    }

    fn function(&mut self, doc: String) -> Result<FunctionItem, Problem> {
        let name = self.small_word("a function")?;
        let params = self.params()?;
        self.mark("(")?;
        let args = self.list(")", Parser::field_type)?;
        let form = |mark: &str| {
            format!("`{mark}`: a function is written `fn name(n : Int) : Int = n + 1;`")
        };
        if !self.at(":") {
            return Err(self.expected(&form(":")));
        }
        self.advance();
        let result = self.type_text()?;
        if !self.at("=") {
            return Err(self.expected(&form("=")));
        }
        self.advance();
        let body = match self.take_word("builtin") {
            true => None,
            false => Some(self.expr()?),
        };
        self.mark(";")?;
        Ok(FunctionItem {
            doc,
            name,
            params,
            args,
            result,
            body,
        })
    }

    pub(super) fn annotations(&mut self) -> Result<Vec<Annotation>, Problem> {
        let mut all = Vec::new();
        while self.take("@") {
            let name = self.name("an annotation")?;
            let args = match self.take("(") {
                true => self.list(")", Parser::expr)?,
                false => Vec::new(),
            };
            all.push(Annotation { name, args });
        }
        Ok(all)
    }
}

fn small(name: Name, what: &str) -> Result<Name, Problem> {
    match name.text.starts_with(|c: char| c.is_ascii_uppercase()) {
        false => Ok(name),
        true => Err(Problem::error(
            name.span,
            format!("{what} begins with a small letter"),
        )),
    }
}
