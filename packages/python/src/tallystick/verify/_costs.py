"""Computes the cost of every call again from its counts and the price that the record contains."""

from typing import Any, Dict, List, Optional

from ._canonical import is_integer, js_string
from ._findings import Finding, FoundFault, format_count
from ._pricing import cost_nanos, is_price, price_hash


class CostCheck:
    def __init__(self) -> None:
        self._prices: Dict[str, Dict[str, Any]] = {}
        self._costs: Dict[int, int] = {}
        self._fault: Optional[FoundFault] = None
        self._computed = self._adjusted = self._sum = self._without_price = self._stray_adjustments = 0

    def add_entry(self, fields: Dict[str, Any]) -> None:
        if self._fault is not None:
            return
        if fields.get('event') == 'price.apply':
            self._add_price(fields)
        elif fields.get('event') == 'receipt.adjust':
            self._adjust(fields)
        elif fields.get('kind') in ('model', 'tool'):
            self._compute(fields)

    def finish(self) -> Finding:
        calls = format_count(self._computed, 'call')
        corrections = f', with {format_count(self._adjusted, "correction")}' if self._adjusted else ''
        nanos = f'{"-" if self._sum < 0 else ""}{abs(self._sum) // 10**9}.{abs(self._sum) % 10**9:09}'
        finding: Finding = {
            'kind': 'costs',
            'fault': self._fault,
            'established': [f'The cost of {calls} is what counts and price come to: USD {nanos} in all{corrections}'],
            'remarks': [
                *_remark(
                    self._without_price, 'name a price that is not in the export: give the earlier part of the record too'
                ),
                *_remark(self._stray_adjustments, 'correct an entry of an earlier part of the record'),
            ],
            'facts': {
                'computed': self._computed,
                'adjusted': self._adjusted,
                'costNanos': str(self._sum),
                'withoutPrice': self._without_price,
            },
        }
        if self._fault is None and self._without_price + self._stray_adjustments > 0:
            finding['unproved'] = 'not every cost can be computed again'
        return finding

    def _add_price(self, fields: Dict[str, Any]) -> None:
        price, subject = fields.get('terms'), js_string(fields.get('subject'))
        if not isinstance(price, dict) or not is_price(price):
            self._refuse(fields, 'has a price that cannot be read')
        elif price_hash(price) != fields.get('subject'):
            self._refuse(fields, 'has another price than its hash says')
        else:
            self._prices[subject] = price

    def _compute(self, fields: Dict[str, Any]) -> None:
        price = self._prices.get(js_string(fields.get('price')))
        if price is None:
            self._without_price += 1
            return
        counts, tier, stated = fields.get('counts'), fields.get('tier'), fields.get('costNanos')
        computed = cost_nanos(price, counts if isinstance(counts, dict) else {}, tier if isinstance(tier, str) else None)
        if not is_integer(stated) or stated != computed:
            said = js_string(stated)
            self._refuse(fields, f'costs {said} nano-dollars; its counts and price come to {computed}')
            return
        self._computed += 1
        self._sum += computed
        self._costs[fields['seq']] = computed

    def _adjust(self, fields: Dict[str, Any]) -> None:
        """Applies a correction. No call may have a negative cost after all corrections."""
        adjusts, difference = fields.get('adjusts'), fields.get('costNanos')
        cost = self._costs.get(adjusts) if is_integer(adjusts) else None  # type: ignore[arg-type]
        if not is_integer(difference):
            self._refuse(fields, 'corrects a cost by something that is no amount')
        elif cost is None:
            self._stray_adjustments += 1
        elif cost + int(difference) < 0:  # type: ignore[arg-type]
            self._refuse(fields, f'makes the cost of entry {adjusts} negative')
        else:
            self._adjusted += 1
            self._sum += int(difference)  # type: ignore[arg-type]
            self._costs[int(adjusts)] = cost + int(difference)  # type: ignore[arg-type]

    def _refuse(self, fields: Dict[str, Any], what: str) -> None:
        seq = fields['seq']
        self._fault = {'kind': 'wrong_cost', 'seq': seq, 'message': f'Entry {seq} {what}'}


def _remark(count: int, what: str) -> List[str]:
    return [f'{format_count(count, "entry", "entries")} {what}'] if count else []
