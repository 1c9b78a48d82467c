"""Verifies a record from its first entry on, and stops at the first fault."""

from hashlib import sha256
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Union

from ._canonical import is_integer, parse_canonical
from ._checkpoints import Signed, check_checkpoint, create_verifiers, read_checkpoint
from ._errors import Fault
from ._keys import PublicKey
from ._merkle import HASH_BYTES, CompactRange, leaf_hash

ENTRY_FORMAT = 2

SEAL_FAULTS = {
    'malformed': ('malformed_seal', 'is not a signed checkpoint'),
    'wrong_origin': ('wrong_tenant', 'belongs to another record'),
    'unknown_key': ('unknown_key', 'is signed by none of the trusted keys'),
    'bad_signature': ('bad_signature', 'carries a signature that does not verify'),
}


class _Undecided(NamedTuple):
    """An entry that is not chained to the newest one. It is kept until it is clear which of the two is wrong."""

    claimed_prev: str
    leaf: bytes


def genesis_prev(tenant: str) -> bytes:
    """The genesis hash includes the tenant, so that the start of one record cannot be presented as the start of another."""
    return sha256(f'tallystick/genesis/1\n{tenant}\n'.encode()).digest()


class RecordVerifier:
    """A seal covers all entries before it. Entries after the last valid seal do not count as sealed."""

    def __init__(self, tenant: str, keys: Sequence[PublicKey], prev: bytes, tree: CompactRange) -> None:
        self._tenant = tenant
        self._verifiers = create_verifiers(tenant, keys)
        self.key_ids: Dict[str, None] = {}
        # The keys that entries report as compromised. A key is retired before such an entry is written, so its later seals are not valid.
        self._compromised: Set[str] = set()
        # All accepted entries except the newest, which the next entry or a seal has to confirm.
        self._confirmed = tree
        self._unconfirmed: Optional[bytes] = None
        self._prev = prev
        self.size = self._start_size = self._sealed_size = tree.size
        self._undecided: Optional[_Undecided] = None
        self.fault: Optional[Fault] = None

    @property
    def chained(self) -> int:
        """The number of entries before the first fault."""
        return self.size - self._start_size

    @property
    def sealed(self) -> int:
        """The number of those that a verified seal covers."""
        return self._sealed_size - self._start_size

    def add_entry(self, seq: int, canonical: str) -> Optional[Dict[str, Any]]:
        """Returns the members of the entry. None once there is a fault, or while it is not clear which of two entries is wrong."""
        if self.fault is not None:
            return None
        fields = parse_canonical(canonical)
        expected = self.size + 1
        if self._undecided is not None:
            prev = fields.get('prev') if isinstance(fields, dict) else None
            self._decide(prev == self._undecided.leaf.hex())
        elif seq != expected:
            self._refuse_seq(seq)
        elif not isinstance(fields, dict):
            self._refuse('not_canonical', expected, 'is not a canonical JSON object')
        elif fields.get('v') != ENTRY_FORMAT:
            self._refuse('unknown_version', expected, 'is of a version unknown here')
        elif fields.get('tenant') != self._tenant:
            self._refuse('wrong_tenant', expected, 'names another tenant')
        elif self._is_in_place(fields, expected, leaf := leaf_hash(canonical)):
            self._accept(fields, leaf)
            return fields
        return None

    def _is_in_place(self, fields: Dict[str, Any], expected: int, leaf: bytes) -> bool:
        prev, own = fields.get('prev'), fields.get('seq')
        is_chained = prev == self._prev.hex()
        if not is_integer(own) or own != expected:
            # An entry that is chained here but has another number was edited. Otherwise it is a different entry.
            if is_chained or not is_integer(own):
                self._refuse('changed', expected, 'has another seq in its bytes')
            else:
                self._refuse_seq(fields['seq'])
        elif not is_chained:
            self._refuse_prev(prev, leaf)
        return is_chained and self.fault is None

    def _accept(self, fields: Dict[str, Any], leaf: bytes) -> None:
        self._confirm()
        self._unconfirmed = leaf
        self._prev = leaf
        self.size += 1
        if fields.get('kind') == 'control' and fields.get('event') == 'signing_key.compromise':
            self._compromised.add(str(fields.get('subject')))

    def add_seal(self, size: int, note: str) -> Optional[List[str]]:
        """Returns the ids of the keys that signed the seal. None when it is not valid."""
        if self.fault is not None:
            return None
        verdict = check_checkpoint(note, self._tenant, self._verifiers)
        if self._undecided is not None:
            self._decide(self._is_sealed_as_claimed(self._undecided, verdict))
        elif isinstance(verdict, str):
            kind, words = SEAL_FAULTS[verdict]
            more = self._describe_unknown_key(size, note) if kind == 'unknown_key' else ''
            self._fail(kind, size, f'The seal at {size} {words}{more}')
        elif verdict.checkpoint.size != size or size < self.size:
            self._fail('misplaced_seal', size, f'The seal at {size} does not belong after entry {self.size}')
        elif size > self.size:
            self._refuse('gap', self.size + 1, f'is missing: a seal covers entries up to {size}')
        elif all(each in self._compromised for each in verdict.key_ids):
            words = 'is signed by a key that an earlier entry reports as compromised'
            self._fail('compromised_key', size, f'The seal at {size} {words}')
        else:
            self._confirm()
            self._check_root(verdict)
            if self.fault is None:
                return verdict.key_ids
        return None

    def finish(self) -> None:
        if self._undecided is not None:
            self._decide(False)

    def _check_root(self, signed: Signed) -> None:
        if self._confirmed.root() != signed.checkpoint.root:
            first = self._sealed_size + 1
            self._fail('bad_root', self.size, f'Entries {first} to {self.size} are not the ones that were sealed')
            return
        self._sealed_size = self.size
        self.key_ids.update(dict.fromkeys(signed.key_ids))

    def _describe_unknown_key(self, size: int, note: str) -> str:
        """Says whether the entries agree with the seal, so that a user with the wrong keys knows that they do."""
        tree = self._confirmed.copy()
        if self._unconfirmed is not None:
            tree.append(self._unconfirmed)
        claimed = read_checkpoint(note)
        if size == self.size and claimed and claimed.root == tree.root():
            return ', though the entries agree with it: its key was left out, or someone else sealed the record again'
        return ', and the entries do not agree with it either'

    def _confirm(self) -> None:
        if self._unconfirmed is not None:
            self._confirmed.append(self._unconfirmed)
        self._unconfirmed = None

    def _refuse_prev(self, claimed_prev: Any, leaf: bytes) -> None:
        # Either the prev of this entry or the previous entry was edited. A verified seal over the previous entry rules out the latter.
        # Otherwise a later entry that is chained to this one, or a seal over it, shows that this entry is unchanged.
        if self._unconfirmed is not None and isinstance(claimed_prev, str):
            self._undecided = _Undecided(claimed_prev, leaf)
        else:
            self._refuse_broken_prev()

    def _decide(self, is_undecided_right: bool) -> None:
        self._undecided = None
        if not is_undecided_right:
            self._refuse_broken_prev()
            return
        changed = self.size
        self.size = changed - 1
        self._refuse('changed', changed, f'is not the one that entry {changed + 1} was chained to')

    def _is_sealed_as_claimed(self, undecided: _Undecided, verdict: Union[Signed, str]) -> bool:
        try:
            claimed = bytes.fromhex(undecided.claimed_prev)
        except ValueError:
            return False
        if isinstance(verdict, str) or len(claimed) != HASH_BYTES or claimed.hex() != undecided.claimed_prev:
            return False
        tree = self._confirmed.copy()
        tree.append(claimed)
        tree.append(undecided.leaf)
        return verdict.checkpoint.size == tree.size and verdict.checkpoint.root == tree.root()

    def _refuse_seq(self, seq: int) -> None:
        if seq <= self.size:
            self._refuse('repeat', seq, 'appears again')
        else:
            self._refuse('gap', self.size + 1, f'is missing: entry {seq} stands in its place')

    def _refuse_broken_prev(self) -> None:
        self._refuse('broken_prev', self.size + 1, 'is not chained to the entry before it')

    def _refuse(self, kind: str, seq: int, words: str) -> None:
        self._fail(kind, seq, f'Entry {seq} {words}')

    def _fail(self, kind: str, seq: int, message: str) -> None:
        self.fault = Fault(kind, seq, message)


