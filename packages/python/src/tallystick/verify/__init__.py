"""Verifies receipts, proofs and exports without trusting the service that made them. Their format: docs/reference/record-format.md."""

from ._errors import UnusableInputError
from ._export import ExportVerdict, verify_export
from ._findings import Finding
from ._proofs import Verdict, verify_checkpoint, verify_consistency, verify_receipt

__all__ = [
    'ExportVerdict',
    'Finding',
    'UnusableInputError',
    'Verdict',
    'verify_checkpoint',
    'verify_consistency',
    'verify_export',
    'verify_receipt',
]
