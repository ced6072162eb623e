-- Format 7. Times are microseconds, indices count from 0. `seal` is a checksum of
-- the row (store/seal.rs).
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    seal INTEGER AS (seal(key, value)) STORED
);
-- One row per finished case. `failure` and `runs` are written and read by
-- record/failure.rs and record/case.rs.
CREATE TABLE cases (
    idx INTEGER PRIMARY KEY,
    strategy INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    failure TEXT,
    unconfirmed INTEGER NOT NULL,
    runs BLOB NOT NULL,
    -- The schedule that it was drawn by, 0 if none, and the arms that it took
    -- (record/schedule.rs).
    schedule INTEGER NOT NULL,
    arms TEXT NOT NULL,
    seal INTEGER AS (seal(idx, strategy, bytes, failure, unconfirmed, runs, schedule, arms)) STORED
);
-- How the cases of a round of a shard are drawn, as JSON. Rows are only added.
CREATE TABLE schedules (
    id INTEGER PRIMARY KEY,
    shard INTEGER NOT NULL,
    shards INTEGER NOT NULL,
    round INTEGER NOT NULL,
    record TEXT NOT NULL,
    seal INTEGER AS (seal(id, shard, shards, round, record)) STORED
);
CREATE TABLE symptoms (
    idx INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    signature TEXT NOT NULL,
    kind TEXT NOT NULL,
    family TEXT NOT NULL,
    target TEXT NOT NULL,
    against TEXT NOT NULL,
    program INTEGER NOT NULL,
    evidence TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    known TEXT,
    -- So many replays showed it, of so many.
    shown INTEGER NOT NULL,
    replays INTEGER NOT NULL,
    seal INTEGER AS (seal(idx, seq, signature, kind, family, target, against, program, evidence, bytes, known, shown, replays)) STORED,
    PRIMARY KEY (idx, seq)
) WITHOUT ROWID;
CREATE INDEX symptoms_by_signature ON symptoms (signature, bytes, idx);
-- How far the oracles could judge: the target's number in the plan, what was
-- remarked, whether it decides, how often in this case.
CREATE TABLE remarks (
    idx INTEGER NOT NULL,
    target INTEGER NOT NULL,
    what TEXT NOT NULL,
    decided INTEGER NOT NULL,
    count INTEGER NOT NULL,
    seal INTEGER AS (seal(idx, target, what, decided, count)) STORED,
    PRIMARY KEY (idx, target, what)
) WITHOUT ROWID;
-- The smallest case of each signature, whole.
CREATE TABLE triggers (
    idx INTEGER PRIMARY KEY,
    record TEXT NOT NULL,
    seal INTEGER AS (seal(idx, record)) STORED
);
CREATE TABLE trigger_files (
    idx INTEGER NOT NULL,
    path TEXT NOT NULL,
    content BLOB NOT NULL,
    seal INTEGER AS (seal(idx, path, content)) STORED,
    PRIMARY KEY (idx, path)
) WITHOUT ROWID;
-- The reduced case of a signature, as for triggers.
CREATE TABLE reductions (
    signature TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL,
    shown TEXT NOT NULL,
    evidence TEXT NOT NULL,
    record TEXT NOT NULL,
    seal INTEGER AS (seal(signature, bytes, shown, evidence, record)) STORED
) WITHOUT ROWID;
CREATE TABLE reduction_files (
    signature TEXT NOT NULL,
    path TEXT NOT NULL,
    content BLOB NOT NULL,
    seal INTEGER AS (seal(signature, path, content)) STORED,
    PRIMARY KEY (signature, path)
) WITHOUT ROWID;
-- What the versions of a family show of a finding: bad, good, unclear.
CREATE TABLE versions (
    signature TEXT NOT NULL,
    version TEXT NOT NULL,
    seen TEXT NOT NULL,
    said TEXT NOT NULL,
    seal INTEGER AS (seal(signature, version, seen, said)) STORED,
    PRIMARY KEY (signature, version)
) WITHOUT ROWID;
-- What people decided about findings; the record is JSON. Rows are only added.
CREATE TABLE decisions (
    id TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    record TEXT NOT NULL,
    seal INTEGER AS (seal(id, at_ms, record)) STORED
) WITHOUT ROWID;
-- One row per process that worked on the campaign.
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    started_ms INTEGER NOT NULL,
    wall INTEGER NOT NULL,
    make_cpu INTEGER NOT NULL,
    judge_cpu INTEGER NOT NULL,
    targets_cpu INTEGER NOT NULL,
    own_cpu INTEGER NOT NULL,
    -- Binaries, target files and lydite itself, as JSON.
    provenance TEXT NOT NULL,
    seal INTEGER AS (seal(id, started_ms, wall, make_cpu, judge_cpu, targets_cpu, own_cpu, provenance)) STORED
);
-- What each of them did over time. `second` is where a span begins, counted
-- from the start of the process; spans grow with it.
CREATE TABLE pace (
    session TEXT NOT NULL,
    second INTEGER NOT NULL,
    cases INTEGER NOT NULL,
    runs INTEGER NOT NULL,
    seal INTEGER AS (seal(session, second, cases, runs)) STORED,
    PRIMARY KEY (session, second)
) WITHOUT ROWID;
-- Which cases are finished: one bit for each of 8192, none if all are.
CREATE TABLE done (
    stretch INTEGER PRIMARY KEY,
    bits BLOB NOT NULL,
    seal INTEGER AS (seal(stretch, bits)) STORED
);
-- Sums over all cases (store/sums.rs): of what, which target, which name.
CREATE TABLE sums (
    what TEXT NOT NULL,
    target INTEGER NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    seal INTEGER AS (seal(what, target, name, count)) STORED,
    PRIMARY KEY (what, target, name)
) WITHOUT ROWID;
-- As what the folder of each finding was written last.
CREATE TABLE written (
    signature TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    seal INTEGER AS (seal(signature, state)) STORED
) WITHOUT ROWID;
