import type { Duplex } from 'node:stream'
import type { SpendAccount } from '../../shared/spend-account.js'
import type {
  ActualUse,
  AdmissionRequest,
  AdmissionStore,
  Decision,
  Hold,
  LimitStatus,
  ReceiptSpend,
  WindowClaim,
} from '../contract.js'
import { validateActualUse, validateRequest } from '../validate-request.js'
import { type Command, fromSentDecision, type HoldId, type SentDecision, toSentRequest } from './messages.js'
import { type PendingCommands, sendCommands } from './pending-commands.js'

class WorkerHold implements HoldId {
  constructor(
    readonly tenantId: string,
    readonly attemptId: string,
    readonly atMs: number,
    /** Whether windows were claimed. Settling corrects only windows, so it has no effect without them. */
    readonly hasClaims: boolean,
  ) {}

  toJSON(): HoldId {
    const { tenantId, attemptId, atMs } = this
    return { tenantId, attemptId, atMs }
  }
}

/** Admission for a worker process. The process at the other end of the stream counts for all workers. */
class WorkerAdmission implements AdmissionStore {
  readonly #commands: PendingCommands

  constructor(stream: Duplex) {
    this.#commands = sendCommands(stream)
  }

  async admit(request: AdmissionRequest): Promise<Decision> {
    const { tenantId, attemptId, claims, spend } = request
    validateRequest(request)
    if (claims.length === 0 && spend === null) {
      const atMs = Date.now()
      const hold = new WorkerHold(tenantId, attemptId, atMs, false)
      return { admitted: true, hold, atMs, generation: null, limitStatuses: [], grantedNanos: null }
    }
    const command = { method: 'admit', request: toSentRequest(request) } as const
    const sent = await this.#commands.send<SentDecision>(command, (late) => {
      // The call was already rejected, so its hold must be released.
      if (late.admitted) this.#deliver({ method: 'release', hold: late.hold })
    })
    const decision = fromSentDecision(sent, request)
    if (!decision.admitted) return decision
    return { ...decision, hold: new WorkerHold(tenantId, attemptId, decision.atMs, claims.length > 0) }
  }

  async settle(hold: Hold, actual: ActualUse): Promise<void> {
    requireOwnHold(hold)
    validateActualUse(actual)
    if (hold.hasClaims) await this.#deliver({ method: 'settle', hold, actual })
  }

  async release(hold: Hold): Promise<void> {
    requireOwnHold(hold)
    await this.#deliver({ method: 'release', hold })
  }

  async countReceipts(receipts: readonly ReceiptSpend[]): Promise<void> {
    await this.#deliver({ method: 'countReceipts', receipts })
  }

  readLimitStatuses(tenantId: string, claims: readonly WindowClaim[]): Promise<LimitStatus[]> {
    return this.#commands.send({ method: 'readLimitStatuses', tenantId, claims })
  }

  readReservedNanos(tenantId: string, account: SpendAccount): Promise<number> {
    return this.#commands.send({ method: 'readReservedNanos', tenantId, account })
  }

  async forgetTenant(tenantId: string): Promise<void> {
    await this.#deliver({ method: 'forgetTenant', tenantId })
  }

  async check(): Promise<void> {
    await this.#commands.send({ method: 'check' })
  }

  close(): Promise<void> {
    return this.#commands.close()
  }

  /** Sends a command that must not fail. If the process that counts is gone, so is the state that the command would have changed. */
  async #deliver(command: Command): Promise<void> {
    await this.#commands.send(command).catch(() => undefined)
  }
}

function requireOwnHold(hold: Hold): asserts hold is WorkerHold {
  if (!(hold instanceof WorkerHold)) throw new TypeError('The hold belongs to another admission store')
}

/** Returns the admission store of a worker. It closes the stream when it is closed. */
export const createWorkerAdmission = (stream: Duplex): AdmissionStore => new WorkerAdmission(stream)
