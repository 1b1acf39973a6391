"""Events of a ``text/event-stream`` body (WHATWG HTML, section 9.2)."""

from __future__ import annotations

import codecs
import json
import re
from typing import Any, Dict, Iterator, Mapping, Optional, Sequence, Tuple

from ._errors import ApiError, MillwrightError, api_error
from ._model import StreamEvent, parse

#: Maximum number of characters of one event.
MOST_CHARACTERS = 16 * 1024 * 1024
#: Number of connections in a row without an event after which a stream counts as interrupted.
MOST_VAIN = 6

_BLOCK = re.compile(r"\r?\n\r?\n")
_FIELD = re.compile(r"^(\w+): ?(.*)$")


class EventReader:
    """Converts the bytes of one connection to events."""

    def __init__(self, kinds: Mapping[str, Any], other: Any) -> None:
        self._kinds = kinds
        self._other = other
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""

    def feed(self, data: bytes) -> Iterator[StreamEvent[str, Any]]:
        *blocks, self._rest = _BLOCK.split(self._rest + self._decoder.decode(data))
        if len(self._rest) > MOST_CHARACTERS:
            raise MillwrightError("An event of the stream is too long.")
        for block in blocks:
            event = self._event(block)
            if event is not None:
                yield event

    def _event(self, block: str) -> Optional[StreamEvent[str, Any]]:
        fields: Dict[str, list[str]] = {}
        for line in re.split(r"\r?\n", block):
            match = _FIELD.match(line)
            if match:
                fields.setdefault(match[1], []).append(match[2])
        if "data" not in fields:
            return None
        value = json.loads("\n".join(fields["data"]))
        # Events in OpenAI's form have their name in the field ``type`` of their data.
        in_data = value.get("type", "message") if isinstance(value, dict) else "message"
        name = fields.get("event", [in_data])[0]
        kind = None if name == "error" else self._kinds.get(name, self._other)
        return StreamEvent(name, value if kind is None else parse(kind, value), fields.get("id", [None])[0])


class Progress:
    """The position up to which a stream has been read, over all of its connections."""

    def __init__(self, ends: Sequence[str], resumable: bool, last_id: Optional[str]) -> None:
        self._ends = ends
        self._resumable = resumable
        self._vain = 0
        self.last_id = last_id

    def take(self, event: StreamEvent[str, Any], headers: Mapping[str, str]) -> bool:
        """Whether the event is the last one. Raises ApiError for the event ``error``."""
        if event.event == "error":
            raise stream_error(event.data, headers)
        self.last_id = event.id or self.last_id
        self._vain = 0
        return event.event in self._ends

    def pause(self) -> Optional[float]:
        """Returns the seconds until the next connection; ``None`` when the stream cannot be resumed."""
        if not self._resumable or self._vain >= MOST_VAIN:
            return None
        self._vain += 1
        return 0.25 * float(2 ** (self._vain - 1))


def stream_error(data: Any, headers: Mapping[str, str]) -> ApiError:
    """Makes an ApiError from an error event. The data of the event are the JSON body of an error answer."""
    error = data.get("error") if isinstance(data, dict) else None
    status = error.get("status") if isinstance(error, dict) else None
    body = data if isinstance(error, dict) else {"error": data}
    return api_error(status if isinstance(status, int) else 500, body, headers)


StreamKinds = Tuple[Mapping[str, Any], Any, Sequence[str], bool]
