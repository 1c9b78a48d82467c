// Who may import whom: the layers of ARCHITECTURE.md. `scripts/check-imports.mjs` runs these rules.
const service = 'packages/service/src'
const recordPackage = '^packages/record/src/((json|pricing|format|verify)/index|verify/files/verdict)\\.ts$'
// What the bundles of the verifier put in the place of Node's modules.
const portableShims = '^packages/sdk/(node-shims\\.mjs|src/portable/global\\.ts)$'
const shared = `^${service}/shared/`
const entryPoints = (...folders) => `^${service}/(${folders.join('|')})/index\\.ts$`
const isTest = '\\.test\\.ts$|/contract-suite/'

/** Of our own sources, files below `folder` import only themselves and what `allowed` names. */
const only = (folder, allowed, comment = '') => ({
  name: `imports-of-${folder.replaceAll(/[^\w-]+/g, '-')}`,
  severity: 'error',
  comment,
  from: { path: `^${service}/${folder}/`, pathNot: isTest },
  to: { path: '^packages/', pathNot: [`^${service}/${folder}/`, ...allowed] },
})

/** Folders of one layer, from the bottom up: each imports those that are named with it, and what `common` names. */
const folders = (parent, common, rows) =>
  rows.map(([folder, below]) =>
    only(`${parent}/${folder}`, [`^${service}/${parent}/(${[folder, ...below].join('|')})/`, ...common]),
  )

const features = '(resources|reporting)/[^/]+|policies'
const belowCalls = ['limits', 'record', 'providers', 'http', 'db', 'jobs', 'outbound', 'secrets', features]

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'the-record-package-stands-alone',
      severity: 'error',
      comment:
        'A stranger verifies a record with it: it knows neither the service nor any installed package.',
      from: { path: '^packages/record/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^packages/record/|^node:|^(buffer|crypto)$' },
    },
    {
      name: 'packages-use-each-other-by-their-entry-points',
      severity: 'error',
      from: { path: '^packages/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^packages/',
        pathNot: [
          '^packages/$1/',
          recordPackage,
          portableShims,
          '^packages/sdk/src/(index|generated/api)\\.ts$',
        ],
      },
    },
    {
      name: 'the-console-knows-only-the-verifier-and-the-sdk',
      severity: 'error',
      from: { path: '^packages/(console|sdk)/', pathNot: '^packages/(console|sdk)/src/(verifier|verify)/' },
      to: { path: '^packages/(service|record)/' },
    },
    {
      name: 'the-console-loads-its-verifier-on-demand',
      severity: 'error',
      comment: 'All of it but the entry point is loaded in a worker, when something is verified.',
      from: { path: '^packages/console/', pathNot: '^packages/console/(src/verifier/|vite\\.config\\.mjs$)' },
      to: {
        path: '^packages/console/src/verifier/',
        pathNot: '^packages/console/src/verifier/index\\.ts$',
      },
    },
    {
      name: 'the-console-takes-only-types-from-the-sdk',
      severity: 'error',
      from: { path: '^packages/console/' },
      to: { path: '^packages/sdk/', pathNot: ['^packages/sdk/src/generated/', portableShims] },
    },

    only('shared', [recordPackage], 'The lowest layer: it knows nothing of what it is used for.'),
    only('config', [shared]),
    only('cloud', [shared, entryPoints('config'), recordPackage], 'The identity of this machine.'),
    only('secret-stores', [shared, entryPoints('config', 'cloud', 'outbound'), recordPackage]),
    only('db', [shared, entryPoints('config')]),
    only('secrets', [shared, entryPoints('db', 'config')]),
    only('jobs', [shared, entryPoints('db')], 'Leases, retries and pruning know nothing of the work.'),
    only('outbound', [shared], 'Requests to addresses that a tenant chose.'),
    only('http', [shared, entryPoints('db'), recordPackage]),
    ...['limits', 'record'].map((folder) =>
      only(folder, [shared, entryPoints('db'), recordPackage], 'Neither a resource nor HTTP.'),
    ),
    only(
      'providers',
      [shared, entryPoints('cloud', 'config', 'db'), recordPackage],
      'Neither a resource nor HTTP.',
    ),
    ...folders(
      'record',
      [shared, `^${service}/record/(log|receipt-owner)\\.ts$`, entryPoints('db'), recordPackage],
      [
        ['keys', []],
        ['marks', []],
        ['write', ['keys', 'marks']],
        ['read', ['keys']],
        ['operations', ['keys', 'marks', 'write', 'read']],
        ['attestation', ['read']],
        ['anchor', ['read']],
        ['open-calls', ['write']],
      ],
    ),
    {
      name: 'features-use-each-other-by-their-entry-points',
      severity: 'error',
      from: { path: `^${service}/(${features})/`, pathNot: isTest },
      to: {
        path: '^packages/',
        pathNot: [
          `^${service}/$1/`,
          entryPoints(features, 'cloud', 'db', 'http', 'jobs', 'record', 'outbound', 'secrets'),
          shared,
          recordPackage,
        ],
      },
    },
    only(
      'calls/core',
      [shared, recordPackage, entryPoints(...belowCalls)],
      'What every call has in common knows neither models nor tools.',
    ),
    ...[
      ['calls/model', []],
      ['calls/tool', []],
      ['calls/batch', [`^${service}/calls/model/`]],
      ['mcp', [entryPoints('calls/tool')]],
    ].map(([folder, others]) =>
      only(folder, [...others, shared, recordPackage, entryPoints('calls/core', ...belowCalls)]),
    ),
    ...folders(
      'calls/model',
      [
        shared,
        recordPackage,
        `^${service}/calls/model/(call|caller|answer|content)\\.ts$`,
        entryPoints('calls/core', ...belowCalls),
      ],
      [
        ['multipart', []],
        ['routing', []],
        ['plan', ['routing']],
        ['idempotency', []],
        ['cache', ['plan']],
        ['policies', ['plan']],
        ['stream', []],
        ['attempt', ['routing', 'plan', 'policies', 'stream', 'cache']],
      ],
    ),
    only(
      'observability',
      [`^${service}/shared/deadline\\.ts$`],
      'It is handed in, never imported by a feature.',
    ),
    {
      name: 'main-uses-entry-points',
      severity: 'error',
      comment: 'The composition root knows every package, each by its entry point.',
      from: { path: `^${service}/main/(?!cli/)`, pathNot: isTest },
      to: { path: '^packages/', pathNot: [`^${service}/main/`, '/index\\.ts$', shared] },
    },
    {
      name: 'nothing-knows-the-composition-root',
      severity: 'error',
      from: { path: `^${service}/(?!main/|demo/)`, pathNot: isTest },
      to: { path: `^${service}/main/` },
    },
    {
      name: 'the-verify-command-stands-alone',
      severity: 'error',
      comment: 'The stand-alone verifier is built from these files.',
      from: { path: `^${service}/main/cli/verify/`, pathNot: isTest },
      to: {
        path: '^packages/',
        pathNot: [
          `^${service}/main/cli/verify/`,
          `^${service}/main/cli/escape-thumbprints\\.ts$`,
          `^${service}/shared/error-code\\.ts$`,
          recordPackage,
        ],
      },
    },
    {
      name: 'the-postgres-driver-stays-in-db',
      severity: 'error',
      from: { path: `^${service}/`, pathNot: `^${service}/db/|\\.test\\.ts$` },
      to: { path: 'node_modules/pg(-protocol)?/' },
    },
    {
      name: 'the-redis-client-stays-in-one-file',
      severity: 'error',
      from: { path: `^${service}/`, pathNot: `^${service}/limits/redis/connection\\.ts$|\\.test\\.ts$` },
      to: { path: 'node_modules/ioredis/' },
    },
    {
      name: 'nothing-shipped-imports-development-dependencies',
      severity: 'error',
      comment:
        'The service and the SDK are bundled with what they use. The build refuses imports that are neither bundled nor dependencies.',
      from: { path: '^packages/record/src/', pathNot: isTest },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'packages-declare-what-they-import',
      severity: 'error',
      from: { path: '^packages/', pathNot: isTest },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^packages/[^/]+/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['tallystick-source', 'import', 'node', 'default', 'types'],
    },
  },
}
