import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import { waitFor } from '../../../../../test/harness/run/wait.js'
import { databaseUnavailable } from '../../shared/errors.js'
import type { AdmissionStore, WindowClaim } from '../contract.js'
import { ask } from '../contract-suite/ask.js'
import { describeAdmissionStore } from '../contract-suite/index.js'
import { createMemoryAdmission } from '../memory/admission.js'
import type { UsageLoader } from '../usage-loader.js'
import { createWorkerAdmission } from './client.js'
import { serveAdmission } from './server.js'

/** Both ends of a socket. */
async function openSocketPair(): Promise<{ worker: Socket; counting: Socket }> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const worker = connect(address.port, address.address)
  const [counting] = await once(server, 'connection')
  server.close()
  return { worker, counting }
}

describe('over a socket', () => {
  let store: AdmissionStore | null = null

  describeAdmissionStore('three workers', {
    async create(usageLoader, clock) {
      store ??= createMemoryAdmission(usageLoader, clock)
      const { worker, counting } = await openSocketPair()
      serveAdmission(counting, { store, lock: { isHeld: () => true, waitUntilHeld: async () => true } })
      return createWorkerAdmission(worker)
    },
    replicaCount: 3,
    numRuns: propertyRuns / 2,
  })
})

const rpm: WindowClaim = { id: 'key_1/rpm', unit: 'requests', limit: 2, amount: 1, windowMs: 60_000 }

describe('when something fails', () => {
  let loads: number
  let failure: Error | null
  let held: boolean | Promise<boolean>
  let askedForLock: number
  let store: AdmissionStore
  let pair: Awaited<ReturnType<typeof openSocketPair>>
  let admission: AdmissionStore

  beforeEach(async () => {
    loads = 0
    failure = null
    held = true
    const usageLoader: UsageLoader = {
      async loadTenantUsage() {
        if (failure) throw failure
        return { generation: ++loads, limitsVersion: 0, uses: [], openCalls: [] }
      },
      loadAccountSpend: async (_, accounts) => accounts.map(() => ({ asOfSeq: 0, spentNanos: 0 })),
    }
    store = createMemoryAdmission(usageLoader)
    pair = await openSocketPair()
    // Only the checks for replies use intervals.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    askedForLock = 0
    const lock = {
      isHeld: () => held === true,
      async waitUntilHeld() {
        askedForLock++
        return await held
      },
    }
    serveAdmission(pair.counting, { store, lock })
    admission = createWorkerAdmission(pair.worker)
  })
  afterEach(() => {
    vi.useRealTimers()
    pair.worker.destroy()
    pair.counting.destroy()
  })

  it('admits nothing once the process that counts is gone', async () => {
    await ask(admission, 'tenant', [rpm])
    pair.counting.destroy()
    const refused = { type: 'unavailable', serviceFault: 'limits' }
    await expect(ask(admission, 'tenant', [rpm])).rejects.toMatchObject(refused)
    await expect(admission.check()).rejects.toMatchObject(refused)
    await admission.close()
  })

  it('rejects a call that is being decided when the process that counts dies', async () => {
    held = new Promise(() => undefined)
    const asked = ask(admission, 'tenant', [rpm])
    setImmediate(() => setImmediate(() => pair.counting.destroy()))
    await expect(asked).rejects.toMatchObject({ serviceFault: 'limits' })
  })

  it('releases a hold that is granted after the call has already been rejected', async () => {
    let acquire: (held: boolean) => void = () => undefined
    held = new Promise((resolve) => {
      acquire = resolve
    })
    const asked = expect(ask(admission, 'tenant', [rpm])).rejects.toMatchObject({ serviceFault: 'limits' })
    vi.advanceTimersByTime(16_000)
    await asked
    acquire(true)
    await admission.close()
    expect(loads).toBe(1)
    // The tenant is not loaded again: what is left of its limit is what it was.
    expect(await store.readLimitStatuses('tenant', [rpm])).toMatchObject([{ remaining: 2 }])
    expect(loads).toBe(1)
  })

  it('keeps nothing of a call that is admitted after its worker has ended', async () => {
    let acquire: (held: boolean) => void = () => undefined
    held = new Promise((resolve) => {
      acquire = resolve
    })
    const asked = expect(ask(admission, 'tenant', [rpm])).rejects.toMatchObject({ serviceFault: 'limits' })
    // The command has arrived once it asks for the lock.
    await waitFor('the command', () => askedForLock > 0)
    pair.worker.destroy()
    await Promise.all([asked, once(pair.counting, 'close')])
    acquire(true)
    await waitFor('the decision', () => loads > 0)
    await waitFor('the room to be free again', async () => {
      const [status] = await store.readLimitStatuses('tenant', [rpm])
      return status?.remaining === rpm.limit
    })
  })

  it('admits nothing while another process may be counting, and reports itself as unavailable', async () => {
    held = false
    await expect(ask(admission, 'tenant', [rpm])).rejects.toMatchObject({ type: 'unavailable' })
    await expect(admission.check()).rejects.toMatchObject({ type: 'unavailable' })
    expect(loads).toBe(0)
  })

  it('passes on the error of the process that counts, with its code and stack', async () => {
    failure = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const { message, stack } = failure
    await expect(ask(admission, 'tenant', [rpm])).rejects.toMatchObject({
      message,
      stack,
      code: 'ECONNREFUSED',
    })
    failure = databaseUnavailable('The database is away')
    await expect(ask(admission, 'tenant', [rpm])).rejects.toMatchObject({ serviceFault: 'database' })
  })

  it('reloads a tenant after a worker that served its calls has ended', async () => {
    await ask(admission, 'tenant', [rpm])
    await ask(admission, 'tenant', [rpm])
    expect(await ask(admission, 'tenant', [rpm])).toMatchObject({ admitted: false })
    pair.worker.destroy()
    await once(pair.counting, 'close')
    // Neither call was stored as open, so the database knows of none.
    expect(await ask(store, 'tenant', [rpm])).toMatchObject({ admitted: true })
    expect(loads).toBe(2)
  })
})
