"""Verifies an export."""

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence

from ._costs import CostCheck
from ._errors import UnusableInputError
from ._exceptions import describe_exception, is_exception
from ._export_format import Header, read_line
from ._export_verifier import ExportVerifier
from ._findings import Finding, format_count
from ._keys import TrustedKeys, read_keys
from ._lines import Lines, Source, decode


@dataclass(frozen=True)
class ExportVerdict:
    """The result of a check. It is true only if the verdict is `verified`."""

    #: `verified`, `fault`, or `consistent`: there is no fault, but the signer is not known or nothing is signed.
    verdict: str
    #: One for the export, and one for the costs if they were checked.
    findings: List[Finding]

    def __bool__(self) -> bool:
        return self.verdict == 'verified'


def verify_export(
    source: Source, keys: Optional[TrustedKeys] = None, *, checkpoints: Sequence[str] = (), costs: bool = False
) -> ExportVerdict:
    """Verifies an export, as `export_record` returns it or as it was stored, also compressed with gzip.

    `source` is bytes, a file that was opened with mode `rb`, or anything that yields bytes. It is read in constant memory. Without `keys`
    those that the export lists are trusted, and the verdict is at best `consistent`: a forger lists keys too. `checkpoints` are those
    that you kept: the export must agree with them, and reach as far. With `costs` the cost of every call is computed again, from the
    counts and prices in the record. Raises an `UnusableInputError` for what is no export.
    """
    trusted = (read_keys(keys) if keys is not None else None) or None
    exceptions: List[Dict[str, Any]] = []
    cost_check = CostCheck()

    def on_entry(fields: Dict[str, Any]) -> None:
        if costs:
            cost_check.add_entry(fields)
        if is_exception(fields):
            exceptions.append(fields)

    verifier = ExportVerifier(trusted, checkpoints, on_entry)
    _read(Lines(source), verifier)
    verifier.finish()
    findings = [_describe(verifier, exceptions, trusted is not None, len(checkpoints) > 0)]
    if costs and verifier.fault is None:
        findings.append(cost_check.finish())
    return ExportVerdict(_verdict_of(findings, trusted is not None), findings)


def _read(lines: Lines, verifier: ExportVerifier) -> None:
    is_first = True
    for line in lines:
        text = decode(line)
        if is_first and not isinstance(read_line(text or ''), Header):
            break
        is_first = False
        verifier.add_line(text)
        if verifier.fault is not None:
            break
    if is_first:
        why = f'cannot be unpacked: {lines.damage}' if lines.damage else 'its first line is not the header of an export'
        raise UnusableInputError(f'This is not an export: {why}')
    # The last line may be complete without a line break. An incomplete line before the end line means that the file was cut off there,
    # and is ignored.
    rest = decode(lines.rest)
    if (lines.rest != b'') if verifier.is_ended else (read_line(rest or '') is not None):
        verifier.add_line(rest)
    if lines.damage is not None:
        verifier.report_damage(lines.damage)


def _describe(
    verifier: ExportVerifier, exceptions: List[Dict[str, Any]], are_keys_given: bool, are_checkpoints_given: bool
) -> Finding:
    header, record, fault, seals = verifier.header, verifier.record, verifier.fault, verifier.seals
    tenant, entries, key_ids = header.tenant, record.chained, list(record.key_ids)
    is_restored = any(each['event'] == 'record.restore' for each in exceptions)
    span = f'{format_count(entries, "entry", "entries")} of {tenant}, {header.from_seq} to {header.to_seq}'
    whole = f'{span}, are as they were sealed: none changed, {"" if is_restored else "missing, "}repeated or moved'
    if fault:
        established = [_describe_before_fault(verifier)]
    else:
        nothing = f'No entries of {tenant} from {header.from_seq} on: nothing to check'
        established = [nothing if entries == 0 else whole]
    remarks: List[str] = []
    if not are_keys_given:
        names = 'These keys come from the file itself' if key_ids else 'No key is trusted'
        remarks.append(
            f'{names}, and whoever forges a record lists their own: name those that you trust in `keys`, from GET '
            '/.well-known/tallystick/jwks.json of the service'
        )
    if fault is None and not are_checkpoints_given:
        remarks.append(
            f'A file cannot show whether there were entries after {header.to_seq}: compare it with a checkpoint that you kept, '
            'in `checkpoints`'
        )
    finding: Finding = {
        'kind': 'export',
        'fault': {'kind': fault.kind, 'seq': fault.seq, 'message': fault.message} if fault else None,
        'exceptions': [describe_exception(each) for each in exceptions],
        'established': [*established, *([f'Signed by {", ".join(key_ids)}'] if key_ids else [])],
        'remarks': remarks,
        'facts': {
            'tenant': tenant,
            'fromSeq': header.from_seq,
            'toSeq': header.to_seq,
            'entries': entries,
            'sealed': record.sealed,
            'seals': seals,
            'keyIds': key_ids,
            'keysFrom': 'given' if are_keys_given else 'file',
            'exceptionSeqs': [each['seq'] for each in exceptions],
        },
    }
    # No key is needed to write such a file, so it proves nothing.
    if fault is None and seals == 0:
        finding['unproved'] = 'nothing in it is signed'
    return finding


def _describe_before_fault(verifier: ExportVerifier) -> str:
    """Only a seal shows that entries are unchanged. Those between the last valid seal and the fault may have been changed and chained
    again."""
    record, header = verifier.record, verifier.header
    sealed, rest = record.sealed, record.chained - record.sealed
    count = format_count(sealed, 'entry', 'entries')
    held = f'Before that, {count} of {header.tenant} {"is" if sealed == 1 else "are"} as sealed'
    if rest == 0:
        return held
    first, last = header.from_seq + sealed, header.from_seq + record.chained - 1
    span = f'entry {first} is' if rest == 1 else f'entries {first} to {last} are'
    return f'{held}; {span} chained to them, under no seal that holds'


def _verdict_of(findings: List[Finding], is_signer_known: bool) -> str:
    if any(each['fault'] for each in findings):
        return 'fault'
    return 'verified' if is_signer_known and not any('unproved' in each for each in findings) else 'consistent'
