"""The verifier of webhook deliveries."""

import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple, TypedDict, Union


class WebhookEvent(TypedDict):
    """What a delivery to a `generic` endpoint says."""

    id: str
    """The same at every attempt: remember it to take a delivery once."""

    event: str
    created: str
    data: Dict[str, Any]


class WebhookVerificationError(Exception):
    """The delivery is not to be trusted. Answer 400, and look at nothing in it."""


def verify_webhook(
    body: Union[str, bytes],
    signature: Optional[str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = 300.0,
    now: Optional[float] = None,
) -> WebhookEvent:
    """Reads a delivery after checking that it was signed with your secret, just now.

    `body` is the body as it came, before any parsing. `signature` is the value of `X-Tallystick-Signature`. `secret` is that of the
    endpoint, `whsec_…`, or several where you know the next one too. `tolerance` says how many seconds the time of the delivery may be
    from yours, either way. Raises a `WebhookVerificationError` for any other delivery.
    """
    sent, signatures = _read_signature(signature or '')
    if abs((time.time() if now is None else now) - int(sent)) > tolerance:
        raise WebhookVerificationError('The delivery is too old, or the clocks differ')
    content = body.encode() if isinstance(body, str) else bytes(body)
    signed = sent.encode() + b'.' + content
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [hmac.new(key.encode(), signed, hashlib.sha256).digest() for key in secrets]
    # Every pair is compared, each in constant time: how long it takes says nothing about what was right.
    matches = [hmac.compare_digest(digest, given) for digest in expected for given in signatures]
    if not any(matches):
        raise WebhookVerificationError('No signature matches the body')
    event: WebhookEvent = json.loads(content)
    return event


def _read_signature(header: str) -> Tuple[str, List[bytes]]:
    """`t=<unix seconds>,v1=<hex>[,v1=<hex>]`; schemes that are not known are passed over."""
    parts = [part.strip().split('=') for part in header.split(',')]
    fields = [(part[0], part[1]) for part in parts if len(part) > 1 and part[1]]
    times = [value for name, value in fields if name == 't']
    if len(times) != 1 or not re.fullmatch('[0-9]{1,12}', times[0]):
        raise WebhookVerificationError('The signature header has no timestamp')
    signatures = [value for name, value in fields if name == 'v1' and re.fullmatch('[0-9a-fA-F]{64}', value)]
    if not signatures:
        raise WebhookVerificationError('The signature header has no signature')
    return times[0], [bytes.fromhex(value) for value in signatures]
