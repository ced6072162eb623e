"""Runs a script of SQL statements on Polars; see sql_session.py.

Polars' SQL queries frames, so the driver makes them: CREATE TABLE is an empty frame
with a schema, INSERT adds what Polars itself makes of the VALUES, and CREATE VIEW is
a query that is not yet carried out. A setting `eager` carries them out at once;
other settings are switches of the optimizer that are turned off:
`predicate_pushdown`.
"""

import re

import polars
import sql_session

TABLE = re.compile(r"create\s+(?:temp\s+)?table\s+(\w+)\s*\((.*)\)$", re.IGNORECASE | re.DOTALL)
INSERT = re.compile(r"insert\s+into\s+(\w+)\s+(values\b.*)$", re.IGNORECASE | re.DOTALL)
VIEW = re.compile(r"create\s+(?:temp\s+)?view\s+(\w+)\s+as\s+(.*)$", re.IGNORECASE | re.DOTALL)
COLUMN = re.compile(r"\s*(\w+)\s+(\w+)")
TYPES = {
    "BIGINT": polars.Int64,
    "INTEGER": polars.Int32,
    "SMALLINT": polars.Int16,
    "BOOLEAN": polars.Boolean,
    "VARCHAR": polars.String,
    "TEXT": polars.String,
}


class Session:
    def __init__(self, settings):
        self.context = polars.SQLContext()
        self.frames = {}
        self.flags = polars.QueryOptFlags()
        for setting in settings:
            setattr(self.flags, setting, False)

    def put(self, name, frame):
        self.context.register(name, frame)

    def execute(self, statement):
        if made := TABLE.match(statement):
            columns = [COLUMN.match(part) for part in re.split(r",(?![^(]*\))", made[2])]
            schema = {c[1]: TYPES[c[2].upper()] for c in columns if c and c[2].upper() in TYPES}
            self.frames[made[1]] = polars.DataFrame(schema=schema)
            self.put(made[1], self.frames[made[1]])
        elif filled := INSERT.match(statement):
            frame = self.frames[filled[1]]
            names = ", ".join(frame.columns)
            rows = self.context.execute("SELECT * FROM (%s) AS v(%s)" % (filled[2], names), eager=True)
            self.frames[filled[1]] = frame.vstack(rows.cast(frame.schema))
            self.put(filled[1], self.frames[filled[1]])
        elif viewed := VIEW.match(statement):
            self.put(viewed[1], self.context.execute(viewed[2], eager=False))
        else:
            result = self.context.execute(statement, eager=False).collect(optimizations=self.flags)
            return result.rows() if sql_session.is_query(statement) else None
        return None

    def close(self):
        pass


sql_session.main("polars " + polars.__version__, Session)
