import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { type Db, inBoundedTransaction } from '../../db/index.js'
import { createProjections } from '../../main/record/projections.js'
import {
  createEventRecorder,
  createPriceEntries,
  type Ledger,
  type LedgerOptions,
  type NewReceipt,
  noMarks,
  openLedger,
} from '../../record/index.js'
import { createRateLimitedCounter } from '../../reporting/usage/index.js'
import { operatorOf } from '../../resources/audit/index.js'
import { createKey } from '../../resources/keys/index.js'
import { listActivePacks, loadPacks, updatePackStatus, versionedName } from '../../resources/packs/index.js'
import { updateContentCapture } from '../../resources/settings/index.js'
import { createTenant, demoEvent } from '../../resources/tenants/index.js'
import { unavailable } from '../../shared/errors.js'
import { managers } from '../company/prompts-and-requests.js'
import type { Traffic } from '../traffic/traffic.js'
import { fillContent } from './contents.js'
import { defineCompany } from './define-company.js'
import { fillWebhooks } from './deliveries.js'
import { fillCompany, giveTimes } from './fill-company.js'
import { fillProviders, type ProviderOptions } from './providers.js'
import { type DemoIds, toReceipts } from './receipts.js'
import { fillTools } from './tools.js'

export interface FilledDemo {
  tenantId: string
  /** Shown this once. */
  managerKey: string
  auditorKey: string
  /** Of the user `member`. */
  memberKey: string
  member: string
}

export interface FillOptions extends ProviderOptions {
  databaseUrl: string
  signingKey: LedgerOptions['signingKey']
  log: LedgerOptions['log']
  now: Date
  onProgress(recorded: number): void
}

const callsPerStep = 1_000

/**
 * Creates a tenant and fills it with traffic: the company in one transaction, then the calls, by the one write path of the record and
 * with everything that is derived from it. The first entry of the record says that all of it is made up, in the transaction that creates
 * the tenant. Nothing is sent: deliveries of webhooks are rows, as if they had been made.
 */
export async function fillDemo(options: FillOptions, name: string, traffic: Traffic): Promise<FilledDemo> {
  const { db, signingKey, now } = options
  const startedAt = new Date(traffic.span.fromMs)
  const recordEvent = createEventRecorder({
    marks: noMarks,
    signingKey: () => signingKey,
    now: () => startedAt,
  })
  const { ids, managerKey, managerKeyId } = await inBoundedTransaction(db, async (tx) => {
    const { id } = await createTenant(tx, name)
    const actor = operatorOf(id)
    const { value, row } = await createKey(tx, actor, { name: 'First manager key', role: 'manager' })
    await recordEvent(tx, id, {
      event: demoEvent,
      subject: name,
      reason: `Everything in this record is made up: tallystick demo wrote it on ${now.toISOString()} (seed ${traffic.seed}, ${traffic.calls.length} calls). No call was sent to anyone, nobody in it exists, and nothing was paid`,
    })
    const catalogue = loadPacks(null).packs
    for (const framework of ['soc2', 'gdpr'])
      await updatePackStatus({ db: tx, catalogue, recordEvent }, actor, framework, 'active')
    const capture = { mode: 'redacted' as const, retentionDays: 30 }
    await updateContentCapture({ db: tx, recordEvent }, actor, capture)
    const packs = (await listActivePacks(tx, id)).map(versionedName)
    const company = await defineCompany(tx, id, traffic)
    return { ids: { ...company, packs }, managerKey: value, managerKeyId: row.id }
  })
  const captured = await recordCalls(options, traffic, ids)
  await countRateLimited(db, traffic, ids)
  const logins = await fillCompany(db, traffic, ids, managerKeyId)
  await fillProviders(options, ids.tenantId, traffic)
  await fillTools(options, ids.tenantId, { keyId: managerKeyId, userId: managers[0] })
  await fillWebhooks(options, ids.tenantId)
  await fillContent(options, ids.tenantId, captured)
  // The following queries read all rows. Without statistics, they take a minute on a busy machine.
  await sql`analyze`.execute(db)
  await giveTimes(db, traffic, ids)
  return { tenantId: ids.tenantId, managerKey, ...logins }
}

/** Records the receipts and returns the ids of calls whose content is kept. It uses its own spool, because made-up calls need not survive an outage. */
async function recordCalls(options: FillOptions, traffic: Traffic, ids: DemoIds): Promise<string[]> {
  const { databaseUrl, signingKey, log, onProgress } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'tallystick-demo-'))
  const ledger = await openLedger({
    databaseUrl,
    dataDir,
    signingKey,
    marks: noMarks,
    log,
    projections: createProjections([]),
  })
  try {
    const prices = createPriceEntries({ ledger, now: () => new Date(traffic.span.fromMs) })
    const modelPrices = Object.values(traffic.models).map(({ price }) => price)
    for (const price of [...modelPrices, ...traffic.toolPrices]) await prices.ensure(ids.tenantId, price)
    let recorded = 0
    let step: NewReceipt[] = []
    const captured: string[] = []
    for (const receipt of toReceipts(traffic, ids)) {
      if (receipt.draft.content !== undefined) captured.push(receipt.draft.id)
      step.push(receipt)
      if (step.length < callsPerStep) continue
      await appendAll(ledger, step)
      recorded += step.length
      step = []
      onProgress(recorded)
    }
    await appendAll(ledger, step)
    if (step.length > 0) onProgress(recorded + step.length)
    return captured
  } finally {
    await ledger.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function appendAll(ledger: Ledger, receipts: readonly NewReceipt[]): Promise<void> {
  const appended = await Promise.all(receipts.map((receipt) => ledger.append(receipt)))
  if (appended.some(({ seq }) => seq === null))
    throw unavailable(
      'The database went away. The demo tenant is there, but not all of its calls: take another name',
    )
}

async function countRateLimited(db: Db, { rateLimited }: Traffic, ids: DemoIds): Promise<void> {
  const failures: unknown[] = []
  const counter = createRateLimitedCounter({ db, onError: (error) => failures.push(error) })
  for (const { atMs, key, userId, team, provider, model, calls } of rateLimited) {
    const keyId = ids.keyId(key)
    const teamId = ids.teamId(team)
    counter.count({ tenantId: ids.tenantId, keyId, userId, teamId, provider, model }, { ms: atMs, calls })
  }
  await counter.close()
  if (failures.length > 0) throw failures[0]
}
