"""The results of a check, as `tallystick verify` reports them."""

import sys
from typing import Any, Dict, List, Optional, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


class FoundFault(TypedDict):
    kind: str
    seq: Optional[int]
    """The first wrong entry"""
    message: str


class Finding(TypedDict):
    kind: str
    """`export` or `costs`"""
    fault: Optional[FoundFault]
    """None if there is no fault"""
    unproved: NotRequired[str]
    """Why the file is not verified although no fault was found"""
    exceptions: NotRequired[List[str]]
    """What the record itself says is missing, deleted or in doubt"""
    established: List[str]
    """What the check showed, one sentence each"""
    remarks: List[str]
    """What it could not show"""
    facts: Dict[str, Any]


def format_count(count: int, what: str, plural: Optional[str] = None) -> str:
    return f'{count:,} {what if count == 1 else plural or what + "s"}'
