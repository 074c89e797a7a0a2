//! Label selectors, by the grammar of `apimachinery/pkg/labels/selector.go`.

/// A selector: every requirement has to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LabelSelector(Vec<Requirement>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    key: String,
    test: Test,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    In(Vec<String>),
    NotIn(Vec<String>),
    Exists,
    Absent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Sign(&'static str),
    End,
}

impl LabelSelector {
    /// The error is the message of the API server.
    pub(super) fn parse(selector: &str) -> Result<Self, String> {
        let mut tokens = Tokens(split(selector));
        let mut requirements = Vec::new();
        loop {
            match tokens.peek() {
                Token::End => return Ok(Self(requirements)),
                Token::Word(_) | Token::Sign("!") => {}
                Token::Sign(_) if requirements.is_empty() => {
                    return Err(tokens.expected("!, identifier, or 'end of string'"));
                }
                Token::Sign(_) => return Err(tokens.expected("identifier after ','")),
            }
            let requirement = tokens.requirement();
            requirements.push(
                requirement.map_err(|error| format!("unable to parse requirement: {error}"))?,
            );
            match tokens.peek() {
                Token::End => return Ok(Self(requirements)),
                Token::Sign(",") => drop(tokens.next()),
                Token::Word(_) | Token::Sign(_) => {
                    return Err(tokens.expected("',' or 'end of string'"));
                }
            }
            if tokens.peek() == &Token::End {
                return Err(tokens.expected("identifier after ','"));
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn matches(&self, labels: &[(Box<str>, Box<str>)]) -> bool {
        self.0.iter().all(|requirement| {
            let mut labels = labels.iter();
            let label = labels.find(|(key, _)| **key == *requirement.key);
            let among = |values: &[String]| {
                label.is_some_and(|(_, label)| values.iter().any(|value| **value == **label))
            };
            match &requirement.test {
                Test::In(values) => among(values),
                Test::NotIn(values) => !among(values),
                Test::Exists => label.is_some(),
                Test::Absent => label.is_none(),
            }
        })
    }
}

/// The tokens still to be read, the next one last.
struct Tokens(Vec<Token>);

impl Tokens {
    fn peek(&self) -> &Token {
        self.0.last().unwrap_or(&Token::End)
    }

    fn next(&mut self) -> Token {
        self.0.pop().unwrap_or(Token::End)
    }

    fn expected(&self, what: &str) -> String {
        let found = match self.peek() {
            Token::Word(word) => word,
            Token::Sign(sign) => *sign,
            Token::End => "",
        };
        format!("found '{found}', expected: {what}")
    }

    fn word(&mut self, what: &str) -> Result<String, String> {
        match self.next() {
            Token::Word(word) => Ok(word),
            other @ (Token::Sign(_) | Token::End) => {
                self.0.push(other);
                Err(self.expected(what))
            }
        }
    }

    fn requirement(&mut self) -> Result<Requirement, String> {
        let absent = self.peek() == &Token::Sign("!");
        if absent {
            self.next();
        }
        let key = self.word("identifier")?;
        check_key(&key)?;
        let test = match self.peek() {
            Token::End | Token::Sign(",") if absent => Test::Absent,
            Token::End | Token::Sign(",") => Test::Exists,
            Token::Sign("=" | "==") => Test::In(vec![self.value()?]),
            Token::Sign("!=") => Test::NotIn(vec![self.value()?]),
            Token::Word(word) if word == "in" => Test::In(self.values()?),
            Token::Word(word) if word == "notin" => Test::NotIn(self.values()?),
            Token::Word(_) | Token::Sign(_) => {
                return Err(self.expected("in, notin, =, ==, !=, gt, lt"));
            }
        };
        if let Test::In(values) | Test::NotIn(values) = &test {
            check_values(&key, values)?;
        }
        Ok(Requirement { key, test })
    }

    /// The value after the operator, which may be missing: `a=` asks for an empty one.
    fn value(&mut self) -> Result<String, String> {
        self.next();
        match self.peek() {
            Token::End | Token::Sign(",") => Ok(String::new()),
            Token::Word(_) | Token::Sign(_) => self.word("identifier"),
        }
    }

    fn values(&mut self) -> Result<Vec<String>, String> {
        self.next();
        if self.peek() != &Token::Sign("(") {
            // The comma is missing there too.
            return Err(self.expected("'('").replacen(',', "", 1));
        }
        self.next();
        let mut values = Vec::new();
        loop {
            values.push(match self.peek() {
                Token::Sign("," | ")") => String::new(),
                Token::Word(_) | Token::Sign(_) | Token::End => {
                    self.word("',', ')' or identifier")?
                }
            });
            match self.next() {
                Token::Sign(",") => {}
                Token::Sign(")") => return Ok(values),
                other @ (Token::Word(_) | Token::Sign(_) | Token::End) => {
                    self.0.push(other);
                    return Err(self.expected("',' or ')'"));
                }
            }
        }
    }
}

fn check_key(key: &str) -> Result<(), String> {
    let (prefix, name) = key.split_once('/').unwrap_or(("x", key));
    let is_domain = prefix.split('.').all(is_value);
    if is_value(name) && is_domain {
        return Ok(());
    }
    Err(format!(
        "<nil>: Invalid value: \"{key}\": a valid label key must consist of alphanumeric characters, \
         '-', '_' or '.', and must start and end with an alphanumeric character"
    ))
}

fn check_values(key: &str, values: &[String]) -> Result<(), String> {
    let mut values = values.iter().enumerate();
    match values.find(|(_, value)| !value.is_empty() && !is_value(value)) {
        None => Ok(()),
        Some((index, value)) => Err(format!(
            "values[{index}][{key}]: Invalid value: \"{value}\": a valid label must be an empty string or consist \
             of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
        )),
    }
}

fn is_value(text: &str) -> bool {
    let is_edge = |letter: Option<u8>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
    let letters = text.as_bytes();
    let is_inner = |letter: &u8| letter.is_ascii_alphanumeric() || b"-_.".contains(letter);
    letters.len() <= 63
        && is_edge(letters.first().copied())
        && is_edge(letters.last().copied())
        && letters.iter().all(is_inner)
}

/// The tokens of a selector, the first one last.
fn split(selector: &str) -> Vec<Token> {
    const SIGNS: [&str; 9] = ["==", "!=", "=", "!", "(", ")", ",", "<", ">"];
    let mut tokens = Vec::new();
    let mut rest = selector.trim_start();
    while !rest.is_empty() {
        if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
            tokens.push(Token::Sign(sign));
            rest = rest[sign.len()..].trim_start();
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || "=!(),<>".contains(c));
            let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push(Token::Word(word.to_owned()));
            rest = after.trim_start();
        }
    }
    tokens.reverse();
    tokens
}

#[cfg(test)]
mod tests;
