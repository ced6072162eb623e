"""Runs a script of SQL statements on the SQLite that APSW has inside; see
sql_session.py.

A setting is a statement that is run first.
"""

import apsw
import sql_session


class Session:
    def __init__(self, settings):
        self.database = apsw.Connection(":memory:")
        for setting in settings:
            self.database.execute(setting)

    def execute(self, statement):
        return list(self.database.execute(statement))

    def close(self):
        self.database.close()


sql_session.main("sqlite " + apsw.sqlite_lib_version(), Session)
