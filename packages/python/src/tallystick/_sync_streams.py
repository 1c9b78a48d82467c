# Generated from _async_streams.py by `npm run openapi`. Do not edit.
"""Answers of the synchronous client that are read piece by piece."""

from types import TracebackType
from typing import Iterator, Callable, Generic, Optional, Type

import httpx

from ._request import Item, Page, describe_failure


class Pages(Generic[Item]):
    """A list that is read page by page. `for` yields the items of all pages and requests each page when it is needed."""

    def __init__(self, read: Callable[[Optional[str]], 'Page[Item]']) -> None:
        self._read = read

    def first(self) -> 'Page[Item]':
        """Returns the first page."""
        return self._read(None)

    def pages(self) -> Iterator['Page[Item]']:
        page = self._read(None)
        yield page
        while page.next_cursor is not None:
            page = self._read(page.next_cursor)
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            for item in page.data:
                yield item


class ByteStream:
    """The body of an answer. Iterate it, or read it as a whole, and close it if you do neither to the end."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        try:
            for chunk in self._response.iter_bytes():
                yield chunk
        except httpx.HTTPError as error:
            raise describe_failure(error, self._response.url, _read_timeout(self._response)) from error
        finally:
            self.close()

    def lines(self) -> Iterator[str]:
        rest = b''
        for chunk in self:
            *lines, rest = (rest + chunk).split(b'\n')
            for line in lines:
                yield line.decode()

    def read(self) -> bytes:
        return b''.join([chunk for chunk in self])

    def close(self) -> None:
        self._response.close()

    def __enter__(self) -> 'ByteStream':
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()


def _read_timeout(response: httpx.Response) -> float:
    timeout = response.request.extensions.get('timeout', {}).get('read')
    return float(timeout) if timeout is not None else 0.0
