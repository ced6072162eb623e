"""Runs a script of SQL statements on Turso; see sql_session.py.

A setting is a statement that is run first.
"""

import importlib.metadata

import sql_session
import turso


class Session(sql_session.Stored):
    def open(self):
        self.database = turso.connect(self.place, isolation_level=None, experimental_features="views,index_method")
        self.database.execute("PRAGMA foreign_keys = ON").fetchall()
        for setting in self.settings:
            self.database.execute(setting).fetchall()

    def execute(self, statement):
        return self.database.execute(statement).fetchall()


sql_session.main("turso " + importlib.metadata.version("pyturso"), Session)
