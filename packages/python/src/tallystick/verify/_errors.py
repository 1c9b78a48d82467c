from typing import NamedTuple


class UnusableInputError(Exception):
    """What was given is not an export or not a key, so nothing can be said of it."""


class Fault(NamedTuple):
    kind: str
    #: The first wrong entry. For a fault of a seal, the last entry under it.
    seq: int
    message: str
