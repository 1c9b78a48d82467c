// Who may import whom: the table of ARCHITECTURE.md, held by a machine.
const rooms = 'admission|ledger|providers'
/** Any room may import these files; they import no room. */
const ground =
  '^src/(bounded-map|file-limit|hidden-characters|errors|error-code|deadline|durable-files|spend-account|price-schema|tags|turns)\\.ts'
const ownFiles = '^src/$1/'

const ownRoom = (room) => `^src/${room}/`
const doors = `^src/(${rooms}|http|db|json|pricing)/index\\.ts`

const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: '\\.test\\.ts$|/contract-suite/' },
  to: { path: '^src/', pathNot: allowed },
})

/** The rooms of the ledger, from the ground up: each may import the rooms that are named with it. */
const ledgerRooms = (rows) =>
  rows.map(([room, below]) =>
    only(
      `ledger-${room}-stands-on-${below.join('-') || 'nothing'}`,
      `^src/ledger/${room}/`,
      [
        `^src/ledger/(${[room, ...below].join('|')})/`,
        '^src/(json|pricing)/index\\.ts',
        // What a stranger checks a record with knows no database.
        ...(['format', 'verify'].includes(room)
          ? []
          : ['^src/ledger/log\\.ts', '^src/db/index\\.ts', ground]),
      ],
      '',
    ),
  )

/** The rooms of the gateway. All of them know a call and an answer; none knows the pipeline. */
const gatewayRooms = (rows) =>
  rows.map(([room, below]) =>
    only(
      `gateway-${room}-stands-on-${below.join('-') || 'the-call'}`,
      `^src/gateway/${room}/`,
      [
        `^src/gateway/(${[room, ...below].join('|')})/`,
        '^src/gateway/(call|caller|answer|content)\\.ts',
        '^src/(?!gateway)',
      ],
      '',
    ),
  )

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    only(
      'errors-and-config-know-nothing-of-ours',
      '^src/((bounded-map|file-limit|hidden-characters|errors|error-code|deadline|durable-files|spend-account|price-schema|tags|turns)\\.ts|config/)',
      ['^src/config/', ground],
      'They are the floor.',
    ),
    only(
      'json-stands-on-errors',
      '^src/json/',
      ['^src/json/', ground],
      'Reading and changing JSON knows nothing of what it is read for.',
    ),
    only(
      'pricing-stands-on-json',
      '^src/pricing/',
      ['^src/pricing/', '^src/json/index\\.ts'],
      'A stranger recomputes costs with it: it knows neither vendors nor the database.',
    ),
    only('db-stands-on-errors-and-config', '^src/db/', ['^src/db/', ground, '^src/config/index\\.ts'], ''),
    only(
      'secrets-stand-on-db-and-config',
      '^src/secrets/',
      ['^src/secrets/', ground, '^src/(db|config)/index\\.ts'],
      'What is sealed is not known to what seals it.',
    ),
    only('http-stands-on-db', '^src/http/', ['^src/http/', ground, '^src/(db|json)/index\\.ts'], ''),
    only(
      'rooms-stand-on-db',
      `^src/(${rooms})/`,
      [ownFiles, ground, '^src/(db|json|pricing)/index\\.ts'],
      'Never a module, never http.',
    ),
    ...ledgerRooms([
      ['format', []],
      ['verify', ['format']],
      ['keys', ['format']],
      ['marks', ['format']],
      ['write', ['format', 'keys', 'marks']],
      ['read', ['format', 'keys']],
      ['operations', ['format', 'keys', 'marks', 'write', 'read']],
      ['attestation', ['format', 'verify', 'read']],
      ['anchor', ['format', 'read']],
      ['open-calls', ['format', 'write']],
    ]),
    only(
      'verify-command-stands-on-format-and-verify',
      '^src/cli/verify/',
      [
        '^src/cli/verify/',
        '^src/cli/escape-thumbprints\\.ts',
        '^src/ledger/(format|verify)/',
        '^src/(json|pricing)/index\\.ts',
        '^src/error-code\\.ts',
      ],
      'The stand-alone verifier is packed from these files alone.',
    ),
    only(
      'outbound-stands-on-errors',
      '^src/outbound/',
      ['^src/outbound/', ground],
      'Calls to addresses that a tenant chose know nothing of what is called for.',
    ),
    only(
      'modules-use-each-other-by-the-door',
      '^src/modules/([^/]+)/',
      [
        '^src/modules/$1/',
        '^src/modules/[^/]+/index\\.ts',
        ground,
        '^src/(db|http|json|ledger|outbound|pricing|secrets)/index\\.ts',
      ],
      'A module is a room with one door.',
    ),
    only(
      'governed-uses-doors',
      '^src/governed/',
      [ownRoom('governed'), ground, doors, '^src/modules/[^/]+/index\\.ts'],
      'What every governed call has in common knows neither models nor tools.',
    ),
    only(
      'gateway-uses-doors',
      '^src/gateway/',
      [ownRoom('gateway'), ground, doors, '^src/(governed|modules/[^/]+)/index\\.ts'],
      '',
    ),
    only(
      'mcp-uses-doors',
      '^src/mcp/',
      [ownRoom('mcp'), ground, doors, '^src/(governed|outbound|secrets|modules/[^/]+)/index\\.ts'],
      'The tool gateway stands beside the gateway, and neither knows the other.',
    ),
    ...gatewayRooms([
      ['multipart', []],
      ['routing', []],
      ['plan', ['routing']],
      ['repeats', []],
      ['cache', ['plan']],
      ['judged', ['plan']],
      ['stream', []],
      ['attempt', ['routing', 'plan', 'judged', 'stream', 'cache']],
    ]),
    only(
      'telemetry-stands-alone',
      '^src/telemetry/',
      ['^src/telemetry/', '^src/deadline\\.ts'],
      'It is handed in, never imported by a room.',
    ),
    only(
      'service-uses-doors',
      '^src/service/',
      [ownRoom('service'), ground, '/index\\.ts'],
      'The composition root knows every room, and each by its door.',
    ),
    only(
      'nobody-knows-the-composition-root',
      '^src/(?!service/|cli/|demo/)',
      '^src/(?!service/)',
      'Rooms are handed what they need.',
    ),
    {
      name: 'console-and-sdk-know-only-the-http-api',
      severity: 'error',
      from: { path: '^(console|sdk)/', pathNot: '^console/src/verifier/' },
      to: { path: '^src/' },
    },
    only(
      'the-verifier-of-the-console-is-that-of-the-ledger',
      '^console/src/verifier/',
      ['^src/ledger/(format|verify)/'],
      'The one door from the console to the service: what checks a record, built for a browser.',
    ),
    {
      name: 'the-console-reaches-its-verifier-by-the-door',
      severity: 'error',
      comment: 'All of it but the door is loaded in a worker, when something is verified.',
      from: { path: '^console/', pathNot: '^console/(src/verifier/|vite\\.config\\.mjs$)' },
      to: { path: '^console/src/verifier/', pathNot: '^console/src/verifier/index\\.ts$' },
    },
    {
      name: 'the-console-takes-types-alone-from-the-sdk',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^sdk/', pathNot: '^sdk/src/generated/' },
    },
    {
      name: 'the-postgres-driver-stays-in-db',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/db/|\\.test\\.ts$' },
      to: { path: 'node_modules/pg(-protocol)?/' },
    },
    {
      name: 'the-redis-client-stays-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/admission/shared/redis\\.ts$|\\.test\\.ts$' },
      to: { path: 'node_modules/ioredis/' },
    },
    {
      name: 'nothing-shipped-imports-development-parts',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$|/contract-suite/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
