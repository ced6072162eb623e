//! Campaigns over many machines, on NATS JetStream.
//!
//! A [`Coordinator`] publishes shards (ranges of case numbers) to a work
//! queue and stores what comes back in an ordinary campaign folder. Workers
//! ([`work`]) take shards, run them and send [`ResultBatch`]s of results. Every
//! message may come twice and in any order: a case that is stored is never
//! counted again. This is the only crate that knows NATS; the lab below it
//! stays synchronous.

mod bundle;
mod coordinator;
mod ledger;
mod queues;
mod result_batch;
mod runner;
mod server;
mod worker;

pub use bundle::{Bundle, Pack, PackedBundle, UnpackedBundle};
pub use coordinator::{Coordinator, SET_ASIDE};
pub use ledger::SetAside;
pub use result_batch::{News, ResultBatch};
pub use runner::{Deliver, EngineRunner, ShardRunner};
pub use server::Server;
pub use worker::{OpenRunner, Worker, WorkerSummary, run, work};
