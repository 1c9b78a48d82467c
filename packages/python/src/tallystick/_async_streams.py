"""Answers of the asynchronous client that are read piece by piece."""

from types import TracebackType
from typing import AsyncIterator, Awaitable, Callable, Generic, Optional, Type

import httpx

from ._request import Item, Page, describe_failure


class AsyncPages(Generic[Item]):
    """A list that is read page by page. `async for` yields the items of all pages and requests each page when it is needed."""

    def __init__(self, read: Callable[[Optional[str]], Awaitable['Page[Item]']]) -> None:
        self._read = read

    async def first(self) -> 'Page[Item]':
        """Returns the first page."""
        return await self._read(None)

    async def pages(self) -> AsyncIterator['Page[Item]']:
        page = await self._read(None)
        yield page
        while page.next_cursor is not None:
            page = await self._read(page.next_cursor)
            yield page

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item


class AsyncByteStream:
    """The body of an answer. Iterate it, or read it as a whole, and close it if you do neither to the end."""

    def __init__(self, response: httpx.Response) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except httpx.HTTPError as error:
            raise describe_failure(error, self._response.url, _read_timeout(self._response)) from error
        finally:
            await self.close()

    async def lines(self) -> AsyncIterator[str]:
        rest = b''
        async for chunk in self:
            *lines, rest = (rest + chunk).split(b'\n')
            for line in lines:
                yield line.decode()

    async def read(self) -> bytes:
        return b''.join([chunk async for chunk in self])

    async def close(self) -> None:
        await self._response.aclose()

    async def __aenter__(self) -> 'AsyncByteStream':
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()


def _read_timeout(response: httpx.Response) -> float:
    timeout = response.request.extensions.get('timeout', {}).get('read')
    return float(timeout) if timeout is not None else 0.0
