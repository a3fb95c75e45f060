"""What the log files may hold: no password or key, no endless line, no endless file.

Any thread. A filter on the handler sees every line before it is written, whichever library it is
of; it changes the line and never drops one.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path

from daybank.secrets import mask

LONGEST_LINE = 8000
CRASH_LOG_BYTES = 200_000
_FORMATTER = logging.Formatter()


class SecretFilter(logging.Filter):
    """Shows every secret as ``[hidden]``, also in tracebacks. Put it on each handler."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always True; the record's text is what may be written."""
        try:
            message = record.getMessage()
        except (TypeError, ValueError, KeyError):  # the arguments do not fit: a bug of the caller
            message = f"A line of {record.name} could not be made"
        record.msg, record.args = _clean(message), None
        if record.exc_info and record.exc_info[0] is not None and not record.exc_text:
            record.exc_text = _FORMATTER.formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = _clean(record.exc_text)
        if record.stack_info:
            record.stack_info = _clean(record.stack_info)
        return True


def keep_end(path: Path, most: int = CRASH_LOG_BYTES) -> None:
    """Shorten a file that others append to, to its last ``most`` bytes at whole lines. Call it
    before the file is opened. Does nothing where the file is short, or cannot be written."""
    try:
        if path.stat().st_size <= most:
            return
        with path.open("rb") as file:
            file.seek(-most, os.SEEK_END)
            end = file.read()
        fresh = path.with_name(path.name + ".new")
        fresh.write_bytes(end[end.find(b"\n") + 1 :])
        os.replace(fresh, path)
    except OSError:
        return


def _clean(text: str) -> str:
    if len(text) > LONGEST_LINE:  # the end of a traceback says most
        half = LONGEST_LINE // 2
        text = f"{text[:half]} … {text[-half:]}"
    return mask(text)
