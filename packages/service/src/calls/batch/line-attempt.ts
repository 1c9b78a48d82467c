import type { FastifyBaseLogger } from 'fastify'
import type { Target } from '../../providers/index.js'
import type { OpenLine } from '../../resources/batches/index.js'
import type { ApiError } from '../../shared/errors.js'
import type { DecidedAttempt } from '../core/index.js'
import type { ModelTypes } from '../model/attempt/attempt.js'
import type { Caller } from '../model/caller.js'
import type { PlannedModelCall } from '../model/plan/plan.js'

/** The only attempt of a line, because a batch is sent to its provider once. */
export interface LineAttempt extends PlannedModelCall {
  number: number
  target: Target
  /** Collects what would be sent to a caller. */
  caller: LineCaller
  /** Null while the batch is being created. */
  opened: OpenedLine | null
}

/** A line that was admitted when its batch was created. */
export interface OpenedLine {
  /** The stored open line. Null when the line already has its receipt and is only judged again for its caller. */
  line: OpenLine | null
  /** The most that the line may cost when it is sent. */
  reservedNanos: number
}

export interface LineTypes extends Omit<ModelTypes, 'attempt'> {
  attempt: LineAttempt
}

export type AdmittedLine = DecidedAttempt<LineTypes>

/** Collects what would be sent to a caller, for the files of the batch. */
export class LineCaller implements Caller {
  readonly log: FastifyBaseLogger
  answer: { status: number; body: Buffer } | { error: ApiError } | null = null

  constructor(log: FastifyBaseLogger) {
    this.log = log
  }

  addHeaders(): void {}
  isGone = () => false
  onGone = () => () => undefined
  abandon(): void {}

  send(status: number, _headers: Record<string, string>, body: Buffer): void {
    this.answer = { status, body }
  }

  sendError(error: ApiError): void {
    this.answer = { error }
  }

  openStream(): never {
    throw new Error('a line of a batch has no stream')
  }
}
