"""The error of the clients, and how it is read from an answer."""

import json
import re
from typing import Any, Dict, List, Mapping, Optional


class TallystickError(Exception):
    """A request that was refused or failed.

    `type` is what the API reference calls the type of an error. Without an answer of Tallystick it is `connection_failed`, `timeout` or
    `unexpected_answer`, the last for example for the answer of a proxy in front of it.
    """

    def __init__(
        self,
        type: str,
        message: str,
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
        details: Optional[List[Dict[str, Any]]] = None,
        body: Any = None,
    ) -> None:
        super().__init__(message)
        self.type = type
        self.message = message
        #: The HTTP status. None if there was no answer.
        self.status = status
        #: The id of the request in the service's log.
        self.request_id = request_id
        #: The number of seconds to wait before the next attempt, if the service says so.
        self.retry_after = retry_after
        #: For `invalid_request`: every invalid value, with its path.
        self.details = details
        #: The body of the answer as it came: JSON or text.
        self.body = body


def read_error(status: int, headers: Mapping[str, str], text: str) -> TallystickError:
    """Reads the answer to a request that was not carried out."""
    try:
        body = json.loads(text)
    except ValueError:
        body = text
    error = body.get('error') if isinstance(body, dict) else None
    seconds = headers.get('retry-after', '')
    retry_after = float(seconds) if re.fullmatch('[0-9]+', seconds) else None
    request_id = headers.get('x-tallystick-request-id')
    if isinstance(error, dict) and isinstance(error.get('type'), str):
        return TallystickError(
            error['type'],
            str(error.get('message')),
            status=status,
            request_id=request_id,
            retry_after=error.get('retry_after', retry_after),
            details=error.get('details'),
            body=body,
        )
    return TallystickError(
        'unexpected_answer',
        f'The answer has status {status} and is not one of Tallystick: check the base URL',
        status=status,
        request_id=request_id,
        retry_after=retry_after,
        body=body,
    )
