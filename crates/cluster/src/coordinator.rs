//! The coordinator: publishes the shards of a campaign, a few more than there
//! are tasks, and puts what comes back into the campaign's folder.
//!
//! It keeps nothing that it could not find again: what is done is in the
//! store, what is out is in the queue. So it may be killed and started again
//! at any instant, here or on another machine with the same folder.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{Message, kv};
use futures_util::StreamExt;
use lydite_lab::campaign::{Campaign, Engine, Event, Recorder, Shard, Summary};
use lydite_lab::schedule::Round;
use lydite_process::failpoint;
use lydite_store::record::Provenance;

use crate::bundle::PackedBundle;
use crate::ledger::{CasePace, Ledger, SetAside};
use crate::queues::{self, Announcement, Queues, short};
use crate::result_batch::{News, ResultBatch};
use crate::server::{MESSAGE, Server, at_first, persist};

/// The key under which a campaign's store lists what was set aside.
pub const SET_ASIDE: &str = "set-aside";

/// How a campaign is spread over workers.
pub struct Coordinator<'a> {
    /// The server that shards go to.
    pub server: Server,
    /// What workers need.
    pub packed: PackedBundle,
    /// How long a shard may go without a sign of life.
    pub lease: Duration,
    /// Set from outside to finish early.
    pub stop: &'a AtomicBool,
    /// Tells people what happens.
    pub say: &'a dyn Fn(&str),
}

/// The shard that the cases of a cluster are of: there is one folder, and one
/// schedule for each round.
const WHOLE: Shard = Shard { number: 1, of: 1 };

/// What the schedule of a round is called in the bucket.
pub(crate) fn schedule_name(round: u64) -> String {
    format!("schedule-{round}")
}

/// How many results are taken at once.
const RESULTS: usize = 200;

/// No store has more cases.
const MOST_CASES: u64 = i64::MAX as u64;

/// How long to wait when there is nothing to do.
const PAUSE: Duration = Duration::from_millis(50);

/// How often the queue of shards is looked at.
const TOP_UP_EVERY: Duration = Duration::from_millis(200);

impl Coordinator<'_> {
    /// Does what is left of the campaign; returns when it is done, or when it
    /// is to stop.
    pub fn run(
        &self,
        campaign: &mut Campaign,
        listen: &mut dyn FnMut(Event<'_>),
    ) -> Result<Summary> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let end = campaign.engine.end();
        let of = (end < u64::MAX).then_some(end);
        let duration = campaign.engine.resolved.plan.duration;
        let (engine, recorder) = campaign.recorder(of, listen)?;
        let owner = owner(&recorder)?;
        let (id, name) = (&engine.resolved.id, &engine.resolved.plan.name);
        let ledger = Ledger::new(end, &recorder.finished()?);
        let complete = runtime.block_on(async {
            let context = self.server.connect(&format!("lydite hunt {name}")).await?;
            let list = queues::list(&context).await?;
            self.claim(&list, id, &owner).await?;
            let queues = Queues::create(&context, id).await?;
            let (bundle, bytes) = self.packed.bundle.encode()?;
            for (name, bytes) in self.packed.objects.iter().chain([(&bundle, &bytes)]) {
                at_first("NATS: the bundle", || queues.put_once(name, bytes)).await?;
            }
            let shards = at_first("NATS", || queues.shard_queue(self.lease)).await?;
            let results = at_first("NATS", || queues.result_queue()).await?;
            let announcement = Announcement {
                name: name.clone(),
                bundle,
                lease_ms: self.lease.as_millis() as u64,
                closing: false,
            };
            let coordination = Coordination {
                coordinator: self,
                short: short(id).to_string(),
                owner,
                announcement,
                list,
                queues,
                shards,
                results,
                recorder,
                engine,
                provenance: engine.resolved.provenance(),
                ledger,
                pace: CasePace::default(),
                troubles: BTreeMap::new(),
                workers: BTreeSet::new(),
            };
            coordination
                .run(duration.map(|span| Instant::now() + span.0))
                .await
        })?;
        campaign.finish(!complete && self.stop.load(Ordering::Relaxed))
    }

    /// An error if somebody else collects this campaign: its results would
    /// come to two folders, some here and some there.
    async fn claim(&self, list: &kv::Store, id: &str, owner: &str) -> Result<()> {
        let owners = at_first("NATS: the list of campaigns", || list.get(owner_key(id))).await?;
        if owners.is_some_and(|other| other != owner.as_bytes()) {
            bail!(
                "campaign {}: another folder collects it already; go on there, or remove the \
                 key {} of the bucket lydite on {}",
                short(id),
                owner_key(id),
                self.server.shown()
            );
        }
        failpoint::reach(MESSAGE)?;
        persist("NATS: the list of campaigns", self.stop, || {
            list.put(owner_key(id), owner.to_string().into())
        })
        .await?;
        Ok(())
    }
}

fn owner_key(id: &str) -> String {
    format!("owner-{}", short(id))
}

/// A name that this folder's store keeps: whoever has the folder goes on.
fn owner(recorder: &Recorder<'_>) -> Result<String> {
    if let Some(owner) = recorder.noted(OWNER)? {
        return Ok(owner);
    }
    let now = std::time::SystemTime::now();
    let text = format!("{now:?} {}", std::process::id());
    let owner = blake3::hash(text.as_bytes()).to_hex().to_string();
    recorder.note(OWNER, &owner)?;
    Ok(owner)
}

/// The key of that name in a campaign's store.
const OWNER: &str = "cluster-owner";

/// A campaign while it is coordinated.
struct Coordination<'a> {
    coordinator: &'a Coordinator<'a>,
    short: String,
    owner: String,
    announcement: Announcement,
    list: kv::Store,
    queues: Queues,
    shards: PullConsumer,
    results: PullConsumer,
    engine: &'a Engine,
    recorder: Recorder<'a>,
    /// What cases have to be run with.
    provenance: Provenance,
    ledger: Ledger,
    pace: CasePace,
    /// What went wrong with the shard that holds a case.
    troubles: BTreeMap<u64, String>,
    workers: BTreeSet<String>,
}

impl Coordination<'_> {
    /// True if all cases are done.
    async fn run(mut self, deadline: Option<Instant>) -> Result<bool> {
        self.announce(false).await?;
        let stop = self.coordinator.stop;
        // Shards first: one that is done while we look has its results there.
        let queued = persist("NATS: shards", stop, || self.queues.queued_shards()).await?;
        for shard in &queued {
            self.ledger.is_out(shard);
        }
        let mut topped_up: Option<Instant> = None;
        let mut reconciled = Instant::now();
        let began = Instant::now();
        let mut lonely = true;
        while !self.ledger.is_complete() {
            let over = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if over || stop.load(Ordering::Relaxed) {
                break;
            }
            let taken = self.take_results().await?;
            let due = topped_up.is_none_or(|at| at.elapsed() >= TOP_UP_EVERY);
            if due || taken > 0 {
                self.top_up().await;
                topped_up = Some(Instant::now());
            }
            if reconciled.elapsed() >= self.coordinator.lease.min(Duration::from_secs(5)) {
                self.reconcile().await;
                reconciled = Instant::now();
            }
            if lonely && !self.workers.is_empty() {
                lonely = false;
            } else if lonely && began.elapsed() > Duration::from_secs(10) {
                lonely = false;
                let url = self.coordinator.server.shown();
                (self.coordinator.say)(&format!("no worker has come yet: lydite worker {url}"));
            }
            if taken == 0 {
                tokio::time::sleep(PAUSE).await;
            }
        }
        self.close().await
    }

    /// Tells workers of the campaign.
    async fn announce(&self, closing: bool) -> Result<()> {
        let announcement = Announcement {
            closing,
            ..self.announcement.clone()
        };
        let never = AtomicBool::new(false);
        let stop = match closing {
            true => &never,
            false => self.coordinator.stop,
        };
        queues::change(&self.list, stop, &|announcements| {
            announcements.insert(self.short.clone(), announcement.clone());
        })
        .await
    }

    /// Stores what has come. Returns how many batches that were.
    async fn take_results(&mut self) -> Result<usize> {
        let fetch = self.results.fetch().max_messages(RESULTS);
        let fetched = fetch.expires(Duration::from_secs(2)).messages().await;
        // A server that does not answer is coming back.
        let Ok(mut messages) = fetched else {
            return Ok(0);
        };
        let mut taken = 0;
        let patience = Duration::from_secs(3);
        while let Ok(Some(message)) = tokio::time::timeout(patience, messages.next()).await {
            let Ok(message) = message else { break };
            self.take_result(&message).await?;
            taken += 1;
        }
        Ok(taken)
    }

    async fn take_result(&mut self, message: &Message) -> Result<()> {
        let Ok((bytes, object)) = self.queues.result(&message.payload).await else {
            // The object is not there yet, or the server went away: later.
            return Ok(());
        };
        match ResultBatch::decode(&bytes) {
            Ok(results) => self.store(results).await?,
            Err(error) => (self.coordinator.say)(&format!("a result was left out: {error:#}")),
        }
        failpoint::reach(MESSAGE)?;
        if message.double_ack().await.is_ok()
            && let Some(object) = object
        {
            let _ = self.queues.objects.delete(object).await;
        }
        Ok(())
    }

    async fn store(&mut self, results: ResultBatch) -> Result<()> {
        if self.workers.insert(results.worker.clone()) && !matches!(results.news, News::Declined(_))
        {
            (self.coordinator.say)(&format!("worker {} takes part", results.worker));
        }
        if results.shard.end > self.ledger.end().min(MOST_CASES) {
            let worker = &results.worker;
            (self.coordinator.say)(&format!(
                "worker {worker}: a result of cases that the campaign does not have is left out"
            ));
            return Ok(());
        }
        if !results.rows.is_empty() && results.session.provenance != self.provenance {
            let worker = &results.worker;
            (self.coordinator.say)(&format!(
                "worker {worker}: what it did with other binaries or target files is left out"
            ));
            return Ok(());
        }
        if !results.rows.is_empty() {
            self.recorder.record(&results.rows, &results.session)?;
        }
        for row in &results.rows {
            self.ledger.done(row.index..row.index + 1);
        }
        let shard = results.shard;
        match results.news {
            News::More | News::Stopped => {}
            News::Done(wall_ms) => {
                let cases = shard.end.saturating_sub(shard.start);
                self.pace.add(cases, wall_ms as f64 / 1000.0);
                self.troubles.remove(&shard.start);
            }
            News::Failed(reason) => {
                self.troubles.insert(shard.start, reason);
            }
            News::Declined(reason) => {
                let worker = &results.worker;
                (self.coordinator.say)(&format!("worker {worker} declines: {reason}"));
            }
            News::Exhausted(times) => self.take_apart(&shard, times).await?,
        }
        Ok(())
    }

    /// A shard that nobody finished.
    async fn take_apart(&mut self, shard: &Range<u64>, times: u64) -> Result<()> {
        let trouble = self.troubles.remove(&shard.start);
        let why = trouble.unwrap_or_else(|| {
            "whoever took it ended without a word (killed, or out of memory)".to_string()
        });
        let reason = format!("taken {times} times and never finished: {why}");
        let before = self.ledger.set_aside.len();
        let parts = self.ledger.exhausted(shard, &reason);
        if let Some(aside) = self.ledger.set_aside.get(before) {
            (self.coordinator.say)(&format!("case {} is set aside: {reason}", aside.start));
            self.note_set_aside()?;
        }
        for part in &parts {
            self.troubles.insert(part.start, why.clone());
        }
        self.queues
            .publish_shards(&parts, self.coordinator.stop)
            .await
    }

    fn note_set_aside(&self) -> Result<()> {
        let list: &[SetAside] = &self.ledger.set_aside;
        self.recorder.note(SET_ASIDE, &serde_json::to_string(list)?)
    }

    /// Publishes shards until there are some more than tasks.
    async fn top_up(&mut self) {
        let Ok(info) = self.shards.get_info().await else {
            return;
        };
        let tasks = (info.num_ack_pending + info.num_waiting).max(1) as u64;
        let wanted = (2 * tasks + 2).saturating_sub(info.num_pending);
        let mut shards = Vec::new();
        for _ in 0..wanted {
            let cases = self.pace.shard_cases(self.ledger.free(), tasks);
            let learns = self.engine.learns();
            let bound = |first: u64| match learns {
                true => Round::of(first).end,
                false => u64::MAX,
            };
            match self.ledger.next_shard(cases, &bound) {
                Some(shard) => shards.push(shard),
                None => break,
            }
        }
        if let Err(error) = self.publish(&shards).await {
            if !self.coordinator.stop.load(Ordering::Relaxed) {
                (self.coordinator.say)(&format!("shards: {error:#}"));
            }
            // Only when everything stops; a later process finds them free.
            self.ledger.lost();
        }
    }

    /// Publishes shards, after the schedules that their cases are drawn by.
    async fn publish(&self, shards: &[Range<u64>]) -> Result<()> {
        let rounds: BTreeMap<u64, Round> = shards
            .iter()
            .map(|shard| Round::of(shard.start))
            .map(|round| (round.number, round))
            .collect();
        for round in rounds.into_values() {
            let schedule = self.recorder.schedule(self.engine, WHOLE, round)?;
            if let Some(schedule) = schedule {
                let bytes = serde_json::to_vec(&schedule)?;
                let name = schedule_name(round.number);
                let put = || self.queues.put_once(&name, &bytes);
                persist("NATS: a schedule", self.coordinator.stop, put).await?;
            }
        }
        self.queues
            .publish_shards(shards, self.coordinator.stop)
            .await
    }

    /// What is neither in the queue nor among the results was lost with the
    /// server: it is published again.
    async fn reconcile(&mut self) {
        // In this order: a shard leaves the queue after its results came.
        let Ok(shards) = self.queues.shards.get_info().await else {
            return;
        };
        let Ok(results) = self.results.get_info().await else {
            return;
        };
        let waiting = results.num_pending + results.num_ack_pending as u64;
        if shards.state.messages == 0 && waiting == 0 && !self.ledger.is_complete() {
            self.ledger.lost();
        }
    }

    /// Waits for what runs, and leaves nothing on the server.
    async fn close(mut self) -> Result<bool> {
        self.announce(true).await?;
        let began = Instant::now();
        let patience = self.coordinator.lease + Duration::from_secs(5);
        while !self.ledger.is_complete() && began.elapsed() < patience {
            let taken = self.take_results().await?;
            let info = self.shards.get_info().await;
            if taken == 0 && info.is_ok_and(|info| info.num_ack_pending == 0) {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
        while self.take_results().await? > 0 {}
        self.note_set_aside()?;
        let never = AtomicBool::new(false);
        queues::change(&self.list, &never, &|announcements| {
            announcements.remove(&self.short);
        })
        .await?;
        persist(
            "NATS: the campaign's streams",
            self.coordinator.stop,
            || self.queues.remove(),
        )
        .await?;
        let key = format!("owner-{}", self.short);
        let mine = self.list.get(key.clone()).await;
        if mine.is_ok_and(|mine| mine.is_some_and(|mine| mine == self.owner.as_bytes())) {
            failpoint::reach(MESSAGE)?;
            let _ = self.list.purge(key).await;
        }
        for aside in &self.ledger.set_aside {
            let SetAside { start, end, reason } = aside;
            (self.coordinator.say)(&format!(
                "cases {start} to {} were not done: {reason}",
                end - 1
            ));
        }
        Ok(self.ledger.is_complete())
    }
}
