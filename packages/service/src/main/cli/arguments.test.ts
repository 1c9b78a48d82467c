import { expect, test } from 'vitest'
import { readCommand, UsageError } from './arguments.js'
import { escapeThumbprints } from './escape-thumbprints.js'

/** A thumbprint that starts with a dash, as one in 64 does. */
const dashed = `-${'aB3_'.repeat(10)}-9`

test.each([
  [[], { name: 'serve', workers: null, demo: null, logFormat: null }],
  [['--workers=2'], { name: 'serve', workers: '2', demo: null, logFormat: null }],
  [['serve'], { name: 'serve', workers: null, demo: null, logFormat: null }],
  [['serve', '--log-format', 'pretty'], { name: 'serve', workers: null, demo: null, logFormat: 'pretty' }],
  [['serve', '--workers', '3'], { name: 'serve', workers: '3', demo: null, logFormat: null }],
  [['serve', '--workers=auto'], { name: 'serve', workers: 'auto', demo: null, logFormat: null }],
  [
    ['serve', '--demo', '--days=2'],
    {
      name: 'serve',
      workers: null,
      demo: { tenant: 'demo', calls: 20_000, days: 2, seed: 1 },
      logFormat: null,
    },
  ],
  [['demo'], { name: 'demo', tenant: 'demo', calls: 20_000, days: 7, seed: 1 }],
  [
    ['demo', '--tenant=show', '--calls=500', '--days', '2', '--seed', '9'],
    { name: 'demo', tenant: 'show', calls: 500, days: 2, seed: 9 },
  ],
  [['tenant', 'create', 'acme'], { name: 'tenant create', tenant: 'acme' }],
  [['tenant', 'list'], { name: 'tenant list' }],
  [['doctor', '--json'], { name: 'doctor', isJson: true }],
  [['migrate'], { name: 'migrate', mode: 'apply' }],
  [['migrate', '--plan'], { name: 'migrate', mode: 'plan' }],
  [['migrate', '--check'], { name: 'migrate', mode: 'check' }],
  [
    ['key', 'create', '--tenant', 'acme'],
    { name: 'key create', tenant: 'acme', role: 'member', keyName: 'Made by the operator' },
  ],
  [
    ['key', 'create', '--role=manager', '--tenant=acme', '--name=Way back in'],
    { name: 'key create', tenant: 'acme', role: 'manager', keyName: 'Way back in' },
  ],
  [['signing-key', 'list'], { name: 'signing-key list' }],
  [['signing-key', 'rotate'], { name: 'signing-key rotate' }],
  [['master-key', 'status'], { name: 'master-key status' }],
  [['master-key', 'rotate'], { name: 'master-key rotate' }],
  [['master-key', 'replace'], { name: 'master-key replace' }],
  [
    ['signing-key', 'retire', 'abc'],
    { name: 'signing-key retire', keyId: 'abc', isCompromised: false, by: null },
  ],
  [
    ['signing-key', 'retire', dashed, '--compromised', '--by', 'Ada'],
    { name: 'signing-key retire', keyId: dashed, isCompromised: true, by: 'Ada' },
  ],
  [['backup', 'a'], { name: 'backup', file: 'a', withKeys: true, isForced: false }],
  [
    ['restore', 'a', '--replace', '--without-keys'],
    { name: 'restore', file: 'a', withKeys: false, isReplaced: true },
  ],
  [['move-to', 'postgres://a/b'], { name: 'move-to', url: 'postgres://a/b' }],
  [['record', 'accept-restore'], { name: 'record accept-restore', checkpoints: [], by: null }],
  [
    ['record', 'accept-restore', '--checkpoint', 'a', '--checkpoint', 'b', '--by', 'Ada of operations'],
    { name: 'record accept-restore', checkpoints: ['a', 'b'], by: 'Ada of operations' },
  ],
  [
    ['signing-key', 'retire', dashed],
    { name: 'signing-key retire', keyId: dashed, isCompromised: false, by: null },
  ],
  [
    ['record', 'drop', '--tenant=acme', '--export=a.jsonl', '--before-seq', '100'],
    { name: 'record drop', tenant: 'acme', file: 'a.jsonl', limit: { beforeSeq: 100 } },
  ],
  [
    ['record', 'drop', '--tenant=acme', '--export=a.jsonl', '--before-date', '2026-02-28'],
    { name: 'record drop', tenant: 'acme', file: 'a.jsonl', limit: { beforeDate: new Date('2026-02-28') } },
  ],
  [['rebuild', 'calls'], { name: 'rebuild calls', tenant: null }],
  [['rebuild', 'usage'], { name: 'rebuild usage', tenant: null }],
  [['rebuild', 'calls', '--tenant', 'acme'], { name: 'rebuild calls', tenant: 'acme' }],
  [['--help'], { name: 'help', of: null }],
  [['serve', '-h'], { name: 'help', of: 'serve' }],
  [['record', 'drop', '--help'], { name: 'help', of: 'record drop' }],
  [['help'], { name: 'help', of: null }],
  [['help', 'demo'], { name: 'help', of: 'demo' }],
  [['init'], { name: 'init', isForced: false }],
  [['init', '--force'], { name: 'init', isForced: true }],
  [['completion', 'zsh'], { name: 'completion', shell: 'zsh' }],
  [['--version'], { name: 'version' }],
  [['-v'], { name: 'version' }],
])('%j is understood', (args, command) => {
  expect(readCommand(args)).toEqual(command)
})

test.each([
  [['dance'], 'There is no command "dance"'],
  [['serv'], 'There is no command "serv". Did you mean "serve"?'],
  [['tenent', 'list'], 'There is no command "tenent list". Did you mean "tenant"?'],
  [['record', 'dorp'], 'There is no command "record dorp". Did you mean "record drop"?'],
  [['rebuild'], 'There is no command "rebuild". Commands: rebuild calls, rebuild usage'],
  [['completion'], 'completion needs the SHELL: bash, zsh, fish'],
  [['completion', 'csh'], 'completion needs the SHELL: bash, zsh, fish'],
  [['tenant'], 'There is no command "tenant"'],
  [['tenant', 'delete', 'acme'], 'There is no command "tenant delete acme"'],
  [['tenant', 'create'], 'tenant create needs the NAME of the tenant'],
  [['tenant', 'create', 'a', 'b'], 'tenant create does not accept b'],
  [['tenant', 'create', 'a', '--role', 'manager'], 'tenant create does not accept --role'],
  [['tenant', 'list', 'a'], 'tenant list does not accept a'],
  [['migrate', 'now'], 'migrate does not accept now'],
  [['migrate', '--plan', '--check'], 'migrate takes either --plan or --check'],
  [['serve', '--log-format', 'xml'], '--log-format must be pretty or json'],
  [['serve', '--workers=0'], '--workers must be a number from 1 to 999, or auto'],
  [['serve', 'now'], 'serve does not accept now'],
  [['serve', '--tenant', 'a'], 'serve does not accept --tenant'],
  [['serve', '--demo', '--workers=2'], 'serve takes either --workers or --demo'],
  [['serve', '--demo', '--tenant=a'], 'serve does not accept --tenant'],
  [['serve', '--calls=500'], 'serve does not accept --calls'],
  [['demo', 'now'], 'demo does not accept now'],
  [['demo', '--role=manager'], 'demo does not accept --role'],
  [['demo', '--calls=99'], '--calls must be a number from 100 to 250000'],
  [['demo', '--calls=lots'], '--calls must be a number'],
  [['demo', '--days=0'], '--days must be a number from 1 to 366'],
  [['demo', '--seed=-1'], '--seed must be a number'],
  [['key', 'create'], 'key create needs --tenant NAME; tallystick tenant list shows the names'],
  [['key', 'create', '--tenant', 'a', '--role', 'boss'], '--role must be member, auditor or manager'],
  [['key', 'create', 'a', '--tenant', 'a'], 'key create does not accept a'],
  [['key', 'create', '--tenant'], "Option '--tenant <value>' argument missing"],
  [['signing-key', 'retire'], 'signing-key retire needs the ID'],
  [['signing-key', 'rotate', 'abc'], 'signing-key rotate does not accept abc'],
  [['signing-key', 'rotate', '--compromised'], 'signing-key rotate does not accept --compromised'],
  [['signing-key', 'retire', 'abc', '--by', 'a\nb'], '--by must be a name of up to 200 characters'],
  [['move-to', 'mysql://a/b'], 'move-to needs a URL that starts with postgres://'],
  [['record', 'accept-restore', 'now'], 'record accept-restore does not accept now'],
  [['record', 'accept-restore', '--by', ''], '--by must be a name of up to 200 characters'],
  [['record', 'accept-restore', '--export=a'], 'record accept-restore does not accept --export'],
  [['record', 'drop', '--export=a', '--before-seq=1'], 'record drop needs --tenant NAME'],
  [['record', 'drop', '--tenant=a', '--before-seq=1'], 'record drop needs --export FILE'],
  [['record', 'drop', '--tenant=a', '--export=a'], 'needs either --before-seq N or --before-date'],
  [['record', 'drop', '--tenant=a', '--export=a', '--before-seq=0'], '--before-seq must be the number'],
  [['record', 'drop', '--tenant=a', '--export=a', '--before-date=2026-06-31'], '--before-date must be a day'],
  [['record', 'drop', '--tenant=a', '--export=a', '--before-date=soon'], '--before-date must be a day'],
  [['key', 'create', '--tenent', 'a'], "Unknown option '--tenent'"],
])('%j is refused, and the message says why', (args, message) => {
  expect(() => readCommand(args)).toThrow(UsageError)
  expect(() => readCommand(args)).toThrow(message)
})

test('a thumbprint that starts with a dash is not read as an option, at any position', () => {
  expect(escapeThumbprints(['a.jsonl', '--key', dashed, '--json'])).toEqual([
    'a.jsonl',
    `--key=${dashed}`,
    '--json',
  ])
  expect(escapeThumbprints([dashed, '-h', '--tenant', 'acme'])).toEqual([
    '-h',
    '--tenant',
    'acme',
    '--',
    dashed,
  ])
  expect(escapeThumbprints(['x', '-', '--json'])).toEqual(['x', '-', '--json'])
})
