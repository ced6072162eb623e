"""Runs a script of SQL statements on Turso; see sql_session.py.

A setting is a statement that is run first.
"""

import importlib.metadata

import sql_session
import turso


class Session:
    def __init__(self, settings):
        self.database = turso.connect(":memory:", isolation_level=None, experimental_features="views,index_method")
        for setting in settings:
            self.database.execute(setting).fetchall()

    def execute(self, statement):
        return self.database.execute(statement).fetchall()

    def close(self):
        self.database.close()


sql_session.main("turso " + importlib.metadata.version("pyturso"), Session)
