"""The Merkle tree of RFC 6962 over SHA-256."""

from hashlib import sha256
from typing import Any, List, Sequence, Tuple, Union

from ._canonical import is_count

HASH_BYTES = 32

# The leaves from the first up to, but not including, the second, counted from 0.
LeafRange = Tuple[int, int]


def leaf_hash(entry: Union[str, bytes]) -> bytes:
    return sha256(b'\0' + (entry.encode() if isinstance(entry, str) else entry)).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b'\1' + left + right).digest()


class CompactRange:
    """A tree as its size and the roots of its perfect subtrees, largest first: enough to append leaves and to compute the root."""

    def __init__(self, size: int = 0, hashes: Sequence[bytes] = ()) -> None:
        if not is_count(size) or len(hashes) != bin(size).count('1') or any(len(each) != HASH_BYTES for each in hashes):
            raise ValueError(f'A tree of size {size} does not have {len(hashes)} perfect subtrees')
        self.size = size
        self.hashes: List[bytes] = list(hashes)

    def copy(self) -> 'CompactRange':
        return CompactRange(self.size, self.hashes)

    def append(self, leaf: bytes) -> None:
        # Each trailing 1 bit of the size is a subtree as large as the current one.
        index = self.size
        while index & 1:
            leaf = node_hash(self.hashes.pop(), leaf)
            index >>= 1
        self.hashes.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        if not self.hashes:
            return sha256(b'').digest()
        *others, root = self.hashes
        for left in reversed(others):
            root = node_hash(left, root)
        return root


def inclusion_ranges(index: int, size: int) -> List[LeafRange]:
    """The parts of a tree whose roots prove that a leaf is in it, lowest level first."""
    ranges: List[LeafRange] = []
    start, end = 0, size
    while end - start > 1:
        split = start + _largest_power_below(end - start)
        if index < split:
            ranges.append((split, end))
            end = split
        else:
            ranges.append((start, split))
            start = split
    return ranges[::-1]


def consistency_ranges(old: int, grown: int) -> List[LeafRange]:
    """The parts whose roots prove that the grown tree begins with the old one."""
    if old in (0, grown):
        return []
    ranges: List[LeafRange] = []
    start, end = 0, grown
    while end != old:
        split = start + _largest_power_below(end - start)
        if old <= split:
            ranges.append((split, end))
            end = split
        else:
            ranges.append((start, split))
            start = split
    # The rest is the last perfect part of the old tree. When it is the whole old tree, its root is known already.
    if start > 0:
        ranges.append((start, end))
    return ranges[::-1]


def is_included(index: Any, size: Any, leaf: bytes, root: bytes, path: Sequence[bytes]) -> bool:
    if not is_count(size) or not is_count(index) or index >= size:
        return False
    ranges = inclusion_ranges(index, size)
    if len(ranges) != len(path):
        return False
    node = leaf
    for (_, end), sibling in zip(ranges, path):
        node = _join(node, sibling, end <= index)
    return node == root


def is_consistent(old: Any, grown: Any, old_root: bytes, grown_root: bytes, path: Sequence[bytes]) -> bool:
    """Every tree begins with the empty one, which needs no proof."""
    if not is_count(old) or not is_count(grown) or old > grown:
        return False
    ranges = consistency_ranges(old, grown)
    if len(ranges) != len(path):
        return False
    if old == grown:
        return old_root == grown_root
    if old == 0:
        return True
    starts_inside = ranges[0][1] == old
    old_node = grown_node = path[0] if starts_inside else old_root
    first = 1 if starts_inside else 0
    for (_, end), sibling in zip(ranges[first:], path[first:]):
        is_left = end < old
        if is_left:
            old_node = _join(old_node, sibling, True)
        grown_node = _join(grown_node, sibling, is_left)
    return old_node == old_root and grown_node == grown_root


def _join(node: bytes, sibling: bytes, sibling_is_left: bool) -> bytes:
    return node_hash(sibling, node) if sibling_is_left else node_hash(node, sibling)


def _largest_power_below(count: int) -> int:
    return 1 << ((count - 1).bit_length() - 1)
