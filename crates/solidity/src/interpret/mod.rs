//! What a program does, computed from its syntax: the reference that compiled
//! code is held against.

mod data;
mod expressions;
mod forms;
mod growing;
mod machine;
mod number;
mod statements;

pub use data::{Key, ObjectId, Path, Step, Types, Value};
pub use forms::Form;
pub use growing::Paused;
pub use machine::{Event, Failed, Machine, Order, Reason, Stop, World};
pub use number::{Arithmetic, Fault, bits, converted, holds, range, wrapped};
