"""The public keys of a record: Ed25519, as JSON Web Keys."""

import base64
import re
from hashlib import sha256
from typing import Any, Dict, Iterable, List, Mapping, Union

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from ._canonical import canonicalize
from ._errors import UnusableInputError

# What `get_signing_keys()` returns, or some of these keys.
TrustedKeys = Union[Mapping[str, Any], Iterable[Mapping[str, Any]]]


class PublicKey:
    """A key from someone else: only `x` is used, and the id is computed from it."""

    def __init__(self, jwk: Mapping[str, Any]) -> None:
        x = jwk.get('x')
        if jwk.get('kty') != 'OKP' or jwk.get('crv') != 'Ed25519' or not isinstance(x, str):
            raise ValueError('A key of the record must be an Ed25519 JWK: kty "OKP", crv "Ed25519", x')
        # Without the last test one key could appear under two ids.
        is_base64url = re.fullmatch('[A-Za-z0-9_-]{43}', x)
        self.bytes = base64.urlsafe_b64decode(f'{x}=') if is_base64url else b''
        if len(self.bytes) != 32 or encode_base64url(self.bytes) != x:
            raise ValueError('The x of an Ed25519 JWK must be 32 bytes in base64url without padding')
        #: RFC 7638 thumbprint.
        self.id = encode_base64url(sha256(canonicalize({'crv': 'Ed25519', 'kty': 'OKP', 'x': x}).encode()).digest())
        self.jwk: Dict[str, str] = {
            'kty': 'OKP', 'crv': 'Ed25519', 'x': x, 'kid': self.id, 'alg': 'EdDSA', 'use': 'sig'
        }  # fmt: skip
        self._key = Ed25519PublicKey.from_public_bytes(self.bytes)

    def verify(self, message: bytes, signature: bytes) -> bool:
        try:
            self._key.verify(signature, message)
            return True
        except (InvalidSignature, ValueError):
            return False


def encode_base64url(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).decode().rstrip('=')


def read_keys(trusted: TrustedKeys) -> List[PublicKey]:
    listed = trusted.get('keys') if isinstance(trusted, Mapping) else trusted
    if not isinstance(listed, Iterable):
        raise UnusableInputError('The keys must be a list, or an object with the member "keys"')
    try:
        return [PublicKey(jwk) for jwk in listed]
    except (ValueError, AttributeError) as error:
        raise UnusableInputError(str(error)) from error
