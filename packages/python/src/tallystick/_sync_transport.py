# Generated from _async_transport.py by `npm run openapi`. Do not edit.
"""Sends the requests of the synchronous client."""

import time
from typing import Any, Iterator, Mapping, Optional

import httpx

from ._sync_streams import ByteStream, Pages
from ._errors import TallystickError, read_error
from ._events import EventReader
from ._request import Options, Page, describe_failure, idempotency_headers, prepare, read_json, retry_delay


class Transport:
    def __init__(self, options: Options, http_client: httpx.Client) -> None:
        self._options = options
        self._http = http_client

    def request(
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
        return self._send(method, path, query, body, headers, is_stream=False)

    def _send(
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
                return self._send_once(attempt.request, is_stream)
            except TallystickError as error:
                delay = retry_delay(error, count, attempt.is_repeatable)
                if count >= self._options.max_retries or delay is None:
                    raise
                time.sleep(delay)
            count += 1

    def _send_once(self, request: httpx.Request, is_stream: bool) -> httpx.Response:
        try:
            # Redirects are not followed: the key would be sent to another path of the same host, and a POST as a GET.
            response = self._http.send(request, stream=True, follow_redirects=False)
            if is_stream and response.is_success:
                return response
            response.read()
        except httpx.HTTPError as error:
            raise describe_failure(error, request.url, self._options.timeout) from error
        if not response.is_success:
            raise read_error(response.status_code, response.headers, response.text)
        return response

    def _json(self, method: str, path: str, *, query: Any = None, body: Any = None, idempotency_key: Optional[str] = None) -> Any:
        headers = idempotency_headers(idempotency_key)
        return read_json(self.request(method, path, query=query, body=body, headers=headers))

    def _nothing(self, method: str, path: str, *, query: Any = None, body: Any = None, idempotency_key: Optional[str] = None) -> None:
        self.request(method, path, query=query, body=body, headers=idempotency_headers(idempotency_key))

    def _text(self, method: str, path: str, *, query: Any = None) -> str:
        return (self.request(method, path, query=query)).text

    def _bytes(self, method: str, path: str, *, query: Any = None) -> ByteStream:
        return ByteStream(self._send(method, path, query, None, None, is_stream=True))

    def _pages(self, method: str, path: str, *, query: Any) -> Pages[Any]:
        def read(cursor: Optional[str]) -> 'Page[Any]':
            page = self._json(method, path, query={**query, 'cursor': cursor})
            return Page(page['data'], page['nextCursor'])

        return Pages(read)

    def _events(self, method: str, path: str, *, query: Any) -> Iterator[Any]:
        reader = EventReader()
        with self._bytes(method, path, query=query) as stream:
            for line in stream.lines():
                for event in reader.add(line):
                    yield event
