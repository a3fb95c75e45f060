"""Whether the computer runs on its battery. Asked on a worker: it reads files or runs a program.

Where that cannot be told, it runs on mains: waiting for power that nobody sees would be waiting
for ever.
"""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

log = logging.getLogger(__name__)

LINUX_SUPPLIES = Path("/sys/class/power_supply")
_MAC_WITHIN = 1.0


def on_battery() -> bool:
    """Never raises."""
    try:
        if sys.platform == "win32":
            return _windows_on_battery()
        if sys.platform == "darwin":
            return _mac_on_battery()
        return linux_on_battery(LINUX_SUPPLIES)
    except (OSError, ValueError, subprocess.SubprocessError):
        log.debug("The power supply cannot be read", exc_info=True)
        return False


def linux_on_battery(supplies: Path) -> bool:
    """Whether a battery of the computer itself is discharging and no supply is plugged in. The
    batteries of a mouse or a headset do not count."""
    is_discharging = False
    for place in sorted(supplies.iterdir()) if supplies.is_dir() else ():
        kind = _word(place / "type")
        if kind in ("Mains", "USB") and _word(place / "online") == "1":
            return False
        if kind == "Battery" and _word(place / "scope") != "Device":
            is_discharging |= _word(place / "status") == "Discharging"
    return is_discharging


def mac_says_battery(told: str) -> bool:
    """What ``pmset -g batt`` says on its first line."""
    return "'battery power'" in told.split("\n", 1)[0].lower()


def _mac_on_battery() -> bool:
    told = subprocess.run(
        ["/usr/bin/pmset", "-g", "batt"],
        capture_output=True,
        text=True,
        timeout=_MAC_WITHIN,
        check=True,
    )
    return mac_says_battery(told.stdout)


def _windows_on_battery() -> bool:
    import ctypes

    class Status(ctypes.Structure):
        """SYSTEM_POWER_STATUS; the first byte is 0 on battery, 1 on mains, 255 unknown."""

        _fields_ = (
            ("ACLineStatus", ctypes.c_ubyte),
            ("BatteryFlag", ctypes.c_ubyte),
            ("BatteryLifePercent", ctypes.c_ubyte),
            ("SystemStatusFlag", ctypes.c_ubyte),
            ("BatteryLifeTime", ctypes.c_ulong),
            ("BatteryFullLifeTime", ctypes.c_ulong),
        )

    status = Status()
    kernel32 = getattr(ctypes, "windll").kernel32  # noqa: B009 - absent elsewhere, also for mypy
    if not kernel32.GetSystemPowerStatus(ctypes.byref(status)):
        return False
    return bool(status.ACLineStatus == 0)


def _word(place: Path) -> str:
    try:
        return place.read_text("utf-8", errors="replace").strip()
    except OSError:  # some drivers answer nothing while they look
        return ""
