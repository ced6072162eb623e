-- Format 4. Times are microseconds, indices count from 0. `seal` is a checksum of
-- the row (store/seal.rs).
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    seal INTEGER AS (seal(key, value)) STORED
);
-- Where programs come from: a grammar or a folder, under a name; how many
-- cases were asked for.
CREATE TABLE theories (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    identity TEXT NOT NULL,
    cases INTEGER NOT NULL,
    seal INTEGER AS (seal(id, name, plan, identity, cases)) STORED
);
CREATE TABLE targets (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    reference INTEGER NOT NULL,
    hash TEXT NOT NULL,
    seal INTEGER AS (seal(id, name, reference, hash)) STORED
);
-- One row per case; `failure` is the reason why it was not run.
CREATE TABLE cases (
    theory INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    failure TEXT,
    seal INTEGER AS (seal(theory, idx, bytes, failure)) STORED,
    PRIMARY KEY (theory, idx)
) WITHOUT ROWID;
-- One row per case and target: the outcome's name, its answer (JSON) or
-- message, its times, what it printed. `again` is 0, or 1 if a second run
-- ended in the same way, or 2 if it did not.
CREATE TABLE cells (
    theory INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    target INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    detail TEXT NOT NULL,
    wall INTEGER NOT NULL,
    cpu INTEGER NOT NULL,
    output INTEGER NOT NULL,
    dropped INTEGER NOT NULL,
    again INTEGER NOT NULL,
    seal INTEGER AS (
        seal(theory, idx, target, outcome, detail, wall, cpu, output, dropped, again)
    ) STORED,
    PRIMARY KEY (theory, idx, target)
) WITHOUT ROWID;
-- Versions print the same: each text is kept once, by its hash.
CREATE TABLE outputs (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    text BLOB NOT NULL,
    seal INTEGER AS (seal(id, hash, text)) STORED
);
