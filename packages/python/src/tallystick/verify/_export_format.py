"""The lines of an export: a header, the entries in order with a seal after each group, and an end line."""

import re
from typing import Any, Dict, List, NamedTuple, Optional, Union

from ._canonical import is_count, parse_json

ENTRY_START = '{"type":"entry","seq":'
ENTRY_MIDDLE = ',"canonical":'
# A header has 4 levels.
MAX_DEPTH = 8

_is_seq = re.compile('[1-9][0-9]{0,15}').fullmatch
_is_hash = re.compile('[0-9a-f]{64}').fullmatch
_strings = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)


class Header(NamedTuple):
    tenant: str
    from_seq: int
    #: `from_seq` - 1 when there are no entries.
    to_seq: int
    #: The leaf hash of the entry before the first one.
    prev: bytes
    #: Roots of the perfect subtrees over the entries before the first one, largest first.
    frontier: List[bytes]
    keys: List[Dict[str, Any]]


class Entry(NamedTuple):
    seq: int
    canonical: str


class Seal(NamedTuple):
    size: int
    note: str


class End(NamedTuple):
    entries: int
    seals: int


Line = Union[Header, Entry, Seal, End]


def read_line(text: str) -> Optional[Line]:
    """Reads a line without its line break; None when it is not a line of an export."""
    return _read_entry(text) or _read_any(text)


def _read_entry(text: str) -> Optional[Entry]:
    # Nearly all lines are like that.
    if not text.startswith(ENTRY_START) or not text.endswith('"}'):
        return None
    middle = text.find(ENTRY_MIDDLE, len(ENTRY_START))
    digits = text[len(ENTRY_START) : middle]
    if middle < 0 or not _is_seq(digits) or not is_count(int(digits)):
        return None
    canonical = _parse(text[middle + len(ENTRY_MIDDLE) : -1])
    return Entry(int(digits), canonical) if isinstance(canonical, str) else None


def _read_any(text: str) -> Optional[Line]:
    value = _parse(text)
    # Two members of one name: which one counts differs between JSON parsers, so the verifier could see other data than the reader of the
    # file. Each member has one colon outside of strings.
    if not isinstance(value, dict) or _strings.sub('', text).count(':') != _count_members(value):
        return None
    kind = value.get('type')
    if kind == 'tallystick-export':
        return _read_header(value) if value.get('v') == 1 and value.get('v') is not True and len(value) == 8 else None
    if len(value) != 3:
        return None
    if kind == 'entry' and is_count(value.get('seq')) and isinstance(value.get('canonical'), str):
        return Entry(value['seq'], value['canonical'])
    if kind == 'seal' and is_count(value.get('size')) and isinstance(value.get('note'), str):
        return Seal(value['size'], value['note'])
    if kind == 'end' and is_count(value.get('entries')) and is_count(value.get('seals')):
        return End(value['entries'], value['seals'])
    return None


def _read_header(members: Dict[str, Any]) -> Optional[Header]:
    tenant, from_seq, to_seq = members.get('tenant'), members.get('fromSeq'), members.get('toSeq')
    prev, frontier, keys = members.get('prev'), members.get('frontier'), members.get('keys')
    if not isinstance(tenant, str) or not is_count(from_seq) or not is_count(to_seq):
        return None
    if from_seq < 1 or to_seq < from_seq - 1 or not isinstance(frontier, list):  # type: ignore[operator]
        return None
    if not all(isinstance(each, str) and _is_hash(each) for each in [prev, *frontier]):
        return None
    listed = keys.get('keys') if isinstance(keys, dict) else None
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        return None
    hashes = [bytes.fromhex(each) for each in frontier]
    return Header(tenant, members['fromSeq'], members['toSeq'], bytes.fromhex(str(prev)), hashes, listed)


def _parse(text: str) -> Any:
    try:
        return parse_json(text)
    except ValueError:
        return None


def _count_members(value: Any, depth: int = 0) -> float:
    if not isinstance(value, (dict, list)):
        return 0
    if depth == MAX_DEPTH:
        return float('nan')
    own, members = (len(value), value.values()) if isinstance(value, dict) else (0, value)
    return own + sum(_count_members(each, depth + 1) for each in members)
