//! What a program does, computed from its syntax: the reference that compiled
//! code is held against.

mod accounts;
mod data;
mod digests;
mod encode;
mod expressions;
mod forms;
mod growing;
mod keccak;
mod machine;
mod number;
mod places;
mod statements;

pub use accounts::Snapshot;
pub use data::{Key, ObjectId, Path, Step, Types, Value};
pub use forms::Form;
pub use growing::Paused;
pub use keccak::{created_address, keccak256};
pub use machine::{Event, Failed, Machine, Order, Reason, Stop, World};
pub use number::{Arithmetic, Fault, bits, converted, holds, range, wrapped};
