"""Clients of an installation."""

from __future__ import annotations

import os
from typing import Any, Optional

import httpx

from ._call import Call, Settings
from ._send import AsyncSender, Sender
from .generated.async_resources import AsyncResources
from .generated.resources import Resources

_TIMEOUT = 600.0


class Millwright(Resources):
    """A client of an installation: its resources are ``skills``, ``agents``, ``runs``, ``prompts`` and so on.

    :param api_key: API key (``mw_live_…``), personal access token or OAuth access token; default: ``MILLWRIGHT_API_KEY``
    :param base_url: base address of the platform API; default: ``BASE_URL``
    :param runtime_url: base address of the runtime API; default: ``RUNTIME_URL``, else ``base_url``
    :param prompt_url: base address of the prompt API; default: ``PROMPT_API_URL``, else ``base_url``
    :param max_retries: number of retries of a request that may be repeated
    :param timeout: seconds without any bytes of the answer after which a call fails; answers of models take long
    :param http_client: a client of httpx to use instead of a new one; the caller closes it

    Raises MillwrightError that names the option that is missing or not valid.
    """

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        runtime_url: Optional[str] = None,
        prompt_url: Optional[str] = None,
        max_retries: int = 2,
        timeout: float = _TIMEOUT,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        settings = _settings(api_key, base_url, runtime_url, prompt_url, max_retries, timeout)
        self._own = http_client is None
        self._http = http_client or httpx.Client(follow_redirects=False)
        self._sender = Sender(settings, self._http)
        super().__init__(self._sender)

    def request(self, call: Call) -> Any:
        """Sends any operation by its path, with the retries and errors of the other methods."""
        return self._sender.json(call, Any)

    def close(self) -> None:
        if self._own:
            self._http.close()

    def __enter__(self) -> "Millwright":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class AsyncMillwright(AsyncResources):
    """The same client for asyncio."""

    def __init__(
        self,
        *,
        api_key: Optional[str] = None,
        base_url: Optional[str] = None,
        runtime_url: Optional[str] = None,
        prompt_url: Optional[str] = None,
        max_retries: int = 2,
        timeout: float = _TIMEOUT,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        settings = _settings(api_key, base_url, runtime_url, prompt_url, max_retries, timeout)
        self._own = http_client is None
        self._http = http_client or httpx.AsyncClient(follow_redirects=False)
        self._sender = AsyncSender(settings, self._http)
        super().__init__(self._sender)

    async def request(self, call: Call) -> Any:
        """Sends any operation by its path, with the retries and errors of the other methods."""
        return await self._sender.json(call, Any)

    async def close(self) -> None:
        if self._own:
            await self._http.aclose()

    async def __aenter__(self) -> "AsyncMillwright":
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def _settings(
    api_key: Optional[str],
    base_url: Optional[str],
    runtime_url: Optional[str],
    prompt_url: Optional[str],
    max_retries: int,
    timeout: float,
) -> Settings:
    read = os.environ.get
    return Settings(
        read("MILLWRIGHT_API_KEY") if api_key is None else api_key,
        read("BASE_URL") if base_url is None else base_url,
        # When base_url is given in code, the environment variables of the other addresses are ignored.
        runtime_url or (read("RUNTIME_URL") if base_url is None else None),
        prompt_url or (read("PROMPT_API_URL") if base_url is None else None),
        max_retries,
        timeout,
    )
