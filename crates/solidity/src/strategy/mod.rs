//! Strategies that make Solidity programs.

mod space;
mod template;

pub use space::TemplateSpace;
pub use template::Templates;
