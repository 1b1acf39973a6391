"""Builds requests and interprets answers, without any input or output; both clients share this module."""

from __future__ import annotations

import json
import random
import uuid
from dataclasses import dataclass, field
from typing import IO, Any, Dict, Mapping, Optional, Tuple, Union
from urllib.parse import quote, urlsplit

import httpx

from ._errors import ConnectionError, MillwrightError, UnexpectedAnswerError, api_error, retry_after_of
from ._model import NOT_GIVEN, parse, to_json

#: Longest wait before a retry in seconds. After a longer ``Retry-After``, the call fails and the caller may retry.
MOST_WAIT = 60.0
FIRST_WAIT = 0.5

#: A file to upload: bytes, or an open binary file.
FileContent = Union[bytes, IO[bytes]]


@dataclass(frozen=True)
class RequestOptions:
    """Options of one call."""

    headers: Mapping[str, str] = field(default_factory=dict)
    #: Requests with the same key get the same answer for 24 hours. Default: a new key for each call.
    idempotency_key: Optional[str] = None
    #: ETag with which the record was read. A record that has changed since then is not overwritten (412).
    if_match: Optional[str] = None
    max_retries: Optional[int] = None
    #: Longest time in seconds during which nothing of the answer arrives.
    timeout: Optional[float] = None


@dataclass(frozen=True)
class Call:
    """An operation with its values."""

    service: str
    method: str
    path: str
    query: Optional[Mapping[str, Any]] = None
    #: A body in JSON.
    body: Optional[Mapping[str, Any]] = None
    text: Optional[str] = None
    content_type: Optional[str] = None
    #: A form: the file, and the other fields of the form.
    file: Optional[Tuple[FileContent, Mapping[str, Any]]] = None
    accept: str = "application/json"
    #: Whether the operation takes an ``Idempotency-Key``.
    keyed: bool = False
    options: Optional[RequestOptions] = None

    @property
    def repeatable(self) -> bool:
        """Whether the request may be sent again after an error that leaves open whether it was carried out."""
        return (self.method == "GET" or self.keyed) and self.can_be_sent_again

    @property
    def can_be_sent_again(self) -> bool:
        if self.file is None or isinstance(self.file[0], bytes):
            return True
        return self.file[0].seekable()


def segment(name: str, value: Union[str, int]) -> str:
    """Encodes one segment of a path. Raises MillwrightError for a value that would lead to another path."""
    text = str(value)
    if text in ("", ".", ".."):
        raise MillwrightError(f'{name} is not an id: "{text}".')
    return quote(text, safe="")


def given(values: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the arguments that the caller has given, as JSON values."""
    return {name: to_json(value) for name, value in values.items() if value is not NOT_GIVEN}


class Settings:
    """Settings of a client for all its requests."""

    def __init__(
        self,
        api_key: Optional[str],
        base_url: Optional[str],
        runtime_url: Optional[str],
        prompt_url: Optional[str],
        max_retries: int,
        timeout: float,
    ) -> None:
        if not api_key:
            raise MillwrightError('api_key is missing: make a key in the console under "API keys".')
        self.api_key = api_key
        self.max_retries = max_retries
        self.timeout = timeout
        self.addresses = {
            "platform": _address("base_url", base_url),
            "runtime": _address("runtime_url", runtime_url or base_url),
            "prompt": _address("prompt_url", prompt_url or base_url),
        }

    def tries(self, call: Call) -> int:
        own = call.options.max_retries if call.options else None
        return (self.max_retries if own is None else own) + 1

    def key_of(self, call: Call) -> Optional[str]:
        """The ``Idempotency-Key`` of all tries of a call."""
        own = call.options.idempotency_key if call.options else None
        return own or (str(uuid.uuid4()) if call.keyed else None)

    def request(self, http: Union[httpx.Client, httpx.AsyncClient], call: Call, key: Optional[str]) -> httpx.Request:
        options = call.options or RequestOptions()
        headers = {"Accept": call.accept, "Authorization": f"Bearer {self.api_key}"}
        if key is not None:
            headers["Idempotency-Key"] = key
        if options.if_match is not None:
            headers["If-Match"] = options.if_match
        # Values of None are left out, because no query parameter of Millwright can be null.
        query = {name: _query_value(value) for name, value in (call.query or {}).items() if value is not None}
        content: Dict[str, Any] = {}
        if call.file is not None:
            data, fields = call.file
            if not isinstance(data, bytes) and data.seekable():
                data.seek(0)
            # The file is the last part, so that the service has all fields before it stores the bytes.
            form = [(name, (None, str(_query_value(value)))) for name, value in fields.items() if value is not None]
            content["files"] = [*form, ("file", ("file", data))]
        elif call.text is not None:
            headers["Content-Type"] = call.content_type or "text/plain"
            content["content"] = call.text.encode()
        elif call.body is not None:
            headers["Content-Type"] = "application/json"
            content["content"] = json.dumps(call.body, ensure_ascii=False, separators=(",", ":")).encode()
        return http.build_request(
            call.method,
            self.addresses[call.service] + call.path,
            params=query or None,
            headers={**headers, **options.headers},
            timeout=httpx.Timeout(options.timeout or self.timeout, connect=10.0),
            **content,
        )


def _query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _address(name: str, value: Optional[str]) -> str:
    if not value:
        raise MillwrightError(f"{name} is missing: the base address of your installation.")
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise MillwrightError(f"{name} is not an address: {value}. It begins with https:// or http://.")
    return value.rstrip("/")


def wait_for(response: httpx.Response, repeatable: bool) -> Optional[float]:
    """Returns the seconds until the next attempt; ``None`` when the answer is final."""
    wait = retry_after_of(response.headers) or 0.0
    if response.status_code == 429:
        return wait
    # Millwright answers 503 with Retry-After before it reads a request. A proxy may answer 502, 503 or 504 afterwards.
    if response.status_code == 503 and {"retry-after", "x-request-id"} <= set(response.headers.keys()):
        return wait
    return wait if repeatable and response.status_code in (502, 503, 504) else None


def pause(wait: float, attempt: int) -> float:
    """Returns the seconds before a retry. They increase with each attempt, and differ between callers."""
    return max(wait, FIRST_WAIT * 2 ** (attempt - 1) * (0.5 + random.random() / 2))


def connection_error(call: Call, request: httpx.Request, cause: Exception) -> ConnectionError:
    url = request.url
    origin = f"{url.scheme}://{url.netloc.decode()}"
    why = str(cause) or type(cause).__name__
    return ConnectionError(f"The {call.service} API at {origin} cannot be reached: {why}.")


def unexpected(call: Call, response: httpx.Response) -> UnexpectedAnswerError:
    """Makes the error for an answer that does not come from Millwright."""
    kind = response.headers.get("content-type", "no content type")
    option = {"platform": "base_url", "runtime": "runtime_url", "prompt": "prompt_url"}[call.service]
    return UnexpectedAnswerError(
        f"{response.url} answered with status {response.status_code} and {kind} instead of JSON: "
        f"{option} has to be the address of the {call.service} API."
    )


def error_of(call: Call, response: httpx.Response) -> MillwrightError:
    """Makes the error for an answer whose body has been read."""
    try:
        body = json.loads(response.content)
    except ValueError:
        return unexpected(call, response)
    return api_error(response.status_code, body, response.headers)


def answer_of(call: Call, response: httpx.Response, kind: Any) -> Any:
    """Parses the record of an answer. Raises UnexpectedAnswerError for other answers."""
    try:
        body = json.loads(response.content)
    except ValueError:
        raise unexpected(call, response) from None
    try:
        return parse(kind, body)
    except ValueError as cause:
        raise UnexpectedAnswerError(f"{response.url} answered with a record of another form: {cause}") from cause
