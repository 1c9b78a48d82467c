"""Sends the requests of the asynchronous client."""

import asyncio
from typing import Any, AsyncIterator, Mapping, Optional

import httpx

from ._async_streams import AsyncByteStream, AsyncPages
from ._errors import TallystickError, read_error
from ._events import EventReader
from ._request import Options, Page, describe_failure, idempotency_headers, prepare, read_json, retry_delay


class AsyncTransport:
    def __init__(self, options: Options, http_client: httpx.AsyncClient) -> None:
        self._options = options
        self._http = http_client

    async def request(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
    ) -> httpx.Response:
        """Sends a request to any path of the service and returns the answer, for example for usage as CSV.

        Errors, time limits and repetitions are those of the other methods. `body` is sent as JSON.
        """
        return await self._send(method, path, query, body, headers, is_stream=False)

    async def _send(
        self,
        method: str,
        path: str,
        query: Optional[Mapping[str, Any]],
        body: Any,
        headers: Optional[Mapping[str, str]],
        is_stream: bool,
    ) -> httpx.Response:
        attempt = prepare(self._options, method, path, query, body, headers)
        count = 0
        while True:
            try:
                return await self._send_once(attempt.request, is_stream)
            except TallystickError as error:
                delay = retry_delay(error, count, attempt.is_repeatable)
                if count >= self._options.max_retries or delay is None:
                    raise
                await asyncio.sleep(delay)
            count += 1

    async def _send_once(self, request: httpx.Request, is_stream: bool) -> httpx.Response:
        try:
            # Redirects are not followed: the key would be sent to another path of the same host, and a POST as a GET.
            response = await self._http.send(request, stream=True, follow_redirects=False)
            if is_stream and response.is_success:
                return response
            await response.aread()
        except httpx.HTTPError as error:
            raise describe_failure(error, request.url, self._options.timeout) from error
        if not response.is_success:
            raise read_error(response.status_code, response.headers, response.text)
        return response

    async def _json(self, method: str, path: str, *, query: Any = None, body: Any = None, idempotency_key: Optional[str] = None) -> Any:
        headers = idempotency_headers(idempotency_key)
        return read_json(await self.request(method, path, query=query, body=body, headers=headers))

    async def _nothing(self, method: str, path: str, *, query: Any = None, body: Any = None, idempotency_key: Optional[str] = None) -> None:
        await self.request(method, path, query=query, body=body, headers=idempotency_headers(idempotency_key))

    async def _text(self, method: str, path: str, *, query: Any = None) -> str:
        return (await self.request(method, path, query=query)).text

    async def _bytes(self, method: str, path: str, *, query: Any = None) -> AsyncByteStream:
        return AsyncByteStream(await self._send(method, path, query, None, None, is_stream=True))

    def _pages(self, method: str, path: str, *, query: Any) -> AsyncPages[Any]:
        async def read(cursor: Optional[str]) -> 'Page[Any]':
            page = await self._json(method, path, query={**query, 'cursor': cursor})
            return Page(page['data'], page['nextCursor'])

        return AsyncPages(read)

    async def _events(self, method: str, path: str, *, query: Any) -> AsyncIterator[Any]:
        reader = EventReader()
        async with await self._bytes(method, path, query=query) as stream:
            async for line in stream.lines():
                for event in reader.add(line):
                    yield event
