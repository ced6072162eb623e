//! Strategy `retype`: types and qualifiers of declarations are holes too
//! (figures 12 (e) and (g) of the paper: a union that is nowhere declared, a
//! parameter of an incomplete structure).
//!
//! Most of the programs have to be refused, and nearly are what they should
//! be: a front end has to find out and to say so. Nothing is claimed of them;
//! crashes and hangs are looked for.

mod space;
mod words;

pub(crate) use space::RetypeSpace;
