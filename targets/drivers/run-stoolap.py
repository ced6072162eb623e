"""Runs a script of SQL statements on Stoolap; see sql_session.py.

The package is a library without a module: it is called through its C interface. A
value is printed as the library says it, but for truth values and missing ones. A
setting is a statement that is run first.
"""

import ctypes
import os
import shutil

import sql_session

ROW, BOOLEAN = 100, 4
HERE = os.path.dirname(os.path.abspath(__file__))
HANDLE, TEXT = ctypes.c_void_p, ctypes.c_char_p
ROWS_OF_VALUE = [HANDLE, ctypes.c_int32]

library = ctypes.CDLL(os.path.join(os.path.dirname(HERE), "package", "libstoolap.so"))
for name, result, arguments in [
    ("version", TEXT, []),
    ("open", ctypes.c_int32, [TEXT, ctypes.POINTER(HANDLE)]),
    ("close", ctypes.c_int32, [HANDLE]),
    ("errmsg", TEXT, [HANDLE]),
    ("query", ctypes.c_int32, [HANDLE, TEXT, ctypes.POINTER(HANDLE)]),
    ("exec", ctypes.c_int32, [HANDLE, TEXT, ctypes.POINTER(ctypes.c_int64)]),
    ("rows_next", ctypes.c_int32, [HANDLE]),
    ("rows_errmsg", TEXT, [HANDLE]),
    ("rows_close", None, [HANDLE]),
    ("rows_column_count", ctypes.c_int32, [HANDLE]),
    ("rows_column_type", ctypes.c_int32, ROWS_OF_VALUE),
    ("rows_column_is_null", ctypes.c_int32, ROWS_OF_VALUE),
    ("rows_column_bool", ctypes.c_int32, ROWS_OF_VALUE),
    ("rows_column_text", TEXT, [*ROWS_OF_VALUE, ctypes.POINTER(ctypes.c_int64)]),
]:
    function = getattr(library, "stoolap_" + name)
    function.restype, function.argtypes = result, arguments


class StoolapError(Exception):
    pass


def said(message):
    return StoolapError(message.decode("utf-8", "backslashreplace") if message else "no message")


def value(rows, column):
    if library.stoolap_rows_column_is_null(rows, column):
        return None
    if library.stoolap_rows_column_type(rows, column) == BOOLEAN:
        return bool(library.stoolap_rows_column_bool(rows, column))
    return library.stoolap_rows_column_text(rows, column, None)


class Session(sql_session.Stored):
    """What is stored is a folder."""

    def __init__(self, settings, reopens=False):
        shutil.rmtree(self.FILE, ignore_errors=True)
        super().__init__(settings, reopens)

    def open(self):
        in_memory = self.place == ":memory:"
        place = "memory://" if in_memory else "file://" + os.path.abspath(self.place)
        self.database = HANDLE()
        if library.stoolap_open(place.encode(), ctypes.byref(self.database)) != 0:
            raise said(library.stoolap_errmsg(None))
        for setting in self.settings:
            self.execute(setting)

    def execute(self, statement):
        if not sql_session.is_query(statement):
            changed = ctypes.c_int64()
            if library.stoolap_exec(self.database, statement.encode(), ctypes.byref(changed)) != 0:
                raise said(library.stoolap_errmsg(self.database))
            return
        rows = HANDLE()
        if library.stoolap_query(self.database, statement.encode(), ctypes.byref(rows)) != 0:
            raise said(library.stoolap_errmsg(self.database))
        try:
            columns = range(library.stoolap_rows_column_count(rows))
            while (state := library.stoolap_rows_next(rows)) == ROW:
                yield [value(rows, column) for column in columns]
            if state == 1:
                raise said(library.stoolap_rows_errmsg(rows))
        finally:
            library.stoolap_rows_close(rows)

    def close(self):
        library.stoolap_close(self.database)


sql_session.main("stoolap " + library.stoolap_version().decode(), Session)
