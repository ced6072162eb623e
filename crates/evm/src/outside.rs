//! A node outside of the process.
//!
//! It is asked in lines of JSON, one answer for each:
//!
//! | asked | answered |
//! |---|---|
//! | `{"send": {"from", "to", "data", "value", "gas"}}` | `{"done": {"output", "address", "logs": [{"address", "topics", "data"}], "gas"}}`, `{"reverted": {"output", "gas"}}`, `"halted"`, `{"refused": "…"}` |
//! | `{"state": [address…], "slots": [[slot…]…]}` | `{"state": [{"balance", "slots": [[slot, value]…]}…]}` |
//!
//! Data is `0x` and hexadecimal digits. `to` is null where code is deployed. `slots` are those
//! that the EVM inside has at each address, for nodes that cannot list their storage.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read, Write};

use revm::primitives::{Address, B256, Bytes, Log, U256};
use serde::{Deserialize, Serialize};

use crate::chain::{Chain, Limits};
use crate::node::{Node, Receipt, Sent, State};

/// The longest answer that is read.
const ANSWER_BYTES: u64 = 256 << 20;

/// A node outside of the process, reached by two streams.
///
/// The chain inside goes along: it knows which calls depend on our limits, and
/// what else than the contracts deployed has a state.
pub struct Outside<R, W> {
    answers: R,
    questions: W,
    inside: Chain,
    deployed: BTreeSet<Address>,
    has_own_block: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Question<'a> {
    Send {
        send: &'a Sent,
    },
    State {
        state: &'a [Address],
        slots: &'a [Vec<U256>],
    },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Done {
        output: Bytes,
        address: Option<Address>,
        logs: Vec<Told>,
        gas: u64,
    },
    Reverted {
        output: Bytes,
        gas: u64,
    },
    Halted,
    Refused(String),
    State(Vec<Held>),
}

#[derive(Deserialize)]
struct Told {
    address: Address,
    topics: Vec<B256>,
    data: Bytes,
}

#[derive(Deserialize)]
struct Held {
    balance: U256,
    slots: Vec<(U256, U256)>,
}

impl<R: BufRead, W: Write> Outside<R, W> {
    /// A node that has executed nothing yet.
    pub fn new(answers: R, questions: W, limits: &Limits) -> Outside<R, W> {
        Outside {
            answers,
            questions,
            inside: Chain::new(limits),
            deployed: BTreeSet::new(),
            has_own_block: false,
        }
    }

    /// The same node, whose block and price of gas are its own: nothing is told of transactions
    /// that ask about them.
    pub fn with_own_block(mut self, has_own_block: bool) -> Self {
        self.has_own_block = has_own_block;
        self
    }

    fn ask(&mut self, question: &Question<'_>) -> Result<Answer, String> {
        let mut line = serde_json::to_vec(question).map_err(|error| error.to_string())?;
        line.push(b'\n');
        let written = self.questions.write_all(&line);
        written
            .and_then(|()| self.questions.flush())
            .map_err(|error| format!("takes no question: {error}"))?;
        let mut answer = Vec::new();
        let mut answers = (&mut self.answers).take(ANSWER_BYTES);
        answers
            .read_until(b'\n', &mut answer)
            .map_err(|error| format!("gives no answer: {error}"))?;
        if !answer.ends_with(b"\n") {
            return Err("ended without an answer".to_string());
        }
        serde_json::from_slice(&answer).map_err(|error| format!("gives a wrong answer: {error}"))
    }

    fn held_by(&mut self, addresses: &[Address]) -> Result<Vec<Held>, String> {
        let inside = self.inside.state()?;
        let slots_of = |address: &Address| {
            let holding = inside.get(address);
            holding.map_or_else(Vec::new, |(_, slots)| slots.keys().copied().collect())
        };
        let slots: Vec<Vec<U256>> = addresses.iter().map(slots_of).collect();
        let question = Question::State {
            state: addresses,
            slots: &slots,
        };
        match self.ask(&question)? {
            Answer::State(state) if state.len() == addresses.len() => Ok(state),
            _ => Err("gives a wrong answer about its state".to_string()),
        }
    }
}

impl<R: BufRead, W: Write> Node for Outside<R, W> {
    fn transact(&mut self, sent: &Sent) -> Receipt {
        let inside = self.inside.transact(sent);
        let receipt = match self.ask(&Question::Send { send: sent }) {
            Ok(answer) => receipt(answer, &inside),
            Err(what) => Receipt::Broken(what),
        };
        if let Receipt::Done {
            address: Some(address),
            ..
        } = &receipt
        {
            self.deployed.insert(*address);
        }
        match (&receipt, inside) {
            (Receipt::Broken(_), _) => receipt,
            (_, Receipt::Limited(limit)) => Receipt::Limited(limit),
            _ if self.has_own_block && self.inside.read_block() => {
                Receipt::Limited("it depends on the block, and the node has its own")
            }
            _ => receipt,
        }
    }

    fn state(&mut self) -> Result<State, String> {
        let mut addresses = self.deployed.clone();
        addresses.extend(self.inside.state()?.into_keys());
        let addresses: Vec<Address> = addresses.into_iter().collect();
        let held = self.held_by(&addresses)?;
        let held = held.into_iter().map(|held| {
            let slots = held.slots.into_iter().filter(|(_, value)| !value.is_zero());
            (held.balance, slots.collect::<BTreeMap<U256, U256>>())
        });
        let state = addresses.into_iter().zip(held);
        Ok(state
            .filter(|(_, (balance, slots))| !balance.is_zero() || !slots.is_empty())
            .collect())
    }

    fn contracts(&self) -> BTreeMap<Address, u64> {
        self.inside.contracts()
    }
}

/// Why a transaction halts or is refused each node says in words of its own:
/// where both do so, they agree.
fn receipt(answer: Answer, inside: &Receipt) -> Receipt {
    match answer {
        Answer::Done {
            output,
            address,
            logs,
            gas,
        } => {
            let logs = logs
                .into_iter()
                .map(|log| Log::new_unchecked(log.address, log.topics, log.data));
            Receipt::Done {
                output,
                address,
                logs: logs.collect(),
                gas,
            }
        }
        Answer::Reverted { output, gas } => Receipt::Reverted { output, gas },
        Answer::Halted => match inside {
            Receipt::Halted(_) => inside.clone(),
            _ => Receipt::Halted("other"),
        },
        Answer::Refused(why) => match inside {
            Receipt::Refused(_) => inside.clone(),
            _ => Receipt::Refused(why),
        },
        Answer::State(_) => Receipt::Broken("gives a wrong answer to a transaction".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::account;

    fn sent() -> Sent {
        Sent {
            from: account(0),
            to: Some(Address::repeat_byte(0x11)),
            data: Bytes::new(),
            value: U256::from(7),
            gas: 100_000,
        }
    }

    fn answered(answers: &str) -> (Receipt, Result<State, String>, String) {
        let mut questions = Vec::new();
        let mut node = Outside::new(answers.as_bytes(), &mut questions, &Limits::default());
        let receipt = node.transact(&sent());
        let state = node.state();
        (receipt, state, String::from_utf8(questions).unwrap())
    }

    #[test]
    fn questions_and_answers_are_lines_of_json() {
        let log =
            r#"{"address":"0x1111111111111111111111111111111111111111","topics":[],"data":"0x05"}"#;
        let (receipt, state, questions) = answered(&format!(
            "{{\"done\":{{\"output\":\"0x01\",\"address\":null,\"logs\":[{log}],\"gas\":3}}}}\n{}\n",
            r#"{"state":[{"balance":"0x7","slots":[["0x1","0x0"],["0x2","0x9"]]}]}"#,
        ));
        let Receipt::Done { output, logs, .. } = receipt else {
            panic!("{receipt:?}");
        };
        assert_eq!(output, Bytes::from_static(&[1]));
        assert_eq!(logs[0].data.data, Bytes::from_static(&[5]));
        let slots = BTreeMap::from([(U256::from(2), U256::from(9))]);
        let holder = Address::repeat_byte(0x11);
        assert_eq!(
            state,
            Ok(BTreeMap::from([(holder, (U256::from(7), slots))]))
        );
        let told = "11".repeat(20);
        assert_eq!(
            questions,
            format!(
                "{{\"send\":{{\"from\":\"0x{}acc00000\",\"to\":\"0x{told}\",\"data\":\"0x\",\
                 \"value\":\"0x7\",\"gas\":100000}}}}\n{{\"state\":[\"0x{told}\"],\"slots\":[[]]}}\n",
                "0".repeat(32)
            )
        );
    }

    #[test]
    fn a_node_that_ends_or_talks_nonsense_is_broken() {
        for answers in [
            "", "{\"done\"", "nonsense\n", "{\"state\":[]}\n", "\u{1b}[31m\n",
        ] {
            let (receipt, state, _) = answered(answers);
            assert!(
                matches!(receipt, Receipt::Broken(_)),
                "{answers:?}: {receipt:?}"
            );
            assert!(state.is_err());
        }
    }

    #[test]
    fn what_depends_on_a_block_of_the_nodes_own_is_told_by_nobody() {
        // Returns the number of its block.
        let deploy = Sent {
            to: None,
            data: Bytes::from_static(&[0x43, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3]),
            gas: 1_000_000,
            ..sent()
        };
        let answer = r#"{"done":{"output":"0x","address":null,"logs":[],"gas":3}}"#;
        for has_own_block in [false, true] {
            let answers = format!("{answer}\n{answer}\n");
            let node = Outside::new(answers.as_bytes(), Vec::new(), &Limits::default());
            let mut node = node.with_own_block(has_own_block);
            let receipt = node.transact(&deploy);
            assert_eq!(matches!(receipt, Receipt::Limited(_)), has_own_block);
            // The next one does not ask.
            assert!(matches!(node.transact(&sent()), Receipt::Done { .. }));
        }
    }

    #[test]
    fn a_node_is_told_the_slots_that_the_chain_inside_has() {
        // Puts 5 into slot 1.
        let deploy = Sent {
            to: None,
            data: Bytes::from_static(&[0x60, 5, 0x60, 1, 0x55]),
            gas: 1_000_000,
            ..sent()
        };
        let mut questions = Vec::new();
        let answers = "\"halted\"\n";
        let mut node = Outside::new(answers.as_bytes(), &mut questions, &Limits::default());
        node.transact(&deploy);
        assert!(node.state().is_err());
        let questions = String::from_utf8(questions).unwrap();
        assert!(
            questions.ends_with("\"slots\":[[\"0x1\"]]}\n"),
            "{questions}"
        );
    }

    #[test]
    fn a_halt_where_the_chain_inside_goes_through_is_seen() {
        let (receipt, ..) = answered("\"halted\"\n");
        assert_eq!(receipt, Receipt::Halted("other"));
    }
}
