import type { Config } from '../../../config/index.js'
import { type RebuildProgress, rebuildCalls } from '../../../reporting/calls/index.js'
import { rebuildUsage } from '../../../reporting/usage/index.js'
import { findTenant, listTenants } from '../../../resources/tenants/index.js'
import { notFound } from '../../../shared/errors.js'
import type { Storage } from '../../infrastructure/storage.js'

/** Rebuilds the calls of one tenant or of all from their records. The service may be running. */
export async function rebuildCallsOf(
  { callsRetentionDays: retentionDays }: Config,
  { db }: Storage,
  tenantName: string | null,
): Promise<void> {
  for (const { id, name } of await findTenants(db, tenantName)) {
    const onProgress = createProgressLine(name)
    const { built, deleted } = await rebuildCalls(db, id, { retentionDays, onProgress })
    console.log(
      `${name}: the calls agree with the record. ${built} were added or changed; ${deleted} without a receipt were deleted.`,
    )
  }
}

/** Recounts the usage of one tenant or of all. The service may be running. */
export async function rebuildUsageOf({ db }: Storage, tenantName: string | null): Promise<void> {
  for (const { id, name } of await findTenants(db, tenantName)) {
    const { hours, left } = await rebuildUsage(db, id, createProgressLine(name, 'hours'))
    console.log(`${name}: ${hours} hours with calls were recounted.`)
    if (left > 0)
      console.log(
        `${name}: ${left} hours were not recounted, because receipts of them were dropped from the record.`,
      )
  }
}

async function findTenants(db: Storage['db'], name: string | null) {
  if (name === null) return await listTenants(db)
  const tenant = await findTenant(db, name)
  if (!tenant) throw notFound(`tenant: ${name}; tallystick tenant list shows all of them`)
  return [tenant]
}

/** Shows progress: one line that is overwritten at a terminal, and elsewhere a line for each tenth. */
function createProgressLine(name: string, unit = 'receipts'): (progress: RebuildProgress) => void {
  const { isTTY } = process.stderr
  let shown = -1
  return ({ done, total }) => {
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
    const step = isTTY ? percent : Math.floor(percent / 10)
    if (step === shown) return
    shown = step
    const line = `${name}: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}, ${percent} %`
    process.stderr.write(isTTY ? `\r${line}${percent === 100 ? '\n' : ''}` : `${line}\n`)
  }
}
