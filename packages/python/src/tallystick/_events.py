"""Reads server-sent events. The data of each event is JSON."""

import json
from typing import Any, Dict, Iterator, Optional


class EventReader:
    """Takes one line at a time, and returns an event with the line that ends it."""

    def __init__(self) -> None:
        self._fields: Dict[str, str] = {}

    def add(self, line: str) -> Iterator[Dict[str, Any]]:
        if line:
            # A line that begins with a colon is a comment. The service sends each field once, on one line.
            name, _, value = line.partition(':')
            if name:
                self._fields[name] = value[1:] if value.startswith(' ') else value
            return
        data: Optional[str] = self._fields.pop('data', None)
        if data is not None:
            yield {**self._fields, 'data': json.loads(data)}
        self._fields = {}
