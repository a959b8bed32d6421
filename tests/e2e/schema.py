# SPDX-License-Identifier: MIT
"""Are session logs as doc/session-log.md says? schema.py DOCUMENT LOG…

Each event is a row of a table there; every field of it, and of the objects in it, must be named in
the row in `backquotes`, and where the row lists a field's values (`field` (`one`, `two`)), it must
be one of them. Torn and damaged lines are not its business.
"""
import json
import re
import sys

EVERY = {"v": int, "n": int, "prev": str, "time": str, "event": str, "session": str, "call": int}
WITHOUT_SESSION = re.compile(r"notice|log_.*")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def read_document(path):
    """Events with the names that their rows hold and the values of those that list them."""
    text = open(path, encoding="utf-8").read()
    events = {}
    context = re.search(r"^`context` is (.*?)^`preview`", text, re.S | re.M).group(1)
    for name, row in re.findall(r"^\| `(\w+)` \|\s*(.*?)\s*\|$", text.split("## Events")[1], re.M):
        row += context if "`context`" in row else ""
        values = {}
        for field, listed in re.findall(r"`(\w+)` \(((?:`[^`]*`(?:, )?)+)\)", row):
            if not listed.endswith("_b64`"):
                values.setdefault(field, set()).update(re.findall(r"`([^`]*)`", listed))
        events[name] = (set(re.findall(r"`(\w+)`", row)), values)
    return events


def check_fields(value, names, values, where):
    for key, field in value.items():
        assert key in names, f"{where}: the field {key} is not documented"
        if key in values and isinstance(field, str):
            assert field in values[key], f"{where}: {key} is {field}, not one of {values[key]}"
        if isinstance(field, dict):
            check_fields(field, names, values, f"{where}.{key}")


def check_event(event, events):
    name = event.get("event")
    assert name in events, f"the event {name} is not documented"
    names, values = events[name]
    for key, kind in EVERY.items():
        if key in event:
            assert type(event[key]) is kind, f"{name}: {key} is no {kind.__name__}"
    for key in ("v", "n", "prev", "time"):
        assert key in event, f"{name}: without {key}"
    assert event["v"] == 2 and TIME.fullmatch(event["time"]), f"{name}: version or time"
    assert "session" in event or WITHOUT_SESSION.fullmatch(name), f"{name}: without session"
    check_fields({k: v for k, v in event.items() if k not in EVERY}, names, values, name)


def main():
    events = read_document(sys.argv[1])
    count = 0
    for path in sys.argv[2:]:
        for line in open(path, "rb").read().split(b"\n")[:-1]:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                check_event(event, events)
                count += 1
    print(f"{count} events are as documented")


try:
    main()
except AssertionError as problem:
    sys.exit(str(problem))
