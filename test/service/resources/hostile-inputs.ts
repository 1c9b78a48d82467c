import fc from 'fast-check'

const hostileTexts = [
  '',
  ' ',
  '\t\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\ufeff',
  '\u202e\u2066',
  'e\u0301',
  '٣',
  '🍕'.repeat(70),
  'x'.repeat(129),
  'x'.repeat(201),
  'x'.repeat(70_000),
  "'; drop table keys; --",
  '#{7*7}{{7*7}}<%= 7*7 %>',
  '../../etc/passwd',
  '%00',
  '%',
  '__proto__',
  'constructor',
  'null',
  '*',
  '1e3',
  '-0',
  '0x10',
  '0000-00-00T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00Z',
  '2099-02-30T00:00:00Z',
  '294277-01-01T00:00:00Z',
  '(a+)+$',
  '(?:'.repeat(200),
  '\\',
  'key_00000000000000000000000000',
  'latest',
  'tenant',
  'http://[::1]:9/',
  'javascript:1',
]
const hostileNumbers = [
  0,
  -0,
  -1,
  0.1,
  1e-7,
  0.0000015,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  -(2 ** 63),
  1e21,
  1_000_000_000.000001,
  999_999_999.999999,
]

const nest = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(...hostileNumbers),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    { length: 1e9 },
    { toString: 1, valueOf: null },
    { '': '' },
    { $ne: 1 },
  ),
  fc.constant(Array.from({ length: 5_000 }, (_, i) => i)),
  fc.constant(Array.from({ length: 600 }, () => 'm')),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.object({ maxDepth: 4, maxKeys: 6, key: fc.string({ unit: 'binary', maxLength: 10 }) }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Texts that are no JSON, or JSON that a careless reader stumbles over. */
export const rawBody: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.constantFrom<string | Buffer>(
    '',
    ' ',
    '{',
    '{]',
    '{"a":}',
    "{'a':1}",
    'undefined',
    'NaN',
    '1e999',
    '{"name":1e999}',
    '{"amountUsd":1e400}',
    '{"name":"a","name":5}',
    '\ufeff{}',
    '{"__proto__":{"role":"manager"},"name":"a"}',
    '{"constructor":{"prototype":{"role":"manager"}}}',
    '"\\ud800"',
    '{"\\u0000":1}',
    nest(100, '[', ']'),
    nest(50_000, '{"a":', '}'),
    nest(100_000, '[', ']'),
    `{"name":${nest(70, '{"a":', '}')}}`,
    '9'.repeat(10_000),
    Buffer.from([0xff, 0xfe, 0x00]),
    Buffer.from([...Buffer.from('{"name":"'), 0xc3, 0x28, ...Buffer.from('"}')]),
    Buffer.alloc(1_100_000, ' '),
  ),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
)

/** The valid body with up to three of its places made hostile: most of these get past the first checks. */
export const mutations = fc.array(
  fc.record({
    place: fc.nat(),
    act: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'nest', 'add'),
    name: fc.constantFrom(
      'unexpected',
      '__proto__',
      'id',
      'tenantId',
      'tenant_id',
      'key',
      'status',
      'createdAt',
      '',
    ),
    value: hostileValue,
  }),
  { minLength: 0, maxLength: 3 },
)
type Mutation = { place: number; act: string; name: string; value: unknown }

export function mutate(valid: unknown, steps: readonly Mutation[]): unknown {
  const body = structuredClone(valid)
  for (const { place, act, name, value: hostile } of steps) {
    const holders = holdersIn(body)
    const holder = holders[place % Math.max(1, holders.length)]
    if (!holder) continue
    const fields = Object.keys(holder)
    const field = fields[place % Math.max(1, fields.length)] ?? name
    if (act === 'remove') Reflect.deleteProperty(holder, field)
    else
      define(
        holder,
        act === 'add' ? name : field,
        act === 'nest' ? { inner: Reflect.get(holder, field) } : structuredClone(hostile),
      )
  }
  return body
}

/** Also `__proto__` becomes a field of its own, as it would be in JSON. */
const define = (holder: object, name: string, held: unknown) =>
  Object.defineProperty(holder, name, { value: held, enumerable: true, configurable: true, writable: true })

function holdersIn(body: unknown): object[] {
  if (typeof body !== 'object' || body === null) return []
  return [body, ...Object.values(body).flatMap(holdersIn)]
}

export const pathPart: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts.filter((text) => text.length < 5_000)).map(percentEncode),
  fc.constantFrom(
    '%',
    '%zz',
    '%ff',
    '%E0%A4',
    '..',
    '%2e%2e',
    '%2F',
    '%2f%2e',
    '.',
    '*',
    ':id',
    '{id}',
    '0',
    '-1',
    '1.5',
    '1e3',
    '9007199254740993',
    '%20',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 140 }).map(percentEncode),
)

function percentEncode(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('') || '%20'
}

export const queryPart: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    'limit=0',
    'limit=1',
    'limit=200',
    'limit=201',
    'limit=1e1',
    'limit=%2B5',
    'limit=5.0',
    'limit=',
    'limit=1&limit=2',
    'limit[]=1',
    'limit[a]=1',
    'limit=NaN',
    'limit=99999999999999999999',
    'cursor=',
    'cursor=AAAA',
    `cursor=${'A'.repeat(40)}`,
    `cursor=${'A'.repeat(3_000)}`,
    'cursor=%00',
    'cursor=%ed%a0%80',
    'status=active',
    'status=',
    'status=ACTIVE',
    'kind=pii',
    'range=1h',
    'range=0h',
    'groupBy=tenant',
    '__proto__=1',
    '__proto__[limit]=5',
    'constructor=1',
    'hasOwnProperty=1',
    '=',
    '&&&',
    '%',
    '?',
  ),
  fc.string({ unit: 'binary', maxLength: 60 }).map((text) => `cursor=${percentEncode(text)}`),
  fc
    .tuple(fc.string({ maxLength: 10 }), fc.string({ unit: 'binary', maxLength: 20 }))
    .map((pair) => pair.map(percentEncode).join('=')),
)
