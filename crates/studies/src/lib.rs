//! Studies: what is asked of many versions, seeds or claims, beyond a campaign.
//!
//! [`evolve`] fills a table of cases and versions; a [`certificate`] says what
//! a campaign has shown; [`coverage`] measures what strategies reach of a
//! processor's source; [`label`] finds out what seeds answer; [`prove`] confirms
//! tables of a strategy by targets. Nothing stands on them but the command line.

pub mod certificate;
pub mod coverage;
mod csv;
pub mod evolve;
pub mod label;
mod plot;
pub mod prove;
