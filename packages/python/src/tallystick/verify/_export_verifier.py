"""Verifies an export line by line, in constant memory, and stops at the first fault."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

from ._checkpoints import can_have_record, check_checkpoint, create_verifiers
from ._errors import Fault, UnusableInputError
from ._export_format import End, Entry, Header, Seal, read_line
from ._keys import PublicKey
from ._merkle import CompactRange
from ._record import RecordVerifier, genesis_prev

PIN_FAULTS = {
    'malformed': 'is not a signed checkpoint',
    'wrong_origin': 'belongs to another record',
    'bad_signature': 'carries a signature that does not verify',
}


class _Pin(NamedTuple):
    size: int
    note: str


class ExportVerifier:
    def __init__(
        self, trusted: Optional[Sequence[PublicKey]], pinned: Sequence[str], on_entry: Callable[[Dict[str, Any]], None]
    ) -> None:
        self._trusted = trusted
        self._pinned = pinned
        self._on_entry = on_entry
        self._header: Optional[Header] = None
        self._record: Optional[RecordVerifier] = None
        self._pins: List[_Pin] = []
        self._lines = 0
        self._entries = 0
        self.seals = 0
        self.is_ended = False
        self._fault: Optional[Fault] = None

    @property
    def header(self) -> Header:
        if self._header is None:
            raise UnusableInputError('The file is empty')
        return self._header

    @property
    def record(self) -> RecordVerifier:
        if self._record is None:
            raise UnusableInputError('The file is empty')
        return self._record

    @property
    def fault(self) -> Optional[Fault]:
        return self._fault or (self._record.fault if self._record else None)

    def add_line(self, text: Optional[str]) -> None:
        """Adds a line without its line break. None for a line that is not valid UTF-8."""
        if self.fault is not None:
            return
        self._lines += 1
        line = None if text is None else read_line(text)
        if self._header is None:
            if not isinstance(line, Header):
                raise UnusableInputError('The first line is not the header of an export')
            self._begin(line)
        elif line is None:
            self._refuse_line('is not a line of an export')
        elif self.is_ended:
            self._refuse_line('comes after the end')
        elif isinstance(line, Entry):
            self._add_entry(line)
        elif isinstance(line, Seal):
            self.seals += 1
            self.record.add_seal(line.size, line.note)
        elif isinstance(line, End):
            self.is_ended = True
            self._check_end(line)
        else:
            self._refuse_line('is a second header')

    def report_damage(self, reason: str) -> None:
        """Must be called when the file could not be read to its end, even if the end line was read."""
        if self.is_ended and self.fault is None:
            words = f'The compressed file is damaged after the end line: {reason}'
            self._fail('damaged_file', self.record.size + 1, words)

    def finish(self) -> None:
        record = self.record
        record.finish()
        if self.fault is not None:
            return
        following = record.size + 1
        unsealed = self.header.from_seq + record.sealed
        beyond = next((pin.size for pin in self._pins if pin.size >= following), None)
        if not self.is_ended:
            words = f'The file breaks off before entry {following}: it has no end line'
            self._fail('cut_off', following, words)
        elif record.sealed < record.chained:
            self._fail('unsealed', unsealed, f'Entry {unsealed} and those after it are under no seal')
        elif beyond is not None:
            self._fail('cut_off', following, f'Entry {following} is cut off: a pinned checkpoint covers {beyond}')

    def _begin(self, header: Header) -> None:
        if not can_have_record(header.tenant):
            raise UnusableInputError('The header does not name a valid tenant')
        self._header = header
        try:
            tree = CompactRange(header.from_seq - 1, header.frontier)
        except ValueError:
            words = f'The frontier in the header is not that of {header.from_seq - 1} entries'
            raise UnusableInputError(words) from None
        listed = self._read_keys(header)
        keys = listed if self._trusted is None else self._trusted
        self._record = RecordVerifier(header.tenant, keys, header.prev, tree)
        if header.from_seq == 1 and header.prev != genesis_prev(header.tenant):
            self._fail('broken_prev', 1, 'The header does not begin where a record of this tenant begins')
        self._read_pins(header, keys)
        self._check_pins(header.from_seq - 1)

    def _read_keys(self, header: Header) -> List[PublicKey]:
        try:
            listed = [PublicKey(jwk) for jwk in header.keys]
        except ValueError as error:
            raise UnusableInputError(f'The keys in the header cannot be read: {error}') from error
        # The id in the file must be that of the key, so that a reader who looks it up finds the key that was used here.
        for key, jwk in zip(listed, header.keys):
            if any(key.jwk.get(name) != value for name, value in jwk.items()):
                self._fail('malformed_line', header.from_seq, 'Line 1 lists a key under members that are not its own')
        return listed

    def _read_pins(self, header: Header, keys: Sequence[PublicKey]) -> None:
        verifiers = create_verifiers(header.tenant, keys)
        for note in self._pinned:
            verdict = check_checkpoint(note, header.tenant, verifiers)
            if verdict == 'unknown_key':
                words = (
                    'The pinned checkpoint is signed by a key that is not among those of this export: '
                    'a key was swapped or left out'
                )
                self._fail('unknown_key', header.from_seq, words)
            elif isinstance(verdict, str):
                raise UnusableInputError(f'The pinned checkpoint {PIN_FAULTS[verdict]}')
            elif verdict.checkpoint.size < header.from_seq - 1:
                size = verdict.checkpoint.size
                words = f'The pinned checkpoint covers {size} entries, and the export begins after those'
                raise UnusableInputError(words)
            else:
                self._pins.append(_Pin(verdict.checkpoint.size, note))

    def _check_pins(self, size: int) -> None:
        """A pinned checkpoint is checked like a seal after the entry of its size."""
        for pin in self._pins:
            if pin.size == size:
                self.record.add_seal(size, pin.note)

    def _add_entry(self, line: Entry) -> None:
        accepted = self.record.add_entry(line.seq, line.canonical)
        self._entries += 1
        if accepted is None:
            return
        self._on_entry(accepted)
        to_seq = self.header.to_seq
        if line.seq > to_seq:
            self._fail('miscount', line.seq, f'The header says that the export ends at {to_seq}')
        self._check_pins(line.seq)

    def _check_end(self, end: End) -> None:
        last, to_seq = self.record.size, self.header.to_seq
        if last < to_seq:
            words = f'Entry {last + 1} is missing: the header says that the export ends at {to_seq}'
            self._fail('gap', last + 1, words)
        elif (end.entries, end.seals) != (self._entries, self.seals):
            words = (
                f'The end line counts {end.entries} entries and {end.seals} seals; '
                f'there are {self._entries} and {self.seals}'
            )
            self._fail('miscount', last, words)

    def _refuse_line(self, words: str) -> None:
        following = self.record.size + 1
        self._fail('malformed_line', following, f'Line {self._lines}, where entry {following} could be, {words}')

    def _fail(self, kind: str, seq: int, message: str) -> None:
        self._fault = self._fault or Fault(kind, seq, message)
