"""Verifies receipts, consistency proofs and checkpoints. Proofs come from untrusted sources, so every member may have any type."""

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence

from ._canonical import canonicalize, is_integer, parse_canonical
from ._checkpoints import can_have_record, check_checkpoint, create_verifiers, read_checkpoint
from ._keys import TrustedKeys, read_keys
from ._merkle import HASH_BYTES, is_consistent, is_included, leaf_hash
from ._record import ENTRY_FORMAT

NOTE_FAULTS = {
    'malformed': ('malformed_seal', 'is not a signed checkpoint'),
    'wrong_origin': ('wrong_tenant', 'belongs to another record'),
    'unknown_key': ('unknown_key', 'is signed by none of the trusted keys'),
    'bad_signature': ('bad_signature', 'carries a signature that does not verify'),
}


@dataclass(frozen=True)
class Verdict:
    """What a check showed. It is true only if there is no fault."""

    ok: bool
    #: The kind of the fault, as `tallystick verify` reports it, and a sentence for people.
    kind: Optional[str] = None
    message: Optional[str] = None
    #: What was shown: `tenant`, `size`, `keyIds` and so on.
    facts: Dict[str, Any] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return self.ok


class _Entry(NamedTuple):
    tenant: str
    seq: int
    fields: Dict[str, Any]
    leaf: bytes


def _refuse(kind: str, message: str) -> Verdict:
    return Verdict(False, kind, message)


def verify_receipt(receipt: Mapping[str, Any], proof: Mapping[str, Any], keys: TrustedKeys) -> Verdict:
    """Verifies that a receipt is in the signed record.

    `receipt` is what `get_receipt` returns, `proof` what `get_inclusion_proof` returns. Every member of the receipt is compared with the
    text that was hashed.
    """
    trusted = read_keys(keys)
    entry = _read_entry(receipt.get('canonical'))
    if entry is None:
        return _refuse('not_canonical', 'The text of the receipt is not the canonical form of an entry')
    for name in receipt:
        if not _agrees(receipt, entry.fields, name):
            return _refuse('changed', f'The receipt shows another {name} than the text that was hashed')
    hashes = _read_hashes([proof.get('leafHash'), proof.get('root')])
    path = _read_hashes(proof.get('path'))
    index, size, note = proof.get('index'), proof.get('size'), proof.get('checkpoint')
    is_proof = all(map(_is_number, (index, size, proof.get('seq')))) and isinstance(note, str)
    if hashes is None or path is None or not is_proof or proof.get('seq') != index + 1:  # type: ignore[operator]
        return _refuse('malformed_proof', 'The proof is not in the form of an inclusion proof')
    leaf, root = hashes
    if index != entry.seq - 1:
        return _refuse('bad_root', f'The proof is for entry {index + 1}, the receipt is entry {entry.seq}')  # type: ignore[operator]
    if leaf != entry.leaf or not is_included(index, size, leaf, root, path):
        return _refuse('bad_root', 'The proof does not lead from this receipt to its root')
    signed = check_checkpoint(str(note), entry.tenant, create_verifiers(entry.tenant, trusted))
    if isinstance(signed, str):
        kind, words = NOTE_FAULTS[signed]
        return _refuse(kind, f'The checkpoint of the proof {words}')
    if signed.checkpoint.size != size or signed.checkpoint.root != root:
        return _refuse('bad_root', 'The checkpoint is over another tree than the proof leads to')
    facts = {'tenant': entry.tenant, 'seq': entry.seq, 'size': size, 'keyIds': signed.key_ids}
    return Verdict(True, facts=facts)


def verify_consistency(proof: Mapping[str, Any], checkpoints: Sequence[str], keys: TrustedKeys) -> Verdict:
    """Verifies that a record only grew between two sizes.

    `proof` is what `get_consistency_proof` returns, `checkpoints` are those of the two sizes, one of them kept from before. Of a size
    that is not in `signedSizes`, the root is only claimed by the proof.
    """
    trusted = read_keys(keys)
    old, grown = proof.get('from'), proof.get('to')
    hashes = _read_hashes([proof.get('fromRoot'), proof.get('toRoot')])
    path = _read_hashes(proof.get('path'))
    if hashes is None or path is None or not _is_number(old) or not _is_number(grown):
        return _refuse('malformed_proof', 'The proof is not in the form of a consistency proof')
    first = read_checkpoint(checkpoints[0]) if len(checkpoints) > 0 else None
    tenant = first.tenant if first else None
    if tenant is None:
        return _refuse('malformed_seal', 'The checkpoint is not a signed checkpoint of a record')
    root_by_size = {old: hashes[0], grown: hashes[1]}
    signed_sizes: List[int] = []
    for note in checkpoints:
        signed = check_checkpoint(note, tenant, create_verifiers(tenant, trusted))
        if isinstance(signed, str):
            kind, words = NOTE_FAULTS[signed]
            return _refuse(kind, f'The checkpoint {words}')
        size = signed.checkpoint.size
        if size not in root_by_size:
            return _refuse('misplaced_seal', f'The checkpoint is of size {size}, which is neither end of the proof')
        if root_by_size[size] != signed.checkpoint.root:
            return _refuse('bad_root', f'At size {size} the checkpoint has another root than the proof')
        signed_sizes.append(size)
    if not is_consistent(old, grown, hashes[0], hashes[1], path):
        return _refuse('bad_root', f'The record of {grown} entries is not shown to begin with that of {old}')
    return Verdict(True, facts={'tenant': tenant, 'from': old, 'to': grown, 'signedSizes': signed_sizes})


def verify_checkpoint(note: str, keys: TrustedKeys) -> Verdict:
    """Verifies a signed checkpoint: the size and the root of a record at one moment."""
    trusted = read_keys(keys)
    claimed = read_checkpoint(note)
    tenant = claimed.tenant if claimed else None
    if tenant is None:
        return _refuse('malformed_seal', 'The text is not a signed checkpoint of a record')
    signed = check_checkpoint(note, tenant, create_verifiers(tenant, trusted))
    if isinstance(signed, str):
        kind, words = NOTE_FAULTS[signed]
        return _refuse(kind, f'The checkpoint {words}')
    size, root = signed.checkpoint.size, signed.checkpoint.root.hex()
    return Verdict(True, facts={'tenant': tenant, 'size': size, 'root': root, 'keyIds': signed.key_ids})


def _read_entry(canonical: Any) -> Optional[_Entry]:
    fields = parse_canonical(canonical) if isinstance(canonical, str) else None
    if not isinstance(fields, dict):
        return None
    tenant, seq = fields.get('tenant'), fields.get('seq')
    if fields.get('v') != ENTRY_FORMAT or not isinstance(tenant, str) or not can_have_record(tenant) or not is_integer(seq):
        return None
    return _Entry(tenant, int(seq), fields, leaf_hash(canonical))  # type: ignore[arg-type]


def _agrees(receipt: Mapping[str, Any], entry: Dict[str, Any], name: str) -> bool:
    """A receipt repeats the members of its text. They must be equal, because people read the members instead of the text."""
    if name == 'canonical':
        return True
    if name == 'leafHash':
        return bool(receipt['leafHash'] == leaf_hash(receipt['canonical']).hex())
    try:
        return name in entry and canonicalize(receipt[name]) == canonicalize(entry[name])
    except ValueError:
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _read_hashes(values: Any) -> Optional[List[bytes]]:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        return None
    try:
        hashes = [bytes.fromhex(each) for each in values]
    except ValueError:
        return None
    is_exact = all(len(each) == HASH_BYTES and each.hex() == text for each, text in zip(hashes, values))
    return hashes if is_exact else None
