//! What a program does, computed from its syntax: the reference that compiled
//! code is held against.

mod accounts;
mod arrays;
mod calls;
mod data;
mod digests;
mod dispatch;
mod effects;
mod encode;
mod environment;
mod expressions;
mod growing;
mod keccak;
mod machine;
mod messages;
mod number;
mod operators;
mod places;
mod statements;
mod storage;

pub use accounts::Snapshot;
pub(crate) use encode::abi_name;

pub use data::{Key, ObjectId, Path, Step, Value};
pub use encode::{abi_decoded, abi_encoded};
pub use growing::Paused;
pub use keccak::{created_address, keccak256};
pub use machine::{Block, Event, Failed, Machine, Order, Reason, Stop, Stopped, World};
pub use number::{Arithmetic, Fault, bits, converted, holds, range, wrapped};

#[cfg(test)]
mod tests {
    use dashu_int::IBig;

    use super::*;
    use crate::ast::{ContractId, FunctionId};
    use crate::read::read;
    use crate::version::NEWEST;

    /// What the first function of a contract returns.
    fn returned(body: &str) -> Result<Vec<Value>, Stop> {
        let text = format!("contract C {{ uint[] s; struct S {{ uint8 a; }} S[] t; {body} }}");
        let reading = read(&text).unwrap();
        let dialect = NEWEST.parse().unwrap();
        let (ast, values) = (&reading.ast, &reading.values);
        let world = World::default();
        let contract = ContractId(0);
        let mut machine = Machine::new(
            ast,
            values,
            &dialect,
            contract,
            Order::LeftFirst,
            world,
            10_000,
        );
        machine.construct(Vec::new(), &IBig::ZERO)?;
        let done = machine.transact(FunctionId(0), Vec::new(), &IBig::ZERO);
        done.map(|(values, _)| values)
    }

    fn words(numbers: &[u8]) -> Result<Vec<Value>, Stop> {
        let words = numbers
            .iter()
            .map(|number| Value::Word(IBig::from(*number)));
        Ok(words.collect())
    }

    #[test]
    fn arms_of_a_conditional_meet_in_memory() {
        let write = |condition: bool| {
            returned(&format!(
                "function f() public returns (uint, uint) {{ uint[] memory m = new uint[](1);
                 s.push(1); ({condition} ? s : m)[0] = 7; return (s[0], m[0]); }}"
            ))
        };
        assert_eq!(write(true), words(&[1, 0]));
        assert_eq!(write(false), words(&[1, 7]));
    }

    #[test]
    fn push_without_a_value_is_the_new_element() {
        let text = "function f() public returns (uint, uint, uint) { s.push() = 5;
             S storage p = t.push(); p.a = 6; t.push().a = 7;
             return (s[0], t[0].a, t[1].a); }";
        assert_eq!(returned(text), words(&[5, 6, 7]));
    }
}
