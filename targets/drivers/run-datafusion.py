"""Runs a script of SQL statements on DataFusion; see sql_session.py.

A setting is a configuration of the session: `datafusion.execution.batch_size=1`.
"""

import datafusion
import sql_session


class Session:
    def __init__(self, settings):
        # As many partitions on every machine.
        config = {"datafusion.execution.target_partitions": "4"}
        config.update(setting.split("=", 1) for setting in settings)
        self.context = datafusion.SessionContext(datafusion.SessionConfig(config))

    def execute(self, statement):
        batches = self.context.sql(statement).collect()
        if sql_session.is_query(statement):
            for batch in batches:
                yield from zip(*(column.to_pylist() for column in batch.columns))

    def close(self):
        pass


sql_session.main("datafusion " + datafusion.__version__, Session)
