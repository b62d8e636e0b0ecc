"""Reads compiled zones with Python's zoneinfo and holds the offsets of another reader against them.

    zones.py FOLDER < {"step": seconds, "zones": {name: [[start, end, offset, is_dst], ...]}}

Each interval is looked at in its first and last second and every step seconds in between; what differs is
printed, one line each.
"""
import json
import os
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

asked = json.load(sys.stdin)
step = asked["step"]
for name, intervals in asked["zones"].items():
    with open(os.path.join(sys.argv[1], name), "rb") as f:
        zone = ZoneInfo.from_file(f)
    for start, end, offset, dst in intervals:
        at = start
        while True:
            t = datetime.fromtimestamp(at, zone)
            o = t.utcoffset()
            if o.days * 86400 + o.seconds != offset or bool(t.dst()) != dst:
                print(name, datetime.fromtimestamp(at, timezone.utc).isoformat(), "here", offset, dst, "zoneinfo", t.utcoffset(), t.dst())
                break
            if at == end - 1:
                break
            at = min(at + step, end - 1)
