"""Events that limit what a record proves: entries are missing, something was deleted, a key may be known to others."""

from typing import Any, Dict, Optional

from ._canonical import js_string

EXCEPTION_EVENTS = ('record.restore', 'record.drop', 'commitments.erase', 'signing_key.compromise', 'demo.fill')


def is_exception(fields: Dict[str, Any]) -> bool:
    return fields.get('kind') == 'control' and fields.get('event') in EXCEPTION_EVENTS


def describe_exception(fields: Dict[str, Any]) -> str:
    """Describes an exception in one sentence, without a full stop."""
    by = f', by {fields["by"]}' if isinstance(fields.get('by'), str) else ''
    source = f'(entry {js_string(fields.get("seq"))}, {js_string(fields.get("ts"))}{by})'
    subject = js_string(fields.get('subject'))
    event = fields['event']
    if event == 'record.restore':
        return f'{_describe_restore(fields, subject)} {source}'
    if event == 'record.drop':
        return f'Entries {subject} were exported and dropped from the record {source}'
    if event == 'commitments.erase':
        return (
            'The keys to the commitments of some receipts before it were deleted on request: what those calls said can no longer be '
            f'compared with the record {source}'
        )
    if event == 'signing_key.compromise':
        return (
            f'The signing key {subject} was reported as compromised: what only its seals cover, somebody else may have written {source}'
        )
    return f'The entries that this record began with are made up, for a demonstration {source}'


def _describe_restore(fields: Dict[str, Any], subject: str) -> str:
    restore: Optional[Any] = fields.get('restore')
    if not isinstance(restore, dict) or 'sealedSize' not in restore or 'asked' not in restore:
        reason = fields.get('reason')
        return reason if isinstance(reason, str) else f'The database was restored; sealed before: {subject}'
    said = {name: js_string(value) for name, value in restore.items() if name != 'asked'}
    root = f' with the root {said["sealedRoot"]}' if 'sealedRoot' in said else ''
    missing = 'how many of these are missing is unknown, at least one'
    if 'missingEntries' in said:
        verb = 'is' if said['missingEntries'] == '1' else 'are'
        kept = said.get('keptSize', 'undefined')
        missing = f'{said["missingEntries"]} of these {verb} missing, those after entry {kept}'
    correction = f'; this corrects what entry {said["corrects"]} says' if 'corrects' in said else ''
    return (
        'Sealed entries are missing: the database was restored to an earlier moment. '
        f'{said["sealedSize"]} entries had been sealed{root}; {missing}{correction}'
    )
