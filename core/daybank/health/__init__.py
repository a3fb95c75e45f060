"""Is everything all right with this folder? Each check is a sentence and its sources."""

from daybank.health.checking import check_health
from daybank.health.pages import CORE_TOKENS, IDENTITY_HOURS, IDENTITY_PAGE
from daybank.health.report import HealthCheck, HealthReport, Level
from daybank.health.secrets_scan import SecretScan
from daybank.health.upkeep import LastReflection, Upkeep, WaitingSuggestion

__all__ = [
    "CORE_TOKENS",
    "IDENTITY_HOURS",
    "IDENTITY_PAGE",
    "HealthCheck",
    "HealthReport",
    "LastReflection",
    "Level",
    "SecretScan",
    "Upkeep",
    "WaitingSuggestion",
    "check_health",
]
