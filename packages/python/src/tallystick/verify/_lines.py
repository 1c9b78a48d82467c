"""The lines of a file, which may be compressed with gzip."""

import zlib
from typing import IO, Iterable, Iterator, Optional, Union

from ._errors import UnusableInputError

# Far more than the longest entry that a gateway can write. A longer line is refused, so that it cannot fill the memory.
MAX_LINE_BYTES = 64 * 1024 * 1024

Source = Union[bytes, str, Iterable[bytes], IO[bytes]]


class Lines:
    """The complete lines of a file, read once. A damaged file ends where the damage begins."""

    def __init__(self, source: Source) -> None:
        self._source = source
        #: The bytes after the last line break, once all lines were read.
        self.rest = b''
        #: Why a compressed file could not be read to its end.
        self.damage: Optional[str] = None

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._unpack(_join_start(_chunks_of(self._source))):
            *lines, self.rest = (self.rest + chunk).split(b'\n')
            if len(self.rest) > MAX_LINE_BYTES:
                raise UnusableInputError('a line is longer than 64 MiB')
            yield from lines

    def _unpack(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        first = next(chunks, b'')
        if not first.startswith(b'\x1f\x8b'):
            yield first
            yield from chunks
            return
        try:
            yield from self._unpack_gzip(first, chunks)
        except zlib.error as error:
            self.damage = 'its checksum is wrong' if 'check' in str(error) else str(error)

    def _unpack_gzip(self, chunk: bytes, chunks: Iterator[bytes]) -> Iterator[bytes]:
        unpacker = zlib.decompressobj(wbits=31)
        while True:
            before = unpacker.copy()
            try:
                yield unpacker.decompress(chunk)
            except zlib.error:
                # What comes before the damage still counts, and an error hides it.
                for byte in chunk:
                    yield before.decompress(bytes([byte]))
                raise
            if unpacker.eof:
                chunk = unpacker.unused_data or next(chunks, b'')
                if chunk == b'':
                    return
                # Files may be joined: another one may follow.
                if not chunk.startswith(b'\x1f'):
                    self.damage = 'something else follows the end of the compressed data'
                    return
                unpacker = zlib.decompressobj(wbits=31)
            else:
                chunk = next(chunks, b'')
                if chunk == b'':
                    self.damage = 'it is cut off'
                    return


def decode(line: bytes) -> Optional[str]:
    """None for bytes that are not UTF-8."""
    try:
        return line.decode()
    except UnicodeDecodeError:
        return None


def _chunks_of(source: Source) -> Iterator[bytes]:
    if isinstance(source, str):
        yield source.encode('utf-8', 'surrogatepass')
    elif isinstance(source, (bytes, bytearray, memoryview)):
        yield bytes(source)
    else:
        for chunk in source:
            if not isinstance(chunk, (bytes, bytearray, memoryview)):
                raise TypeError('An export is read as bytes: open its file with mode "rb"')
            # An empty chunk is not the end.
            if len(chunk) > 0:
                yield bytes(chunk)


def _join_start(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The first chunk of a pipe may be a single byte, and two show whether it is compressed."""
    start = b''
    for chunk in chunks:
        start += chunk
        if len(start) >= 2:
            break
    yield start
    yield from chunks
