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
mod lineage;
mod machine;
mod messages;
mod number;
mod operators;
mod places;
mod statements;

pub use accounts::Snapshot;
pub(crate) use encode::abi_name;
pub use lineage::linearized as lineage;
pub(crate) use lineage::linearized;

pub use data::{Key, ObjectId, Path, Step, Value};
pub use encode::{abi_decoded, abi_encoded};
pub use growing::Paused;
pub use keccak::{created_address, keccak256};
pub use machine::{Block, Event, Failed, Machine, Order, Reason, Stop, Stopped, World};
pub use number::{Arithmetic, Fault, bits, converted, holds, range, wrapped};
