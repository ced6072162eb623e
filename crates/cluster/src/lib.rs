//! Campaigns over many machines, on NATS JetStream.
//!
//! A [`Coordinator`] publishes shards (ranges of case numbers) to a work
//! queue and stores what comes back in an ordinary campaign folder. Workers
//! ([`work`]) take shards, run them and send [`Parcel`]s of results. Every
//! message may come twice and in any order: a case that is stored is never
//! counted again. This is the only crate that knows NATS; the lab below it
//! stays synchronous.

mod board;
mod coordinator;
mod kit;
mod ledger;
mod parcel;
mod server;
mod worker;

pub use coordinator::{Coordinator, SET_ASIDE};
pub use kit::{Kit, Pack, Packed, Unpacked};
pub use ledger::SetAside;
pub use parcel::{News, Parcel};
pub use server::Server;
pub use worker::{Crew, Deliver, LabCrew, Open, Worker, WorkerSummary, run, work};
