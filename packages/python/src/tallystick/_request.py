"""What both clients do with a request: prepare it, and decide whether it is repeated."""

import json
import random
import uuid
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Generic, List, Mapping, Optional, TypeVar, Union
from urllib.parse import quote

import httpx

from ._errors import TallystickError

Item = TypeVar('Item')

LONGEST_WAIT_SECONDS = 60
# The service or a proxy in front of it is away for a moment.
TRANSIENT_STATUSES = (502, 503, 504)


@dataclass(frozen=True)
class Page(Generic[Item]):
    """A part of a list."""

    data: List[Item]
    #: The cursor of the next page. None on the last page.
    next_cursor: Optional[str]


@dataclass(frozen=True)
class Options:
    base_url: str
    api_key: Optional[str]
    timeout: float
    max_retries: int
    headers: Mapping[str, str] = field(default_factory=dict)

    def changed(self, given: Mapping[str, Any]) -> 'Options':
        return replace(self, **{name: value for name, value in given.items() if value is not None})


@dataclass(frozen=True)
class Attempt:
    """A request that is ready to be sent, perhaps more than once."""

    request: httpx.Request
    is_repeatable: bool


def prepare(
    options: Options,
    method: str,
    path: str,
    query: Optional[Mapping[str, Any]],
    body: Any,
    headers: Optional[Mapping[str, str]],
) -> Attempt:
    given = httpx.Headers({'accept': 'application/json, */*;q=0.5', 'user-agent': 'tallystick-python/0.1.0'})
    given.update(options.headers)
    given.update(headers or {})
    if options.api_key is not None:
        given['authorization'] = f'Bearer {options.api_key}'
    content = None
    if body is not None:
        given['content-type'] = 'application/json'
        content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
    request = httpx.Request(
        method,
        options.base_url.rstrip('/') + path,
        params={name: write_value(value) for name, value in (query or {}).items() if value is not None} or None,
        headers=given,
        content=content,
        extensions={'timeout': httpx.Timeout(options.timeout).as_dict()},
    )
    is_repeatable = method in ('GET', 'PUT', 'DELETE') or 'idempotency-key' in given
    return Attempt(request, is_repeatable)


def write_value(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def retry_delay(error: TallystickError, count: int, is_repeatable: bool) -> Optional[float]:
    """Seconds until the next attempt, or None if there should be none."""
    is_transient = error.type in ('connection_failed', 'timeout') or error.status in TRANSIENT_STATUSES
    # A rate limit refuses a request before it has any effect, so every request may be repeated after that.
    if error.status != 429 and not (is_transient and is_repeatable):
        return None
    retry_after = error.retry_after or 0
    if retry_after > LONGEST_WAIT_SECONDS:
        return None
    backoff = min(0.5 * float(2**count), 8.0) * (0.75 + random.random() / 4)
    return max(float(retry_after), backoff)


def describe_failure(error: httpx.HTTPError, url: object, timeout: float) -> TallystickError:
    if isinstance(error, httpx.TimeoutException):
        return TallystickError('timeout', f'No answer from {url} within {timeout:g} s')
    return TallystickError('connection_failed', f'No answer from {url}: {error}')


def read_json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        message = f'The answer from {response.url} is not JSON: check the base URL'
        raise TallystickError('unexpected_answer', message, status=response.status_code) from None


def fill(template: str, *values: Union[str, int]) -> str:
    """Puts the parameters of a path into it."""
    for value in values:
        # An empty value would be another operation: that of the list.
        if isinstance(value, bool) or not isinstance(value, (str, int)) or value == '':
            raise TypeError(f'A parameter of {template} is {value!r}: it must be a text that is not empty, or a number')
    return template.format(*(quote(str(value), safe='') for value in values))


def key_or_new(idempotency_key: Optional[str]) -> str:
    return idempotency_key or str(uuid.uuid4())


def idempotency_headers(key: Optional[str]) -> Dict[str, str]:
    return {} if key is None else {'idempotency-key': key}
