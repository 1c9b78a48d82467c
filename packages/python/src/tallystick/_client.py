"""The clients."""

from types import TracebackType
from typing import Mapping, Optional, Type

import httpx

from ._async_methods import AsyncMethods
from ._request import Options
from ._sync_methods import Methods


class Tallystick(Methods):
    """A client of the management API. Its methods are the operations of the API reference, in snake case.

    `base_url` is the address of the service, such as `https://tallystick.example.com`, and may have a path. `timeout` is the number of
    seconds for connecting, and for waiting for data. `max_retries` says how often a request is repeated after a failure. `http_client`
    replaces the client of httpx, for a proxy or a certificate authority of your own.
    """

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        super().__init__(Options(base_url, api_key, timeout, max_retries, headers or {}), http_client or httpx.Client())

    def with_options(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> 'Tallystick':
        """Returns a client with other options that uses the same connections."""
        changed = self._options.changed({'timeout': timeout, 'max_retries': max_retries, 'headers': headers})
        return Tallystick(
            changed.base_url,
            changed.api_key,
            timeout=changed.timeout,
            max_retries=changed.max_retries,
            headers=changed.headers,
            http_client=self._http,
        )

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> 'Tallystick':
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


class AsyncTallystick(AsyncMethods):
    """The same client for asyncio. Its options are those of `Tallystick`."""

    def __init__(
        self,
        base_url: str,
        api_key: Optional[str] = None,
        *,
        timeout: float = 60.0,
        max_retries: int = 2,
        headers: Optional[Mapping[str, str]] = None,
        http_client: Optional[httpx.AsyncClient] = None,
    ) -> None:
        super().__init__(
            Options(base_url, api_key, timeout, max_retries, headers or {}), http_client or httpx.AsyncClient()
        )

    def with_options(
        self,
        *,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> 'AsyncTallystick':
        """Returns a client with other options that uses the same connections."""
        changed = self._options.changed({'timeout': timeout, 'max_retries': max_retries, 'headers': headers})
        return AsyncTallystick(
            changed.base_url,
            changed.api_key,
            timeout=changed.timeout,
            max_retries=changed.max_retries,
            headers=changed.headers,
            http_client=self._http,
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> 'AsyncTallystick':
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()
