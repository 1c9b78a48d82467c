"""Reads cases as JSON lines, and prints what the verifiers say of each. A test compares it with what those in TypeScript say."""

import base64
import json
import sys

from tallystick import verify


def say(case):
    try:
        if case['kind'] == 'export':
            source = base64.b64decode(case['source'])
            chunks = [source[i : i + 1000] for i in range(0, len(source), 1000)]
            result = verify.verify_export(chunks, case['keys'], checkpoints=case['checkpoints'], costs=case['costs'])
            return {'verdict': result.verdict, 'findings': result.findings}
        check = getattr(verify, f'verify_{case["kind"]}')
        result = check(*case['arguments'])
        return {'ok': True, **result.facts} if result else {'ok': False, 'kind': result.kind, 'message': result.message}
    except verify.UnusableInputError:
        return 'unusable'


for line in sys.stdin:
    print(json.dumps(say(json.loads(line))))
