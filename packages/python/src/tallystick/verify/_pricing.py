"""The cost of a call from its counts and its price, in whole nano-dollars, as docs/reference/prices.md defines it."""

import math
import re
from hashlib import sha256
from typing import Any, Dict, List, NamedTuple, Optional

from ._canonical import MAX_SAFE_INTEGER, canonicalize, is_count

RATE_NAMES = ('input', 'output', 'cached', 'written', 'writtenHour', 'audioIn', 'audioOut', 'image')
INPUT_KINDS = ('written', 'writtenHour', 'cached', 'audioIn')
# What an image or the use of a tool counts as when the price has no fee for it.
UNPRICED_USE_TOKENS = 10_000
PICOS_PER_NANO = 1_000

Rates = Dict[str, int]


class Schedule(NamedTuple):
    """One way to price the tokens of a call: rates by the length of its input, times a factor."""

    rates: Rates
    longer: List[Dict[str, Any]]
    factor: int
    scale: int


def price_hash(price: Dict[str, Any]) -> str:
    return sha256(canonicalize(price).encode()).hexdigest()


def cost_nanos(price: Dict[str, Any], counts: Dict[str, Any], tier: Optional[str]) -> int:
    """Returns the cost, rounded up once. What the price does not name has the most expensive price that it does name."""
    fees = _fee_picos(price, counts.get('tools'))
    highest = 0
    for schedule in _schedules(price, tier):
        divisor = schedule.scale * PICOS_PER_NANO
        tokens = _token_picos(_full_rates(_rates_for_input(schedule, counts)), counts)
        picos = tokens * schedule.factor + fees * schedule.scale
        highest = max(highest, (picos + divisor - 1) // divisor)
    return min(highest, MAX_SAFE_INTEGER)


def _token_picos(rates: Rates, counts: Dict[str, Any]) -> int:
    written = _count(counts.get('written'))
    written_hour = min(_count(counts.get('writtenHour')), written)
    declared = {
        'written': written - written_hour,
        'writtenHour': written_hour,
        'cached': _count(counts.get('cached')),
        'audioIn': _count(counts.get('audioIn')),
    }
    picos, rest = 0, _count(counts.get('input'))
    # When the kinds exceed the total, the most expensive are counted.
    for kind in sorted(INPUT_KINDS, key=lambda kind: -rates[kind]):
        count = min(declared[kind], rest)
        rest -= count
        picos += count * rates[kind]
    output = _count(counts.get('output'))
    audio_out = min(_count(counts.get('audioOut')), output)
    return (
        picos
        + rest * rates['input']
        + (output - audio_out) * rates['output']
        + audio_out * rates['audioOut']
        + _count(counts.get('images')) * rates['image']
    )


def _full_rates(rates: Rates) -> Rates:
    """A kind that the price does not name has the most expensive rate of its direction."""
    text = max(rates.get(kind, 0) for kind in ('input', 'cached', 'written', 'writtenHour'))
    full = {'cached': text, 'written': text, 'writtenHour': text, 'audioIn': text, 'audioOut': rates['output'], **rates}
    highest = max(text, full['audioIn'], full['output'], full['audioOut'])
    return {'image': UNPRICED_USE_TOKENS * highest, **full}


def _fee_picos(price: Dict[str, Any], tools: Any) -> int:
    if not isinstance(tools, dict):
        return 0
    fees = price.get('fees', {})
    full = _full_rates(price['rates'])
    highest = UNPRICED_USE_TOKENS * max(full['input'], full['audioIn'], full['output'], full['audioOut'])
    unnamed = max(fees.values()) if fees else highest
    return sum(_count(uses) * int(fees.get(tool, unnamed)) for tool, uses in tools.items())


def _rates_for_input(schedule: Schedule, counts: Dict[str, Any]) -> Rates:
    """Returns the last rates whose threshold the input exceeds."""
    count = _count(counts.get('input'))
    rates = schedule.rates
    for each in schedule.longer:
        if count > each['aboveInputTokens']:
            rates = each['rates']
    return rates


def _schedules(price: Dict[str, Any], tier: Optional[str]) -> List[Schedule]:
    """Returns every way to price a call of this tier, of which the most expensive one applies."""
    tiers: Dict[str, Any] = price.get('tiers', {})
    names = list(dict.fromkeys(tier.split('+'))) if tier else []
    known = [name for name in names if name in tiers]
    combinations = [known]
    # An unknown tier counts as the known tier that makes the call most expensive.
    if len(known) < len(names):
        combinations += [[*known, name] for name in tiers if name not in known]
    return [schedule for each in combinations for schedule in _combine(price, [tiers[name] for name in each])]


def _combine(price: Dict[str, Any], tiers: List[Dict[str, Any]]) -> List[Schedule]:
    permilles = [each['permille'] for each in tiers if 'permille' in each]
    factor, scale = math.prod(permilles), 1_000 ** len(permilles)
    with_rates = [each for each in tiers if 'rates' in each] or [price]
    return [Schedule(each['rates'], each.get('longer', []), factor, scale) for each in with_rates]


def _count(value: Any) -> int:
    return min(math.ceil(value), MAX_SAFE_INTEGER) if isinstance(value, (int, float)) and value > 0 else 0


def is_price(value: Any) -> bool:
    """Whether untrusted JSON is exactly a price."""
    if not _has_only(value, ('rates', 'longer', 'tiers', 'fees')) or not _is_rates(value.get('rates')):
        return False
    if 'longer' in value and not _is_longer(value['longer']):
        return False
    tiers, fees = value.get('tiers', {}), value.get('fees', {})
    if not isinstance(tiers, dict) or not isinstance(fees, dict):
        return False
    # Tiers are joined by a plus.
    return all(re.fullmatch('[^+]+', name) and _is_tier(tier) for name, tier in tiers.items()) and all(
        map(is_count, fees.values())
    )


def _is_tier(value: Any) -> bool:
    if not _has_only(value, ('rates', 'longer', 'permille')):
        return False
    if 'longer' in value and not ('rates' in value and _is_longer(value['longer'])):
        return False
    if 'rates' in value and not _is_rates(value['rates']):
        return False
    return 'permille' not in value or is_count(value['permille'])


def _is_longer(value: Any) -> bool:
    if not isinstance(value, list):
        return False
    previous = -1
    for each in value:
        if not _has_only(each, ('aboveInputTokens', 'rates')) or not _is_rates(each.get('rates')):
            return False
        above = each.get('aboveInputTokens')
        if not is_count(above) or above <= previous:
            return False
        previous = above
    return True


def _is_rates(value: Any) -> bool:
    return _has_only(value, RATE_NAMES) and 'input' in value and 'output' in value and all(map(is_count, value.values()))


def _has_only(value: Any, names: 'tuple[str, ...]') -> bool:
    return isinstance(value, dict) and all(name in names for name in value)
