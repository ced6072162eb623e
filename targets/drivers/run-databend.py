"""Runs a script of SQL statements on Databend inside the process; see sql_session.py.

It keeps its files in the folder that it is started in: a folder of its own. A setting is one of
Databend's: `max_threads=1`.
"""

import importlib.metadata
import os
import tempfile

import databend
import sql_session


class Session:
    server = None
    used_up = False

    def __init__(self, settings):
        if Session.used_up:
            raise sql_session.UsedUp
        if Session.server is None:
            here = os.getcwd()
            os.chdir(tempfile.mkdtemp())
            Session.server = databend.SessionContext()
            os.chdir(here)
            # As many threads on every machine.
            for setting in ("max_threads=2", *settings):
                self.run("SET " + setting)
        for name in ("script", "s1"):
            self.run("DROP DATABASE IF EXISTS " + name)
        self.run("CREATE DATABASE script")
        self.run("USE script")

    def run(self, statement):
        return self.server.sql(statement).to_py_arrow()

    def execute(self, statement):
        Session.used_up |= not sql_session.stays_inside(statement)
        batches = self.run(statement)
        if sql_session.is_query(statement):
            for batch in batches:
                yield from zip(*(column.to_pylist() for column in batch.columns))

    def close(self):
        pass


sql_session.main("databend " + importlib.metadata.version("databend"), Session)
