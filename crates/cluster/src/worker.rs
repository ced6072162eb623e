//! A worker: takes shards of whatever campaigns are open, keeps its lease on
//! them while it works, sends what it found, and acknowledges a shard when
//! its results are stored on the server.
//!
//! It may vanish at any instant: a shard that is not acknowledged goes to
//! somebody else, and results that were sent twice count once.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message, context::Context as JetStream};
use futures_util::StreamExt;
use lydite_process::{Scratch, failpoint};
use lydite_store::record::{CaseRecord, ScheduleRecord, SessionRecord};
use tokio::sync::{Semaphore, SemaphorePermit, mpsc};
use tokio::task::JoinHandle;

use crate::bundle::{Bundle, UnpackedBundle};
use crate::coordinator::schedule_name;
use crate::queues::{self, Announcement, Queues};
use crate::result_batch::{News, ResultBatch};
use crate::runner::ShardRunner;
use crate::server::{MESSAGE, Server};

/// Makes a runner for a campaign that arrived; an error is a reason to decline.
pub type OpenRunner = dyn Fn(UnpackedBundle) -> Result<Box<dyn ShardRunner>> + Send + Sync;

/// How a worker works.
pub struct Worker {
    /// The server that shards come from.
    pub server: Server,
    /// What it is called in messages.
    pub name: String,
    /// How many shards it does at a time.
    pub tasks: usize,
    /// How long it waits without anything to do before it ends; without it, it never ends.
    pub idle: Option<Duration>,
    /// Set from outside to finish what runs and end.
    pub stop: Arc<AtomicBool>,
    /// Makes the runner of a campaign.
    pub open: Box<OpenRunner>,
    /// Tells people what happens.
    pub say: Box<dyn Fn(&str) + Send + Sync>,
}

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerSummary {
    /// The number of shards that were finished.
    pub shards: u64,
    /// The number of cases in these shards.
    pub cases: u64,
}

/// How often the list of campaigns is read.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How long one pull waits for a shard.
const PULL: Duration = Duration::from_secs(2);

/// A shard that was begun so often in vain is taken apart.
const MOST_TRIES: u64 = 5;

/// Results are sent when there are so many bytes of them, or after so long.
const BATCH_BYTES: usize = 256 << 10;
const BATCH_EVERY: Duration = Duration::from_secs(2);

/// The longest pause after failures.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// Works until it is stopped or idle for too long.
pub fn work(worker: Worker) -> Result<WorkerSummary> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(2 * worker.tasks + 8)
        .build()?;
    runtime.block_on(run(Arc::new(worker)))
}

/// The same as [`work`], on a runtime that exists already.
pub async fn run(worker: Arc<Worker>) -> Result<WorkerSummary> {
    let context = worker.server.connect(&worker.name).await?;
    let worker_tasks = worker.tasks.max(1);
    let state = Arc::new(WorkerState {
        worker,
        context,
        joined: Mutex::new(BTreeMap::new()),
        permits: Semaphore::new(worker_tasks),
        busy: AtomicU32::new(0),
        last_work: Mutex::new(Instant::now()),
        batches: AtomicU64::new(0),
        shards: AtomicU64::new(0),
        cases: AtomicU64::new(0),
        failures: AtomicU32::new(0),
    });
    // Some hold the next shard ready, so that no permit waits for the server.
    let tasks: Vec<_> = (0..worker_tasks + worker_tasks.div_ceil(4))
        .map(|number| tokio::spawn(run_task(state.clone(), number)))
        .collect();
    let looked = look_out(&state).await;
    state.worker.stop.store(true, Ordering::Relaxed);
    for task in tasks {
        task.await?;
    }
    looked?;
    Ok(WorkerSummary {
        shards: state.shards.load(Ordering::Relaxed),
        cases: state.cases.load(Ordering::Relaxed),
    })
}

/// What the tasks of a worker share.
struct WorkerState {
    worker: Arc<Worker>,
    context: JetStream,
    joined: Mutex<BTreeMap<String, Option<Arc<JoinedCampaign>>>>,
    /// How many shards may run at a time.
    permits: Semaphore,
    busy: AtomicU32,
    last_work: Mutex<Instant>,
    batches: AtomicU64,
    shards: AtomicU64,
    cases: AtomicU64,
    /// Failures in a row.
    failures: AtomicU32,
}

/// A campaign that this worker takes part in.
struct JoinedCampaign {
    queues: Queues,
    queue: PullConsumer,
    runner: Arc<dyn ShardRunner>,
    announcement: Announcement,
    /// Set when its shards are not wanted any more.
    stop: Arc<AtomicBool>,
}

/// Joins campaigns as they open and leaves them as they close.
async fn look_out(state: &WorkerState) -> Result<()> {
    let list = queues::list(&state.context).await?;
    let worker = &state.worker;
    while !worker.stop.load(Ordering::Relaxed) {
        // A server that does not answer is coming back.
        if let Ok(announcements) = queues::read(&list).await {
            for (short, announcement) in &announcements {
                look_at(state, short, announcement).await;
            }
            let mut joined = state.joined.lock().expect("nobody panics with it");
            joined.retain(|short, campaign| {
                let open = announcements.contains_key(short);
                if let Some(campaign) = campaign.as_ref().filter(|_| !open) {
                    campaign.stop.store(true, Ordering::Relaxed);
                }
                open
            });
        }
        let idle_for = state
            .last_work
            .lock()
            .expect("nobody panics with it")
            .elapsed();
        let idle = state.busy.load(Ordering::Relaxed) == 0;
        if worker.idle.is_some_and(|most| idle && idle_for > most) {
            return Ok(());
        }
        tokio::time::sleep(LOOK_EVERY).await;
    }
    let joined = state.joined.lock().expect("nobody panics with it");
    for campaign in joined.values().flatten() {
        campaign.stop.store(true, Ordering::Relaxed);
    }
    Ok(())
}

async fn look_at(state: &WorkerState, short: &str, announcement: &Announcement) {
    let known = {
        let joined = state.joined.lock().expect("nobody panics with it");
        joined.get(short).cloned()
    };
    let say = &state.worker.say;
    match known {
        Some(Some(campaign)) => {
            if announcement.closing {
                campaign.stop.store(true, Ordering::Relaxed);
            }
        }
        Some(None) => {}
        None if announcement.closing => {}
        None => {
            let campaign = match join(state, short, announcement).await {
                Ok(campaign) => {
                    say(&format!(
                        "campaign {} ({short}): taking part",
                        announcement.name
                    ));
                    Some(Arc::new(campaign))
                }
                Err(Refusal::Later) => return,
                Err(Refusal::Declined(error)) => {
                    let reason = format!("{error:#}");
                    say(&format!(
                        "campaign {}: declined: {reason}",
                        announcement.name
                    ));
                    decline(state, short, reason).await;
                    None
                }
            };
            let mut joined = state.joined.lock().expect("nobody panics with it");
            joined.insert(short.to_string(), campaign);
        }
    }
}

/// Why a campaign is not joined.
enum Refusal {
    /// The server did not answer; it will.
    Later,
    /// It cannot be done here.
    Declined(anyhow::Error),
}

async fn join(
    state: &WorkerState,
    short: &str,
    announcement: &Announcement,
) -> Result<JoinedCampaign, Refusal> {
    let later = |_| Refusal::Later;
    let queues = Queues::find(&state.context, short).await.map_err(later)?;
    let queue = queues
        .shard_queue(announcement.lease())
        .await
        .map_err(later)?;
    let bytes = queues.get(&announcement.bundle).await.map_err(later)?;
    let bundle = Bundle::decode(&announcement.bundle, &bytes).map_err(Refusal::Declined)?;
    let mut objects = BTreeMap::new();
    for name in bundle.objects() {
        let bytes = queues.get(name).await.map_err(later)?;
        objects.insert(name.to_string(), bytes);
    }
    let worker = state.worker.clone();
    let opened = tokio::task::spawn_blocking(move || {
        // Target files are read at once; nothing of them is needed later.
        let scratch = Scratch::new().context("scratch folder")?;
        let folder = scratch.folder().context("scratch folder")?;
        let unpacked = bundle.unpack(&objects, folder.path())?;
        (worker.open)(unpacked)
    });
    let opened = opened.await.unwrap_or_else(|panic| Err(panic.into()));
    let runner = opened.map_err(Refusal::Declined)?;
    Ok(JoinedCampaign {
        queues,
        queue,
        runner: Arc::from(runner),
        announcement: announcement.clone(),
        stop: Arc::new(AtomicBool::new(false)),
    })
}

async fn decline(state: &WorkerState, short: &str, reason: String) {
    let Ok(queues) = Queues::find(&state.context, short).await else {
        return;
    };
    let batch = ResultBatch {
        worker: state.worker.name.clone(),
        shard: 0..0,
        news: News::Declined(reason),
        session: SessionRecord::default(),
        rows: Vec::new(),
    };
    // Only people read it.
    let _ = send(state, &queues, batch).await;
}

/// Sends a batch; it is stored on the server when this returns.
async fn send(state: &WorkerState, queues: &Queues, batch: ResultBatch) -> Result<()> {
    let number = state.batches.fetch_add(1, Ordering::Relaxed);
    let session = match batch.session.id.is_empty() {
        true => format!("{}-{}", batch.worker, std::process::id()),
        false => batch.session.id.clone(),
    };
    let bytes = batch.encode()?;
    // What was done is worth waiting for, also while we stop.
    let never = AtomicBool::new(false);
    let name = format!("{session}-{number}");
    let sent = queues.publish_result(&name, bytes, &never);
    match tokio::time::timeout(SEND_PATIENCE, sent).await {
        Ok(sent) => sent,
        Err(_) => anyhow::bail!("NATS: no answer for {} s", SEND_PATIENCE.as_secs()),
    }
}

/// A server that is away for longer is given up for this shard.
const SEND_PATIENCE: Duration = Duration::from_secs(300);

/// One task: takes a shard, does it when there is a permit, takes the next.
async fn run_task(state: Arc<WorkerState>, number: usize) {
    let mut turn = number;
    while !state.worker.stop.load(Ordering::Relaxed) {
        let open: Vec<Arc<JoinedCampaign>> = {
            let joined = state.joined.lock().expect("nobody panics with it");
            let open = joined.values().flatten();
            open.filter(|campaign| !campaign.stop.load(Ordering::Relaxed))
                .cloned()
                .collect()
        };
        if open.is_empty() {
            tokio::time::sleep(LOOK_EVERY / 4).await;
            continue;
        }
        turn = (turn + 1) % open.len();
        let campaign = &open[turn];
        // With several campaigns none of them may keep a task waiting.
        let Some(message) = pull(&campaign.queue, open.len() == 1).await else {
            if open.len() > 1 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            continue;
        };
        state.busy.fetch_add(1, Ordering::Relaxed);
        let done = take(&state, campaign, &message).await;
        state.busy.fetch_sub(1, Ordering::Relaxed);
        *state.last_work.lock().expect("nobody panics with it") = Instant::now();
        let failures = match done {
            Ok(()) => {
                state.failures.store(0, Ordering::Relaxed);
                0
            }
            Err(error) => {
                (state.worker.say)(&format!("{}: {error:#}", campaign.announcement.name));
                state.failures.fetch_add(1, Ordering::Relaxed) + 1
            }
        };
        if failures > 0 {
            // A machine where everything fails must not use up all tries.
            let pause = Duration::from_millis(100) * 2u32.pow(failures.min(8));
            tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
        }
    }
}

/// The next shard, if there is one soon.
async fn pull(queue: &PullConsumer, wait: bool) -> Option<Message> {
    let batch = match wait {
        true => queue.batch().max_messages(1).expires(PULL).messages().await,
        false => queue.fetch().max_messages(1).expires(PULL).messages().await,
    };
    let Ok(mut batch) = batch else {
        tokio::time::sleep(LOOK_EVERY).await;
        return None;
    };
    // A server that was killed meanwhile never ends the batch.
    let next = tokio::time::timeout(PULL + Duration::from_secs(1), batch.next()).await;
    next.ok().flatten().and_then(|message| message.ok())
}

/// Does one shard. An error means that it could not be done here and now.
async fn take(
    state: &Arc<WorkerState>,
    campaign: &Arc<JoinedCampaign>,
    message: &Message,
) -> Result<()> {
    let Ok(shard) = serde_json::from_slice::<Range<u64>>(&message.payload) else {
        let _ = message.ack_with(AckKind::Term).await;
        return Ok(());
    };
    let mut lease = tokio::time::interval(campaign.announcement.lease() / 3);
    lease.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let permit = permit(state, message, &mut lease).await?;
    if was_begun_too_often(campaign, message, &shard).await? {
        let news = News::Exhausted(MOST_TRIES);
        let empty = batch(state, &shard, news, Delivered::default());
        send(state, &campaign.queues, empty).await?;
        return acknowledge(message, AckKind::Term).await;
    }
    let schedule = schedule(campaign, &shard).await?;
    let began = Instant::now();
    let (running, mut receiver) = start(campaign, &shard, schedule);
    let mut unsent = Unsent::default();
    loop {
        tokio::select! {
            delivered = receiver.recv() => match delivered {
                None => break,
                Some((rows, session)) => {
                    unsent.add(rows, session);
                    if unsent.is_due() {
                        let more = batch(state, &shard, News::More, unsent.take());
                        send(state, &campaign.queues, more).await?;
                    }
                }
            },
            _ = lease.tick() => { let _ = message.ack_with(AckKind::Progress).await; }
        }
    }
    drop(permit);
    let ended = running.await.unwrap_or_else(|panic| Err(panic.into()));
    let cases = unsent.cases;
    let whole = cases == shard.end - shard.start;
    let news = match &ended {
        Ok(()) if whole => News::Done(began.elapsed().as_millis() as u64),
        Ok(()) => News::Stopped,
        Err(error) => News::Failed(format!("{error:#}")),
    };
    let last = batch(state, &shard, news, unsent.take());
    send(state, &campaign.queues, last).await?;
    state.cases.fetch_add(cases, Ordering::Relaxed);
    if whole {
        state.shards.fetch_add(1, Ordering::Relaxed);
        return acknowledge(message, AckKind::Ack).await;
    }
    let pause = ended.is_err().then_some(Duration::from_secs(1));
    let _ = message.ack_with(AckKind::Nak(pause)).await;
    ended
}

/// Cases that are done, and what the process has spent by then.
type Delivered = (Vec<CaseRecord>, SessionRecord);

/// Has a shard done on a thread of its own, and gives what comes of it.
fn start(
    campaign: &Arc<JoinedCampaign>,
    shard: &Range<u64>,
    schedule: Option<ScheduleRecord>,
) -> (JoinHandle<Result<()>>, mpsc::Receiver<Delivered>) {
    let (sender, receiver) = mpsc::channel::<Delivered>(2);
    let (of, range) = (campaign.clone(), shard.clone());
    let running = tokio::task::spawn_blocking(move || {
        of.runner
            .run(range, schedule, &of.stop, &mut |rows, session| {
                let sent = sender.blocking_send((rows, session.clone()));
                sent.context("the worker has stopped")
            })
    });
    (running, receiver)
}

/// True if a shard was begun so often that it is given up. Whoever only waited for its permit
/// next to a shard that kills is innocent: what counts is how often it was begun, not how
/// often it was delivered.
async fn was_begun_too_often(
    campaign: &JoinedCampaign,
    message: &Message,
    shard: &Range<u64>,
) -> Result<bool> {
    let deliveries = message.info().map_or(1, |info| info.delivered);
    Ok(deliveries > 1 && campaign.queues.begin(shard).await? + 1 >= MOST_TRIES)
}

fn batch(
    state: &WorkerState,
    shard: &Range<u64>,
    news: News,
    (rows, session): Delivered,
) -> ResultBatch {
    ResultBatch {
        worker: state.worker.name.clone(),
        shard: shard.clone(),
        news,
        session,
        rows,
    }
}

/// The leave to run, and signs of life until it is there. One that is lost costs a second run, no
/// more.
async fn permit<'a>(
    state: &'a WorkerState,
    message: &Message,
    lease: &mut tokio::time::Interval,
) -> Result<SemaphorePermit<'a>> {
    loop {
        tokio::select! {
            permit = state.permits.acquire() => return Ok(permit?),
            _ = lease.tick() => { let _ = message.ack_with(AckKind::Progress).await; }
        }
    }
}

/// The schedule that a shard's round is drawn by, if it has one.
async fn schedule(campaign: &JoinedCampaign, shard: &Range<u64>) -> Result<Option<ScheduleRecord>> {
    let round = campaign.runner.round(shard.start);
    if round == 0 {
        return Ok(None);
    }
    let bytes = campaign.queues.get(&schedule_name(round)).await?;
    Ok(Some(
        serde_json::from_slice(&bytes).context("a schedule of the campaign")?,
    ))
}

/// Tells the server that a shard is settled. If that fails, somebody does it
/// again, and its results count once.
async fn acknowledge(message: &Message, kind: AckKind) -> Result<()> {
    failpoint::reach(MESSAGE)?;
    for _ in 0..3 {
        if message.double_ack_with(kind).await.is_ok() {
            break;
        }
    }
    Ok(())
}

/// Results that are not sent yet.
#[derive(Default)]
struct Unsent {
    rows: Vec<CaseRecord>,
    session: SessionRecord,
    bytes: usize,
    since: Option<Instant>,
    cases: u64,
}

impl Unsent {
    fn add(&mut self, rows: Vec<CaseRecord>, session: SessionRecord) {
        self.since.get_or_insert_with(Instant::now);
        self.cases += rows.len() as u64;
        let size = |row: &CaseRecord| {
            let files = row.trigger.iter().flat_map(|trigger| &trigger.files);
            row.runs.bytes().len() + 32 + files.map(|file| file.content.len()).sum::<usize>()
        };
        self.bytes += rows.iter().map(size).sum::<usize>();
        self.rows.extend(rows);
        self.session = session;
    }

    fn is_due(&self) -> bool {
        let old = self
            .since
            .is_some_and(|since| since.elapsed() >= BATCH_EVERY);
        old || self.bytes >= BATCH_BYTES
    }

    fn take(&mut self) -> (Vec<CaseRecord>, SessionRecord) {
        self.since = None;
        self.bytes = 0;
        (std::mem::take(&mut self.rows), self.session.clone())
    }
}
