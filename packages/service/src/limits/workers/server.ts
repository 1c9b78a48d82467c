import type { Duplex } from 'node:stream'
import { databaseUnavailable } from '../../shared/errors.js'
import type { AdmissionStore } from '../contract.js'
import { MemoryHold } from '../memory/tenant.js'
import { exchangeMessages } from './message-stream.js'
import {
  type Command,
  type HoldId,
  type NumberedCommand,
  type Reply,
  toSentDecision,
  toSentError,
} from './messages.js'

export interface AdmissionServerOptions {
  /** The store in memory that counts for all workers. */
  store: AdmissionStore
  /** The lock of this process on the database. Nothing is decided without it, because another process may count then. */
  lock: { isHeld(): boolean; waitUntilHeld(): Promise<boolean> }
}

/** Lets a worker at the other end of the stream use the store of this process. */
export function serveAdmission(stream: Duplex, options: AdmissionServerOptions): void {
  // Bounded: tenants that called through this worker.
  const tenantIds = new Set<string>()
  let isClosed = false
  const send = exchangeMessages<Reply, NumberedCommand>(stream, async (command) => {
    if (command.method === 'admit') tenantIds.add(command.request.tenantId)
    const { id } = command
    const reply = await perform(command, options).then(
      (result) => ({ id, result }),
      (error) => ({ id, error: toSentError(error) }),
    )
    if (!isClosed) send(reply)
    // The worker ended while the call was being decided, so nobody settles or releases it.
    else if (command.method === 'admit') await options.store.forgetTenant(command.request.tenantId)
  })
  // An error of the stream is followed by its close event.
  stream.on('error', () => undefined)
  stream.once('close', () => {
    isClosed = true
    // The worker may have been admitted for calls that it never stored as open, and have recorded receipts that it did not report.
    for (const tenantId of tenantIds) void options.store.forgetTenant(tenantId)
  })
}

async function perform(command: Command, { store, lock }: AdmissionServerOptions): Promise<unknown> {
  switch (command.method) {
    case 'admit':
      if (!(await lock.waitUntilHeld())) throw lockLost()
      return toSentDecision(await store.admit(command.request), command.request)
    case 'settle':
      return await store.settle(toHold(command.hold), command.actual)
    case 'release':
      return await store.release(toHold(command.hold))
    case 'countReceipts':
      return await store.countReceipts(command.receipts)
    case 'readLimitStatuses':
      return await store.readLimitStatuses(command.tenantId, command.claims)
    case 'readReservedNanos':
      return await store.readReservedNanos(command.tenantId, command.account)
    case 'forgetTenant':
      return await store.forgetTenant(command.tenantId)
    case 'check':
      if (!lock.isHeld()) throw lockLost()
      return await store.check()
  }
}

const lockLost = () =>
  databaseUnavailable('Another process may be serving this database; nothing was forwarded')

const toHold = ({ tenantId, attemptId, atMs }: HoldId) => new MemoryHold(tenantId, attemptId, atMs)
