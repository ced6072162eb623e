"""Runs a script of SQL statements on ClickHouse inside the process (chDB); see
sql_session.py.

It is told to do as the standard says: columns may be NULL, an outer join fills up
with NULL, a set operation without a word is DISTINCT, changes are done when they
are said to be, and tables can be updated. A setting is one of ClickHouse's: `optimize_move_to_prewhere=0`.
"""

import importlib.metadata
import json
import re
import tempfile

import sql_session
from chdb import session

STANDARD = (
    "data_type_default_nullable=1",
    "join_use_nulls=1",
    "aggregate_functions_null_for_empty=1",
    "union_default_mode='DISTINCT'",
    "except_default_mode='DISTINCT'",
    "intersect_default_mode='DISTINCT'",
    "cast_keep_nullable=1",
    "prefer_column_name_to_alias=1",
    "transform_null_in=0",
    "mutations_sync=2",
    "lightweight_deletes_sync=2",
    "allow_create_index_without_type=1",
    "use_variant_as_common_type=0",
    "create_table_empty_primary_key_by_default=1",
    "output_format_json_quote_64bit_integers=0",
    "max_threads=2",
)
# Of columns, not of a query.
TABLE = re.compile(r"create\s+table\s+\w+\s*\([^;]*\)$", re.IGNORECASE)
UPDATED = " SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1"


class Session:
    server = None
    used_up = False

    def __init__(self, settings):
        if Session.used_up:
            raise sql_session.UsedUp
        if Session.server is None:
            # Without a folder it takes one of /tmp, and leaves it there if it is ended.
            Session.server = session.Session(tempfile.mkdtemp())
            for setting in (*STANDARD, *settings):
                self.server.query("SET " + setting)
        self.server.query("DROP DATABASE IF EXISTS test")
        self.server.query("CREATE DATABASE test ENGINE = Atomic")
        self.server.query("USE test")

    def execute(self, statement):
        Session.used_up |= not sql_session.stays_inside(statement)
        if TABLE.match(statement):
            statement += UPDATED
        result = str(self.server.query(statement, "JSONCompactEachRow"))
        if sql_session.is_query(statement):
            yield from map(json.loads, result.splitlines())

    def close(self):
        pass


sql_session.main("chdb " + importlib.metadata.version("chdb-core"), Session)
