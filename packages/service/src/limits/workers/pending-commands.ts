import type { Duplex } from 'node:stream'
import { type ApiError, unavailable } from '../../shared/errors.js'
import { exchangeMessages } from './message-stream.js'
import { type Command, fromSentError, type NumberedCommand, type Reply } from './messages.js'

// Checks are counted instead of time. A pause of this process counts as one check, and replies that arrived in the meantime are read
// before the next one.
const checkEveryMs = 1_000
const maxChecks = 15

interface PendingCommand {
  resolve(result: unknown): void
  reject(error: Error): void
  onLateResult(result: unknown): void
  checks: number
}

export interface PendingCommands {
  /** Rejects when the other process refuses, is gone, or does not reply in time. A result that arrives after that goes to `onLateResult`. */
  send<Result>(command: Command, onLateResult?: (result: Result) => void): Promise<Result>
  /** Waits for the replies to all commands, then ends the stream. */
  close(): Promise<void>
}

export function sendCommands(stream: Duplex): PendingCommands {
  // Bounded: commands of calls in progress, and those without a reply, which end with the stream.
  const pending = new Map<number, PendingCommand>()
  let lastId = 0
  let isOpen = true
  let onNonePending: (() => void) | null = null
  const send = exchangeMessages<NumberedCommand, Reply>(stream, onReply)
  const timer = setInterval(check, checkEveryMs).unref()
  // An error of the stream is followed by its close event.
  stream.on('error', () => undefined)
  stream.once('close', () => {
    isOpen = false
    clearInterval(timer)
    for (const command of pending.values())
      command.reject(notDecided('the process that counts them has ended'))
    pending.clear()
    onNonePending?.()
  })

  function onReply(reply: Reply): void {
    const command = pending.get(reply.id)
    if (command === undefined) return
    pending.delete(reply.id)
    if ('error' in reply) command.reject(fromSentError(reply.error))
    else if (command.checks > maxChecks) command.onLateResult(reply.result)
    else command.resolve(reply.result)
    // A late result may have sent another command.
    if (pending.size === 0) onNonePending?.()
  }

  function check(): void {
    for (const command of pending.values())
      if (++command.checks > maxChecks)
        command.reject(notDecided('the process that counts them does not reply'))
  }

  return {
    send: <Result>(command: Command, onLateResult: (result: Result) => void = () => undefined) =>
      new Promise<Result>((resolve, reject) => {
        if (!isOpen) return reject(notDecided('the process that counts them has ended'))
        const id = ++lastId
        pending.set(id, { resolve, reject, onLateResult, checks: 0 } as PendingCommand)
        send({ ...command, id })
      }),
    async close() {
      if (isOpen && pending.size > 0)
        await new Promise<void>((resolve) => {
          onNonePending = resolve
        })
      stream.end()
    },
  }
}

const notDecided = (reason: string): ApiError =>
  unavailable(
    `Limits cannot be checked at the moment; nothing was forwarded (${reason})`,
    undefined,
    'limits',
  )
