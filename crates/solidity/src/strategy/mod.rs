//! Strategies that make Solidity programs.

mod space;
mod template;

pub use space::{Begin, TemplateSpace};
pub use template::Templates;
