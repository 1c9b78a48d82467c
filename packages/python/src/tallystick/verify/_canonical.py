"""Canonical JSON (RFC 8785), narrowed to what a receipt may hold: no fractions, no null, no lone surrogates."""

import json
import re
from typing import Any

MAX_SAFE_INTEGER = 2**53 - 1
MAX_DEPTH = 64

_write_string = json.JSONEncoder(ensure_ascii=False).encode
_is_plain = re.compile(r'[\x20\x21\x23-\x5b\x5d-\x7e]*').fullmatch


def is_integer(value: Any) -> bool:
    """Whether a reader of JSON in JavaScript would see an exact integer. `True` is an int in Python, but no number in JSON."""
    return type(value) is int and -MAX_SAFE_INTEGER <= value <= MAX_SAFE_INTEGER


def is_count(value: Any) -> bool:
    return is_integer(value) and bool(value >= 0)


def parse_json(text: str) -> Any:
    """Parses what JSON.parse accepts, and raises a ValueError for everything else. Numbers such as `1e3` are integers."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_read_number)
    except RecursionError:
        raise ValueError('nested too deeply') from None


def parse_canonical(text: str) -> Any:
    """Returns the value of a canonical text. None when the text is not JSON or not the canonical form of its value."""
    try:
        value = parse_json(text)
        return value if canonicalize(value) == text else None
    except (ValueError, RecursionError):
        return None


def canonicalize(value: Any, depth: int = 0) -> str:
    """Raises a ValueError for a value without a canonical form."""
    if isinstance(value, str):
        return write_string(value)
    if value is True or value is False:
        return 'true' if value else 'false'
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if is_integer(value):
        return str(value)
    if depth == MAX_DEPTH:
        raise ValueError('nested too deeply')
    if isinstance(value, list):
        return '[' + ','.join([canonicalize(each, depth + 1) for each in value]) + ']'
    if isinstance(value, dict):
        members = [f'{write_string(name)}:{canonicalize(value[name], depth + 1)}' for name in _sorted_names(value)]
        return '{' + ','.join(members) + '}'
    raise ValueError(f'{value!r} has no canonical form')


def write_string(value: str) -> str:
    if _is_plain(value):
        return f'"{value}"'
    # Raises a UnicodeEncodeError, which is a ValueError, for a lone surrogate.
    value.encode()
    return _write_string(value)


def _sorted_names(value: 'dict[str, Any]') -> 'list[str]':
    names = list(value)
    if all(name.isascii() for name in names):
        return sorted(names)
    # RFC 8785 sorts by UTF-16 code units.
    return sorted(names, key=lambda name: name.encode('utf-16-be', 'surrogatepass'))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f'{name} is not JSON')


def _read_number(text: str) -> Any:
    value = float(text)
    return int(value) if value.is_integer() and abs(value) <= MAX_SAFE_INTEGER else value


def js_string(value: Any) -> str:
    """A value in a message, written as the other verifiers write it."""
    if value is None:
        return 'undefined'
    return value if isinstance(value, str) else canonicalize(value)
