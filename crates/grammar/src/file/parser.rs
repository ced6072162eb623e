//! From tokens to what a grammar file says, parameters not filled in yet.
//!
//! ```text
//! file        = 'grammar' NAME ';' options? rule*
//! options     = 'options' '{' (NAME '=' (NAME | NUMBER) ';')* '}'
//! rule        = NAME ':' alternative ('|' alternative)* ';'
//! alternative = (item* | '[' NAME '|' item* ']') ('#' NAME)*
//! item        = LITERAL | NAME | '[' NAME LITERAL? ':' item* ']'
//! ```

use lydite_core::nearest::nearest;

use super::error::{GrammarError, Position};
use super::lexer::{Literal, Token, TokenKind};

/// A file as it stands.
#[derive(Debug)]
pub(crate) struct File {
    pub name: String,
    pub language: Option<String>,
    /// Numbers with their defaults, in the file's order.
    pub parameters: Vec<(String, u32)>,
    pub rules: Vec<RuleText>,
}

#[derive(Debug)]
pub(crate) struct RuleText {
    pub at: Position,
    pub name: String,
    pub alternatives: Vec<Alternative>,
}

#[derive(Debug)]
pub(crate) struct Alternative {
    pub at: Position,
    /// One alternative per turn of this parameter.
    pub each: Option<Name>,
    pub items: Vec<Item>,
    pub marks: Vec<Mark>,
}

#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub at: Position,
    pub text: String,
}

#[derive(Debug)]
pub(crate) enum Item {
    Literal(Literal),
    Rule(Name),
    /// The items once per turn, perhaps with a text between the turns.
    Repeat {
        parameter: Name,
        between: Option<Literal>,
        items: Vec<Item>,
    },
}

/// What `# word` after an alternative says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Its items that name the same rule may be exchanged.
    Commutative,
    /// It may be exchanged with the rule's other alternatives so marked.
    Interchangeable,
}

const MARKS: [(&str, Mark); 2] = [
    ("commutative", Mark::Commutative),
    ("interchangeable", Mark::Interchangeable),
];

pub(crate) fn parse(tokens: &[Token]) -> Result<File, GrammarError> {
    let mut parser = Parser { tokens, next: 0 };
    parser.word("grammar", "a grammar file begins with `grammar NAME;`")?;
    let name = parser.name("the grammar's name")?.text;
    parser.mark(';')?;
    let mut file = File {
        name,
        language: None,
        parameters: Vec::new(),
        rules: Vec::new(),
    };
    if parser.peek_name() == Some("options") && parser.follows('{') {
        parser.options(&mut file)?;
    }
    while parser.peek().kind != TokenKind::End {
        file.rules.push(parser.rule()?);
    }
    Ok(file)
}

struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> &'a Token {
        &self.tokens[self.next]
    }

    fn peek_name(&self) -> Option<&'a str> {
        match &self.peek().kind {
            TokenKind::Name(name) => Some(name),
            _ => None,
        }
    }

    /// True if the token after the next one is this mark.
    fn follows(&self, mark: char) -> bool {
        self.tokens
            .get(self.next + 1)
            .is_some_and(|token| token.kind == TokenKind::Mark(mark))
    }

    /// The end stays where it is: nothing comes after it.
    fn advance(&mut self) -> &'a Token {
        let token = self.peek();
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    fn take(&mut self, mark: char) -> bool {
        let found = self.peek().kind == TokenKind::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    fn expected(&self, what: &str) -> GrammarError {
        let token = self.peek();
        let found = token.kind.shown();
        GrammarError::new(token.at, format!("expected {what}, found {found}"))
    }

    fn mark(&mut self, mark: char) -> Result<(), GrammarError> {
        match self.take(mark) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{mark}`"))),
        }
    }

    fn name(&mut self, what: &str) -> Result<Name, GrammarError> {
        let token = self.peek();
        match &token.kind {
            TokenKind::Name(text) => {
                self.advance();
                Ok(Name {
                    at: token.at,
                    text: text.clone(),
                })
            }
            _ => Err(self.expected(what)),
        }
    }

    fn word(&mut self, word: &str, problem: &str) -> Result<(), GrammarError> {
        match self.peek_name() {
            Some(found) if found == word => {
                self.advance();
                Ok(())
            }
            _ => Err(GrammarError::new(self.peek().at, problem)),
        }
    }

    fn options(&mut self, file: &mut File) -> Result<(), GrammarError> {
        self.advance();
        self.mark('{')?;
        while !self.take('}') {
            let key = self.name("an option's name or `}`")?;
            self.mark('=')?;
            let value = self.advance();
            match (&value.kind, key.text.as_str()) {
                (TokenKind::Name(language), "language") => file.language = Some(language.clone()),
                (TokenKind::Number(_), "language") | (TokenKind::Name(_), _) => {
                    let known =
                        "options are `language = NAME` and numbers, such as `variables = 2`";
                    return Err(GrammarError::new(key.at, known));
                }
                (TokenKind::Number(number), _) => {
                    if file.parameters.iter().any(|(name, _)| *name == key.text) {
                        let problem = format!("option `{}` stands here twice", key.text);
                        return Err(GrammarError::new(key.at, problem));
                    }
                    file.parameters.push((key.text, *number));
                }
                (found, _) => {
                    let problem = format!("expected a name or a number, found {}", found.shown());
                    return Err(GrammarError::new(value.at, problem));
                }
            }
            self.mark(';')?;
        }
        Ok(())
    }

    fn rule(&mut self) -> Result<RuleText, GrammarError> {
        let name = self.name("a rule's name")?;
        self.mark(':')?;
        let mut alternatives = vec![self.alternative()?];
        while self.take('|') {
            alternatives.push(self.alternative()?);
        }
        if !self.take(';') {
            return Err(self.expected(&format!(
                "a literal, a rule's name, `|`, or the `;` that ends rule `{}`",
                name.text
            )));
        }
        Ok(RuleText {
            at: name.at,
            name: name.text,
            alternatives,
        })
    }

    fn alternative(&mut self) -> Result<Alternative, GrammarError> {
        let at = self.peek().at;
        let (each, items) = match self.alternatives_in_brackets() {
            true => {
                self.advance();
                let parameter = self.name("a parameter")?;
                self.mark('|')?;
                let items = self.items(true)?;
                self.mark(']')?;
                (Some(parameter), items)
            }
            false => (None, self.items(false)?),
        };
        let mut marks = Vec::new();
        while self.take('#') {
            let word = self.name("a mark")?;
            match MARKS.iter().find(|(name, _)| *name == word.text) {
                Some((_, mark)) => marks.push(*mark),
                None => {
                    let names = MARKS.map(|(name, _)| name);
                    let near = nearest(&word.text, names).unwrap_or(names[0]);
                    let problem =
                        format!("mark `{}` is not known; did you mean `{near}`?", word.text);
                    return Err(GrammarError::new(word.at, problem));
                }
            }
        }
        Ok(Alternative {
            at,
            each,
            items,
            marks,
        })
    }

    /// True before `[ NAME |`.
    fn alternatives_in_brackets(&self) -> bool {
        let kinds = self.tokens[self.next..].iter().map(|token| &token.kind);
        let mut kinds = kinds.take(3);
        matches!(
            (kinds.next(), kinds.next(), kinds.next()),
            (
                Some(TokenKind::Mark('[')),
                Some(TokenKind::Name(_)),
                Some(TokenKind::Mark('|'))
            )
        )
    }

    /// As many items as there are. Brackets do not nest.
    fn items(&mut self, inside: bool) -> Result<Vec<Item>, GrammarError> {
        let mut items = Vec::new();
        loop {
            match &self.peek().kind {
                TokenKind::Literal(literal) => {
                    self.advance();
                    items.push(Item::Literal(literal.clone()));
                }
                TokenKind::Name(_) => items.push(Item::Rule(self.name("a rule's name")?)),
                TokenKind::Mark('[') if inside => {
                    let problem = "brackets do not nest: give the inner part a rule of its own";
                    return Err(GrammarError::new(self.peek().at, problem));
                }
                TokenKind::Mark('[') => items.push(self.repeat()?),
                _ => return Ok(items),
            }
        }
    }

    fn repeat(&mut self) -> Result<Item, GrammarError> {
        self.advance();
        let parameter = self.name("a parameter")?;
        let between = match &self.peek().kind {
            TokenKind::Literal(literal) => {
                self.advance();
                Some(literal.clone())
            }
            _ => None,
        };
        if self.peek().kind == TokenKind::Mark('|') {
            let problem = "`[NAME | …]` makes alternatives: it has to be the whole alternative";
            return Err(GrammarError::new(self.peek().at, problem));
        }
        self.mark(':')?;
        let items = self.items(true)?;
        self.mark(']')?;
        Ok(Item::Repeat {
            parameter,
            between,
            items,
        })
    }
}
