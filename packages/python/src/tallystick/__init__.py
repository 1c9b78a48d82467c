"""A typed client of Tallystick's management API, and verifiers of its webhooks, receipts and exports."""

from . import types
from ._async_streams import AsyncByteStream, AsyncPages
from ._client import AsyncTallystick, Tallystick
from ._errors import TallystickError
from ._request import Page
from ._sync_streams import ByteStream, Pages
from .webhooks import WebhookEvent, WebhookVerificationError, verify_webhook

__version__ = '0.1.0'

__all__ = [
    'AsyncByteStream',
    'AsyncPages',
    'AsyncTallystick',
    'ByteStream',
    'Page',
    'Pages',
    'Tallystick',
    'TallystickError',
    'WebhookEvent',
    'WebhookVerificationError',
    'types',
    'verify_webhook',
]
