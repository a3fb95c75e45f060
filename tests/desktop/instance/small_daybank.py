"""A program with nothing but the one-instance part of Daybank, for tests that need real processes.

    python small_daybank.py CONFIG WORKSPACE VERB [TEXT]

Prints "first", "listening" and then each message it gets as JSON, or the answer that it got.
"""

import json
import os
import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from daybank_desktop.single_instance import (
    Answer,
    Instance,
    Message,
    Place,
    Verb,
    take_or_deliver,
    told,
)


def say(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201 - its output is what the test reads


def main() -> int:
    config, workspace, verb, *text = sys.argv[1:]
    place = Place.of(Path(config), Path(workspace))
    message = Message(Verb(verb), *text)
    outcome = take_or_deliver(
        place,
        message,
        answer_within=float(os.environ.get("ANSWER_WITHIN", "10")),
        start_within=float(os.environ.get("START_WITHIN", "60")),
    )
    if isinstance(outcome, Answer):
        say(json.dumps({"taken": outcome.taken, "why": outcome.why}))
        if not outcome.taken:
            sys.stderr.write(told(outcome, message))
        return 0 if outcome.taken else 1
    say("first")
    application = QCoreApplication([])
    instance = Instance(outcome)
    instance.received.connect(lambda got: say(json.dumps([got.verb.value, got.text])))
    assert instance.listen()
    say("listening")
    return application.exec()


if __name__ == "__main__":
    sys.exit(main())
