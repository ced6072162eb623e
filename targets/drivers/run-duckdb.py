"""Runs a script of SQL statements on DuckDB; see sql_session.py.

A setting is a statement that is run first.
"""

import duckdb
import sql_session


class Session(sql_session.Stored):
    def open(self):
        self.database = duckdb.connect(self.place, config={"threads": "1"})
        for setting in self.settings:
            self.database.execute(setting)

    def execute(self, statement):
        result = self.database.execute(statement)
        if sql_session.is_query(statement):
            while rows := result.fetchmany(1000):
                yield from rows


sql_session.main("duckdb " + duckdb.__version__, Session)
