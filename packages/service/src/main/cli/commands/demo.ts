import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import { type Config, readProviderNames } from '../../../config/index.js'
import { type FilledDemo, fillDemo, generateTraffic, type Traffic } from '../../../demo/index.js'
import { shellSample } from '../../../http/index.js'
import { vendorRules } from '../../../providers/index.js'
import { loadSigningKey, publishSigningKey } from '../../../record/index.js'
import { makePartitions } from '../../../reporting/calls/index.js'
import { closeDays } from '../../../reporting/usage/index.js'
import { findTenant, isDemoTenant } from '../../../resources/tenants/index.js'
import { openSecrets } from '../../../secrets/index.js'
import { conflict, notFound } from '../../../shared/errors.js'
import type { Service } from '../../index.js'
import type { Storage } from '../../infrastructure/storage.js'
import { providerTypes } from '../../models/model-directories.js'
import { commandLine } from '../command-line.js'
import { type DemoOptions, defaultDemo } from './demo-options.js'

/** Creates a tenant with made-up traffic. An existing demo tenant is left unchanged, because a record only ever grows. */
export async function runDemo(config: Config, storage: Storage, options: DemoOptions): Promise<void> {
  const existing = await findTenant(storage.db, options.tenant)
  if (existing) {
    if (!(await isDemoTenant(storage.db, existing.id)))
      throw conflict(
        `Tenant ${existing.name} exists and is not a demo tenant: no demo data is added to it. Choose another name with --tenant`,
      )
    return console.log(describeExisting(options.tenant, existing.createdAt))
  }
  const signingKey = await loadSigningKey({ dataDir: config.dataDir, configured: config.signingKey })
  if (signingKey === null)
    throw notFound(
      `signing key in ${config.dataDir}: run this on a machine with the signing key; the first \`tallystick serve\` creates one`,
    )
  await publishSigningKey(storage.db, signingKey.publicKey)
  const secrets = await openSecrets({
    db: storage.keysDb,
    dataDir: config.dataDir,
    configured: config.masterKey,
    warn: (message) => console.error(message),
  })

  const now = new Date()
  const { calls, days, seed } = options
  const traffic = generateTraffic({ seed, end: now, days, calls })
  console.log(describePlan(options, traffic))
  await makePartitions(storage.db, new Date(now.getTime() - days * 86_400_000), now)
  const filled = await fillDemo(
    {
      db: storage.db,
      databaseUrl: storage.sessionUrl,
      signingKey,
      secrets,
      providerTypes,
      configuredProviders: readProviderNames(process.env, process.cwd(), vendorRules),
      log: { debug: () => undefined, warn: printProblem, error: printProblem },
      now,
      onProgress: progressPrinter(traffic.calls.length),
    },
    options.tenant,
    traffic,
  )
  await settleStorage(storage, now)
  console.log(describeFilled(config, options.tenant, traffic, filled))
}

/** Aggregates completed days and updates planner statistics, as a database that grew day by day has done. */
async function settleStorage({ db }: Storage, now: Date): Promise<void> {
  await closeDays(db, now)
  await sql`analyze`.execute(db)
}

/** `serve --demo` must never add data to a production database. */
export const faultsOfDemo = ({ strictness: { strict, because } }: Config): string[] =>
  strict
    ? [
        `--demo: available only in a local trial, and this service is strict, because ${because}. To add a demo tenant, run: ${commandLine(['demo'])}`,
      ]
    : []

/**
 * Adds the demo tenant after the first start on an empty database. It runs in its own process, because generating a week of calls
 * would block the service for a second. If it fails, the service continues. A signal ends both processes.
 */
export async function addDemo(
  { tenant, calls, days, seed }: DemoOptions,
  {
    service,
    stopRequested,
  }: { service: Pick<Service, 'address' | 'firstKey'>; stopRequested: Promise<void> },
): Promise<void> {
  const [, program = ''] = process.argv
  const options = { tenant, calls, days, seed }
  if (service.firstKey === null) return console.log(describeNotEmpty(options))
  const args = argumentsOf(options)
  const child = spawn(process.execPath, [program, 'demo', ...args], {
    stdio: 'inherit',
    env: { ...process.env, TALLYSTICK_PORT: new URL(service.address).port },
  })
  stopRequested.then(() => child.kill())
  const [code] = await once(child, 'close')
  if (code !== 0) console.error('The demo tenant is incomplete')
}

const argumentsOf = (options: Partial<DemoOptions>): string[] =>
  Object.entries(options).map(([name, value]) => `--${name}=${value}`)

function describeNotEmpty(options: DemoOptions): string {
  const chosen = argumentsOf(options).filter((each) => !argumentsOf(defaultDemo).includes(each))
  return [
    '',
    '--demo: the database is not empty, so nothing was added. To add a demo tenant beside its tenants, run in another terminal, with',
    'the same settings:',
    '',
    `  ${commandLine(['demo', ...chosen])}`,
    '',
  ].join('\n')
}

const printProblem = (_: object, message: string) => console.error(message)

/** Prints at most ten lines of progress. */
function progressPrinter(total: number): (recorded: number) => void {
  let printed = 0
  return (recorded) => {
    const tenths = Math.floor((recorded / total) * 10)
    if (tenths === printed) return
    printed = tenths
    console.error(`${recorded.toLocaleString('en')} of ${total.toLocaleString('en')} calls recorded`)
  }
}

const describeExisting = (tenant: string, createdAt: Date): string =>
  [
    `The demo tenant ${tenant} exists since ${createdAt.toISOString()} and was not changed: a record is append-only, so it is not filled again.`,
    `To create a key for it: ${commandLine(['key create --tenant', tenant, '--role manager'])}`,
    `To create another one with current data: ${commandLine(['demo --tenant', `${tenant}-2`])}`,
  ].join('\n')

function describePlan({ tenant, days }: DemoOptions, { people, teams, models, calls }: Traffic): string {
  const span = days === 1 ? 'one day' : `${days} days`
  const ofTools = calls.filter(({ tool }) => tool !== null).length
  const count = (number: number) => number.toLocaleString('en')
  return `Creating tenant ${tenant}: ${people.length} people in ${teams.length} teams, ${count(calls.length - ofTools)} calls to ${
    Object.keys(models).length
  } models and ${count(ofTools)} to tools over ${span}. All data is generated, and the record says so. No other tenant is changed, and nothing is sent anywhere.`
}

function describeFilled(
  { host, port, tls }: Config,
  tenant: string,
  { incident, runaway, calls }: Traffic,
  { tenantId, managerKey, auditorKey, memberKey, member }: FilledDemo,
): string {
  const spent = calls.reduce((sum, { costNanos }) => sum + costNanos, 0) / 1e9
  const address = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  const sample = (path: string) => shellSample({ method: 'GET', path, needsKey: true })
  return [
    `Tenant ${tenant} (${tenantId}): USD ${spent.toFixed(2)} in total`,
    ...(incident
      ? [
          `An incident to find: ${incident.provider} fails from ${minuteOf(incident.fromMs)} to ${minuteOf(incident.toMs)}`,
        ]
      : []),
    ...(runaway
      ? [`A runaway to find: ${runaway.key}, from ${minuteOf(runaway.fromMs)}, until a budget stops it`]
      : []),
    '',
    `Manager key of ${tenant}, shown only once:`,
    '',
    `  ${managerKey}`,
    '',
    `The console is at ${address}/ while the service runs. Sign in with the manager key, or as`,
    '',
    `  an auditor:  ${auditorKey}`,
    `  a member:    ${memberKey} (${member})`,
    '',
    'Example requests, while the service runs:',
    '',
    `export TALLYSTICK_URL=${address} TALLYSTICK_KEY=${managerKey}`,
    sample('/v1/usage?range=7d&groupBy=team'),
    sample('/v1/calls?outcome=upstream_error'),
    '',
    'docs/start/demo.md has more questions.',
  ].join('\n')
}

const minuteOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
