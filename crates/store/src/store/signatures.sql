-- What is asked of all symptoms of a signature, kept up as they come: a list
-- of a hundred thousand findings is read page by page. It can be made again
-- from the symptoms (store/signatures.rs).
CREATE TABLE signatures (
    signature TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    family TEXT NOT NULL,
    cases INTEGER NOT NULL,
    flaky_cases INTEGER NOT NULL,
    first_idx INTEGER NOT NULL,
    -- The smallest case: one that shows it every time comes first.
    best_flaky INTEGER NOT NULL,
    best_bytes INTEGER NOT NULL,
    best_idx INTEGER NOT NULL,
    known TEXT,
    seal INTEGER AS (seal(signature, kind, family, cases, flaky_cases, first_idx, best_flaky, best_bytes, best_idx, known)) STORED
) WITHOUT ROWID;
CREATE INDEX signatures_by_best ON signatures (best_idx);
-- All that the usual list asks for, in its order.
CREATE INDEX signatures_by_kind ON signatures (kind, signature, family, known);
CREATE TRIGGER symptoms_counted AFTER INSERT ON symptoms BEGIN
    INSERT INTO signatures VALUES (
        NEW.signature, NEW.kind, NEW.family,
        1, NEW.shown < NEW.replays, NEW.idx, NEW.shown < NEW.replays, NEW.bytes, NEW.idx, NEW.known
    ) ON CONFLICT (signature) DO UPDATE SET cases = cases + 1,
        flaky_cases = flaky_cases + excluded.flaky_cases,
        first_idx = MIN(first_idx, excluded.first_idx);
    UPDATE signatures SET best_flaky = NEW.shown < NEW.replays, best_bytes = NEW.bytes,
        best_idx = NEW.idx, known = NEW.known
    WHERE signature = NEW.signature
        AND (NEW.shown < NEW.replays, NEW.bytes, NEW.idx) < (best_flaky, best_bytes, best_idx);
END;
