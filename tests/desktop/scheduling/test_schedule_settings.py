"""The plan as it is kept, and what is forgiven."""

from __future__ import annotations

import json
from datetime import time
from pathlib import Path

import pytest

from daybank_desktop.scheduling.policy import Plan, PlanKind
from daybank_desktop.services.schedule import plan_of
from daybank_desktop.services.settings import DesktopSettings, SettingsStore


def test_without_a_choice_it_reflects_every_night_at_three() -> None:
    assert plan_of(DesktopSettings()) == Plan(PlanKind.DAILY, time(3, 0), on_battery=False)


def test_a_choice_outlives_a_restart(tmp_path: Path) -> None:
    place = tmp_path / "desktop.json"
    SettingsStore(place).update(
        plan="hours", reflect_hours=12, reflect_at="21:45", reflect_on_battery=True
    )
    plan = plan_of(SettingsStore(place).value)
    assert plan == Plan(PlanKind.HOURS, time(21, 45), hours=12, on_battery=True)


@pytest.mark.parametrize(
    "stored",
    [
        {"plan": "hourly"},
        {"plan": None},
        {"reflect_at": "25:00"},
        {"reflect_at": "03:00+02:00"},
        {"reflect_at": 3},
        {"reflect_hours": 0},
        {"reflect_hours": 10**9},
        {"reflect_hours": True},
        {"reflect_on_battery": "yes"},
    ],
)
def test_a_senseless_value_is_the_usual_one(tmp_path: Path, stored: dict[str, object]) -> None:
    place = tmp_path / "desktop.json"
    place.write_text(json.dumps({"folder": "/notes", **stored}), "utf-8")
    value = SettingsStore(place).value
    assert value.folder == "/notes"
    assert plan_of(value) == Plan()
