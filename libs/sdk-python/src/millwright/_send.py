"""Sends requests with httpx, without and with asyncio."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any, AsyncIterator, Iterator, Mapping, Optional, Sequence

import httpx

from ._call import MOST_WAIT, Call, RequestOptions, Settings, answer_of, connection_error, error_of, pause, wait_for
from ._errors import MillwrightError, StreamInterruptedError
from ._events import EventReader, Progress
from ._model import StreamEvent
from ._pages import AsyncPages, Pages, Query

_INTERRUPTED = "The stream ended before its last event."


def _resumed(call: Call, last_id: Optional[str]) -> Call:
    options = call.options or RequestOptions()
    headers = {**options.headers, **({} if last_id is None else {"Last-Event-ID": last_id})}
    return replace(call, accept="text/event-stream", options=replace(options, headers=headers))


def _first_id(call: Call) -> Optional[str]:
    return call.options.headers.get("Last-Event-ID") if call.options else None


class Download:
    """A file as it arrives. Use it in a ``with`` statement, or call ``close()``."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.headers = response.headers

    def read(self) -> bytes:
        try:
            return self._response.read()
        finally:
            self.close()

    def iter_bytes(self) -> Iterator[bytes]:
        return self._response.iter_bytes()

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> "Download":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class AsyncDownload:
    """A file as it arrives. Use it in an ``async with`` statement, or call ``close()``."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response
        self.headers = response.headers

    async def read(self) -> bytes:
        try:
            return await self._response.aread()
        finally:
            await self.close()

    def iter_bytes(self) -> AsyncIterator[bytes]:
        return self._response.aiter_bytes()

    async def close(self) -> None:
        await self._response.aclose()

    async def __aenter__(self) -> "AsyncDownload":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


class Sender:
    def __init__(self, settings: Settings, http: httpx.Client) -> None:
        self._settings = settings
        self._http = http

    def send(self, call: Call) -> httpx.Response:
        """Sends a request, repeats it where this is allowed, and returns the answer before its body is read."""
        tries, key = self._settings.tries(call), self._settings.key_of(call)
        attempt = 0
        while True:
            attempt += 1
            request = self._settings.request(self._http, call, key)
            try:
                response = self._http.send(request, stream=True)
            except httpx.HTTPError as cause:
                if attempt >= tries or not call.repeatable:
                    raise connection_error(call, request, cause) from cause
                time.sleep(pause(0.0, attempt))
                continue
            if response.is_success:
                return response
            wait = wait_for(response, call.repeatable) if call.can_be_sent_again else None
            if attempt >= tries or wait is None or wait > MOST_WAIT:
                _read(call, response)
                raise error_of(call, response)
            response.close()
            time.sleep(pause(wait, attempt))

    def json(self, call: Call, kind: Any) -> Any:
        return answer_of(call, _read(call, self.send(call)), kind)

    def text(self, call: Call) -> str:
        return _read(call, self.send(replace(call, accept="text/*"))).text

    def nothing(self, call: Call) -> None:
        self.send(call).close()

    def download(self, call: Call) -> Download:
        return Download(self.send(replace(call, accept="*/*")))

    def pages(self, call: Call, paging: str, kind: Any) -> Pages[Any, Any]:
        def load(query: Query) -> Any:
            return self.json(replace(call, query=query), kind)

        return Pages(load, paging, dict(call.query or {}))

    def events(
        self, call: Call, kinds: Mapping[str, Any], other: Any, ends: Sequence[str], resumable: bool
    ) -> Iterator[StreamEvent[Any, Any]]:
        progress = Progress(ends, resumable, _first_id(call))
        while True:
            response = self.send(_resumed(call, progress.last_id))
            # 204: the stream has ended, and all events were received.
            if response.status_code == 204:
                return response.close()
            cause: Optional[Exception] = None
            reader = EventReader(kinds, other)
            try:
                for chunk in response.iter_bytes():
                    for event in reader.feed(chunk):
                        is_last = progress.take(event, response.headers)
                        yield event
                        if is_last:
                            return
            except httpx.HTTPError as error:
                cause = error
            finally:
                response.close()
            wait = progress.pause()
            if wait is None:
                raise StreamInterruptedError(_INTERRUPTED) from cause
            time.sleep(wait)


class AsyncSender:
    def __init__(self, settings: Settings, http: httpx.AsyncClient) -> None:
        self._settings = settings
        self._http = http

    async def send(self, call: Call) -> httpx.Response:
        """Sends a request, repeats it where this is allowed, and returns the answer before its body is read."""
        tries, key = self._settings.tries(call), self._settings.key_of(call)
        attempt = 0
        while True:
            attempt += 1
            request = self._settings.request(self._http, call, key)
            try:
                response = await self._http.send(request, stream=True)
            except httpx.HTTPError as cause:
                if attempt >= tries or not call.repeatable:
                    raise connection_error(call, request, cause) from cause
                await asyncio.sleep(pause(0.0, attempt))
                continue
            if response.is_success:
                return response
            wait = wait_for(response, call.repeatable) if call.can_be_sent_again else None
            if attempt >= tries or wait is None or wait > MOST_WAIT:
                await _aread(call, response)
                raise error_of(call, response)
            await response.aclose()
            await asyncio.sleep(pause(wait, attempt))

    async def json(self, call: Call, kind: Any) -> Any:
        return answer_of(call, await _aread(call, await self.send(call)), kind)

    async def text(self, call: Call) -> str:
        return (await _aread(call, await self.send(replace(call, accept="text/*")))).text

    async def nothing(self, call: Call) -> None:
        await (await self.send(call)).aclose()

    async def download(self, call: Call) -> AsyncDownload:
        return AsyncDownload(await self.send(replace(call, accept="*/*")))

    def pages(self, call: Call, paging: str, kind: Any) -> AsyncPages[Any, Any]:
        async def load(query: Query) -> Any:
            return await self.json(replace(call, query=query), kind)

        return AsyncPages(load, paging, dict(call.query or {}))

    async def events(
        self, call: Call, kinds: Mapping[str, Any], other: Any, ends: Sequence[str], resumable: bool
    ) -> AsyncIterator[StreamEvent[Any, Any]]:
        progress = Progress(ends, resumable, _first_id(call))
        while True:
            response = await self.send(_resumed(call, progress.last_id))
            # 204: the stream has ended, and all events were received.
            if response.status_code == 204:
                await response.aclose()
                return
            cause: Optional[Exception] = None
            reader = EventReader(kinds, other)
            try:
                async for chunk in response.aiter_bytes():
                    for event in reader.feed(chunk):
                        is_last = progress.take(event, response.headers)
                        yield event
                        if is_last:
                            return
            except httpx.HTTPError as error:
                cause = error
            finally:
                await response.aclose()
            wait = progress.pause()
            if wait is None:
                raise StreamInterruptedError(_INTERRUPTED) from cause
            await asyncio.sleep(wait)


def _cut(call: Call, cause: Exception) -> MillwrightError:
    return connection_error(call, cause.request, cause) if isinstance(cause, httpx.RequestError) else MillwrightError(str(cause))


def _read(call: Call, response: httpx.Response) -> httpx.Response:
    try:
        response.read()
    except httpx.HTTPError as cause:
        raise _cut(call, cause) from cause
    finally:
        response.close()
    return response


async def _aread(call: Call, response: httpx.Response) -> httpx.Response:
    try:
        await response.aread()
    except httpx.HTTPError as cause:
        raise _cut(call, cause) from cause
    finally:
        await response.aclose()
    return response
