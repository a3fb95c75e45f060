"""The person's time zone by its name, so that a day with a clock change is known beforehand.

A moment from the system carries an offset only, which is right for that moment and no other.
"""

from __future__ import annotations

import logging
import warnings
from datetime import datetime, tzinfo

log = logging.getLogger(__name__)


def local_zone() -> tzinfo:
    """The zone as it is set now; it may be set anew while Daybank runs. Where it has no name, the
    offset of this moment. Reads small files: for a worker. Never raises."""
    import tzlocal

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tzlocal.reload_localzone()
    except (LookupError, ValueError, OSError):
        log.debug("The time zone has no name here", exc_info=True)
        return system_offset()


def system_offset() -> tzinfo:
    zone = datetime.now().astimezone().tzinfo
    assert zone is not None
    return zone
