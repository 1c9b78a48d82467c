"""Signed checkpoints: C2SP tlog-checkpoint (origin, size, root) in a C2SP signed note."""

import base64
import re
from hashlib import sha256
from typing import List, NamedTuple, Optional, Sequence, Tuple, Union

from ._canonical import MAX_SAFE_INTEGER
from ._keys import PublicKey
from ._merkle import HASH_BYTES

SIGNATURE_PREFIX = '— '
KEY_ID_BYTES = 4
# Notes come from untrusted sources. A note with more signatures is refused, because checking them takes time.
MAX_SIGNATURES = 100
ORIGIN_PREFIX = 'tallystick/'

# Everything but a newline and printable, whole code points.
_has_forbidden = re.compile('[^\n\x20-\ud7ff\ue000-\U0010ffff]').search
_BLANKS = '\t-\r\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
_is_name = re.compile(f'[^{_BLANKS}+]+').fullmatch
_read_body = re.compile('([^\n]+)\n(0|[1-9][0-9]{0,15})\n([^\n]+)\n').fullmatch


class Signature(NamedTuple):
    name: str
    key_id: bytes
    value: bytes


class Note(NamedTuple):
    text: str
    signatures: List[Signature]


class Checkpoint(NamedTuple):
    origin: str
    size: int
    root: bytes

    @property
    def tenant(self) -> Optional[str]:
        """The tenant whose record it describes. None when the origin is not that of a Tallystick record."""
        if not self.origin.startswith(ORIGIN_PREFIX):
            return None
        tenant = self.origin[len(ORIGIN_PREFIX) :]
        return tenant if can_have_record(tenant) else None


class Signed(NamedTuple):
    checkpoint: Checkpoint
    key_ids: List[str]


# What is wrong with a checkpoint: malformed, wrong_origin, unknown_key or bad_signature.
NoteFault = str


class NoteVerifier(NamedTuple):
    name: str
    key_id: bytes
    key: PublicKey


def can_have_record(tenant: str) -> bool:
    name = ORIGIN_PREFIX + tenant
    return tenant != '' and _is_name(name) is not None and not _has_forbidden(name)


def create_verifiers(tenant: str, keys: Sequence[PublicKey]) -> List[NoteVerifier]:
    name = ORIGIN_PREFIX + tenant
    return [NoteVerifier(name, sha256(f'{name}\n'.encode() + b'\1' + key.bytes).digest()[:KEY_ID_BYTES], key) for key in keys]


def read_checkpoint(text: str) -> Optional[Checkpoint]:
    """Reads a note without checking its signature. None when it is not a checkpoint."""
    note = parse_note(text)
    return _parse_body(note.text) if note else None


def check_checkpoint(text: str, tenant: str, verifiers: Sequence[NoteVerifier]) -> Union[Signed, NoteFault]:
    note = parse_note(text)
    checkpoint = _parse_body(note.text) if note else None
    if note is None or checkpoint is None:
        return 'malformed'
    # The origin is checked first. Otherwise a seal of another record would be reported as signed by an unknown key.
    if checkpoint.origin != ORIGIN_PREFIX + tenant:
        return 'wrong_origin'
    signers = check_note(note, verifiers)
    return signers if isinstance(signers, str) else Signed(checkpoint, [each.key.id for each in signers])


def parse_note(text: str) -> Optional[Note]:
    # The text may contain empty lines and dashes: the last empty line separates it from the signatures.
    split = text.rfind('\n\n')
    if split < 0 or not text.endswith('\n') or _has_forbidden(text):
        return None
    lines = text[split + 2 : -1].split('\n')
    if len(lines) > MAX_SIGNATURES:
        return None
    signatures = [each for each in map(_parse_signature, lines) if each is not None]
    return Note(text[: split + 1], signatures) if len(signatures) == len(lines) else None


def check_note(note: Note, verifiers: Sequence[NoteVerifier]) -> Union[List[NoteVerifier], NoteFault]:
    """Signatures by unknown keys are ignored, since others may have cosigned. One bad signature under the name and id of a known key
    makes the whole note invalid."""
    message = note.text.encode()
    signed_by: List[NoteVerifier] = []
    for signature in note.signatures:
        candidates = [each for each in verifiers if (each.name, each.key_id) == (signature.name, signature.key_id)]
        if not candidates:
            continue
        # Four bytes of key id can collide by accident; one matching candidate is enough.
        signer = next((each for each in candidates if each.key.verify(message, signature.value)), None)
        if signer is None:
            return 'bad_signature'
        if signer not in signed_by:
            signed_by.append(signer)
    return signed_by or 'unknown_key'


def decode_base64(text: str) -> Optional[bytes]:
    """None for anything but the canonical text of a value."""
    try:
        value = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return value if base64.b64encode(value).decode() == text else None


def _parse_signature(line: str) -> Optional[Signature]:
    if not line.startswith(SIGNATURE_PREFIX):
        return None
    parts: Tuple[str, ...] = tuple(line[len(SIGNATURE_PREFIX) :].split(' '))
    value = decode_base64(parts[1]) if len(parts) == 2 and _is_name(parts[0]) else None
    if value is None or len(value) <= KEY_ID_BYTES:
        return None
    return Signature(parts[0], value[:KEY_ID_BYTES], value[KEY_ID_BYTES:])


def _parse_body(text: str) -> Optional[Checkpoint]:
    match = _read_body(text)
    root = decode_base64(match[3]) if match else None
    if match is None or root is None or len(root) != HASH_BYTES or int(match[2]) > MAX_SAFE_INTEGER:
        return None
    return Checkpoint(match[1], int(match[2]), root)
