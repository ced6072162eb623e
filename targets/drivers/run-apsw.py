"""Runs a script of SQL statements on the SQLite that APSW has inside; see
sql_session.py.

A setting is a statement that is run first.
"""

import apsw
import sql_session


class Session(sql_session.Stored):
    def open(self):
        self.database = apsw.Connection(self.place)
        self.database.execute("PRAGMA foreign_keys = ON")
        for setting in self.settings:
            self.database.execute(setting)

    def execute(self, statement):
        return list(self.database.execute(statement))


sql_session.main("sqlite " + apsw.sqlite_lib_version(), Session)
