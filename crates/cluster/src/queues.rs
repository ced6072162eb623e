//! The names of everything that a campaign has on the server, and how it is
//! made: a queue of shards, a queue of results, a bucket for what travels,
//! and one list of the campaigns that are open.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, Result};
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::Context as JetStream;
use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{kv, message::PublishMessage};
use lydite_process::failpoint;
use serde::{Deserialize, Serialize};
use tokio::io::AsyncReadExt;

use crate::server::{MESSAGE, at_first, persist};

/// The bucket with the list of open campaigns, and the one key in it.
const BUCKET: &str = "lydite";
const OPEN: &str = "open";

/// The consumers that pull: all workers share one, the coordinator has the other.
const WORKERS: &str = "workers";
const COORDINATOR: &str = "coordinator";

/// How many pulls may wait at once: one per task.
const MOST_WAITING: i64 = 100_000;

/// An open campaign, as workers see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Announcement {
    /// The campaign's name, for people.
    pub name: String,
    /// The object that holds its bundle.
    pub bundle: String,
    /// How long a shard may go without a sign of life.
    pub lease_ms: u64,
    /// True if no more shards are to be begun.
    pub closing: bool,
}

impl Announcement {
    pub(crate) fn lease(&self) -> Duration {
        Duration::from_millis(self.lease_ms.max(100))
    }
}

/// The campaigns that are open, by the short form of their identity.
pub(crate) type Announcements = BTreeMap<String, Announcement>;

/// What a campaign has on the server.
pub(crate) struct Queues {
    context: JetStream,
    short: String,
    pub(crate) shards: Stream,
    pub(crate) results: Stream,
    pub(crate) objects: ObjectStore,
}

/// Enough of an identity to tell campaigns apart.
pub(crate) fn short(id: &str) -> &str {
    id.get(..16).unwrap_or(id)
}

impl Queues {
    /// Makes what is not there yet.
    pub(crate) async fn create(context: &JetStream, id: &str) -> Result<Queues> {
        let short = short(id).to_string();
        let stream = |kind: &str| Config {
            name: format!("lydite-{short}-{kind}"),
            subjects: vec![format!("lydite.{short}.{kind}")],
            retention: RetentionPolicy::WorkQueue,
            storage: StorageType::File,
            ..Config::default()
        };
        let (shards, results) = (stream("shards"), stream("results"));
        let what = "NATS: a stream cannot be made (is JetStream switched on?)";
        let shards = at_first(what, || context.get_or_create_stream(shards.clone())).await?;
        let results = at_first(what, || context.get_or_create_stream(results.clone())).await?;
        let bucket = format!("lydite-{short}");
        let objects = at_first("NATS: a bucket cannot be made", || async {
            match context.get_object_store(&bucket).await {
                Ok(store) => Ok(store),
                Err(_) => {
                    let config = object_store::Config {
                        bucket: bucket.clone(),
                        storage: StorageType::File,
                        ..object_store::Config::default()
                    };
                    context.create_object_store(config).await
                }
            }
        })
        .await?;
        Ok(Queues {
            context: context.clone(),
            short,
            shards,
            results,
            objects,
        })
    }

    /// Finds what a coordinator has made.
    pub(crate) async fn find(context: &JetStream, short: &str) -> Result<Queues> {
        let stream = |kind: &str| format!("lydite-{short}-{kind}");
        Ok(Queues {
            shards: context.get_stream(stream("shards")).await?,
            results: context.get_stream(stream("results")).await?,
            objects: context.get_object_store(format!("lydite-{short}")).await?,
            context: context.clone(),
            short: short.to_string(),
        })
    }

    /// Where workers pull shards from.
    pub(crate) async fn shard_queue(&self, lease: Duration) -> Result<PullConsumer> {
        let config = pull::Config {
            max_waiting: MOST_WAITING,
            ..queue(WORKERS, lease)
        };
        let made = self.shards.get_or_create_consumer(WORKERS, config).await;
        made.context("NATS: the queue of shards")
    }

    /// Where the coordinator pulls results from.
    pub(crate) async fn result_queue(&self) -> Result<PullConsumer> {
        let config = queue(COORDINATOR, Duration::from_secs(60));
        let made = self
            .results
            .get_or_create_consumer(COORDINATOR, config)
            .await;
        made.context("NATS: the queue of results")
    }

    /// Publishes shards; they are stored when this returns.
    pub(crate) async fn publish_shards(
        &self,
        shards: &[Range<u64>],
        stop: &AtomicBool,
    ) -> Result<()> {
        let subject = format!("lydite.{}.shards", self.short);
        persist("NATS: shards", stop, || async {
            let mut acks = Vec::new();
            for shard in shards {
                let payload = serde_json::to_vec(shard)?;
                failpoint::reach(MESSAGE)?;
                acks.push(
                    self.context
                        .publish(subject.clone(), payload.into())
                        .await?,
                );
            }
            for ack in acks {
                ack.await?;
            }
            anyhow::Ok(())
        })
        .await
    }

    /// Publishes a result under a name that makes a second try harmless; it
    /// is stored when this returns. What is too large for a message goes
    /// through the bucket.
    pub(crate) async fn publish_result(
        &self,
        name: &str,
        bytes: Vec<u8>,
        stop: &AtomicBool,
    ) -> Result<()> {
        let limit = self.context.client().server_info().max_payload;
        let payload = match bytes.len() + 1024 < limit {
            true => bytes,
            false => {
                let object = format!("batch-{name}");
                persist("NATS: a large result", stop, || self.put(&object, &bytes)).await?;
                format!("{OBJECT}{object}").into_bytes()
            }
        };
        let subject = format!("lydite.{}.results", self.short);
        persist("NATS: results", stop, || async {
            failpoint::reach(MESSAGE)?;
            let message = PublishMessage::build()
                .message_id(name)
                .payload(payload.clone().into());
            self.context
                .send_publish(subject.clone(), message)
                .await?
                .await?;
            anyhow::Ok(())
        })
        .await
    }

    /// What a result message stands for, and the object to remove when it is
    /// stored.
    pub(crate) async fn result(&self, payload: &[u8]) -> Result<(Vec<u8>, Option<String>)> {
        let object = payload.strip_prefix(OBJECT.as_bytes());
        let Some(object) = object.and_then(|name| std::str::from_utf8(name).ok()) else {
            return Ok((payload.to_vec(), None));
        };
        Ok((self.get(object).await?, Some(object.to_string())))
    }

    /// Notes that a shard is begun once more; says how often it was before.
    pub(crate) async fn begin(&self, shard: &Range<u64>) -> Result<u64> {
        let name = format!("begun-{}-{}", shard.start, shard.end);
        // Nothing is there before the first time.
        let noted = self.get(&name).await.unwrap_or_default();
        let before = String::from_utf8_lossy(&noted).parse().unwrap_or(0);
        self.put(&name, (before + 1_u64).to_string().as_bytes())
            .await?;
        Ok(before)
    }

    /// Puts an object, unless one of that name is there: names are hashes.
    pub(crate) async fn put_once(&self, name: &str, bytes: &[u8]) -> Result<()> {
        match self.objects.info(name).await {
            Ok(info) if info.size == bytes.len() && !info.deleted => Ok(()),
            _ => self.put(name, bytes).await,
        }
    }

    async fn put(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let mut reader = bytes;
        failpoint::reach(MESSAGE)?;
        self.objects.put(name, &mut reader).await?;
        Ok(())
    }

    /// Gets an object.
    pub(crate) async fn get(&self, name: &str) -> Result<Vec<u8>> {
        let context = || format!("NATS: object {name}");
        let mut object = self.objects.get(name).await.with_context(context)?;
        let mut bytes = Vec::new();
        object.read_to_end(&mut bytes).await.with_context(context)?;
        Ok(bytes)
    }

    /// The shards that are in the queue, taken or not.
    pub(crate) async fn queued_shards(&self) -> Result<Vec<Range<u64>>> {
        let state = self.shards.get_info().await?.state;
        let mut shards = Vec::new();
        if state.messages == 0 {
            return Ok(shards);
        }
        for sequence in state.first_sequence..=state.last_sequence {
            // One that was done meanwhile is not there any more.
            if let Ok(message) = self.shards.get_raw_message(sequence).await {
                shards.extend(serde_json::from_slice::<Range<u64>>(&message.payload).ok());
            }
        }
        Ok(shards)
    }

    /// Removes everything that the campaign has on the server.
    pub(crate) async fn remove(&self) -> Result<()> {
        for kind in ["shards", "results"] {
            let name = format!("lydite-{}-{kind}", self.short);
            failpoint::reach(MESSAGE)?;
            self.context.delete_stream(name).await?;
        }
        let bucket = format!("lydite-{}", self.short);
        failpoint::reach(MESSAGE)?;
        self.context.delete_object_store(bucket).await?;
        Ok(())
    }
}

/// A result that is in the bucket.
const OBJECT: &str = "object ";

/// A shared queue: who takes a message has it until it is acknowledged or the
/// lease runs out.
fn queue(name: &str, lease: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(name.to_string()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease,
        max_deliver: -1,
        max_ack_pending: MOST_WAITING,
        ..pull::Config::default()
    }
}

/// The bucket with the list of open campaigns.
pub(crate) async fn list(context: &JetStream) -> Result<kv::Store> {
    at_first("NATS: the list of campaigns", || async {
        match context.get_key_value(BUCKET).await {
            Ok(store) => anyhow::Ok(store),
            Err(_) => {
                // By task: the client's own way asks for the account first and
                // cannot read what servers before 2.10 answer.
                let config = Config {
                    name: format!("KV_{BUCKET}"),
                    subjects: vec![format!("$KV.{BUCKET}.>")],
                    max_messages_per_subject: 1,
                    storage: StorageType::File,
                    discard: DiscardPolicy::New,
                    allow_rollup: true,
                    deny_delete: true,
                    allow_direct: true,
                    ..Config::default()
                };
                context.create_stream(config).await?;
                Ok(context.get_key_value(BUCKET).await?)
            }
        }
    })
    .await
}

/// The campaigns that are open.
pub(crate) async fn read(list: &kv::Store) -> Result<Announcements> {
    match list.get(OPEN).await? {
        None => Ok(Announcements::new()),
        Some(bytes) => serde_json::from_slice(&bytes).context("NATS: the list of campaigns"),
    }
}

/// Changes the list; if somebody else did meanwhile, again.
pub(crate) async fn change(
    list: &kv::Store,
    stop: &AtomicBool,
    edit: &dyn Fn(&mut Announcements),
) -> Result<()> {
    persist("NATS: the list of campaigns", stop, || async {
        let entry = list.entry(OPEN).await?;
        let entry = entry.filter(|entry| entry.operation == kv::Operation::Put);
        let mut announcements: Announcements = match &entry {
            Some(entry) => serde_json::from_slice(&entry.value).unwrap_or_default(),
            None => Announcements::new(),
        };
        edit(&mut announcements);
        let value = serde_json::to_vec(&announcements)?.into();
        failpoint::reach(MESSAGE)?;
        match entry {
            Some(entry) => list.update(OPEN, value, entry.revision).await?,
            None => list.create(OPEN, value).await?,
        };
        anyhow::Ok(())
    })
    .await
}
