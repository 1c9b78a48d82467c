import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { untilAborted } from '../deadline.js'
import { faultOf, type HandshakeResult, readHandshakeResult } from '../http/handshake.js'
import { type ClientInfo, loadSdk } from '../protocol/sdk.js'

/** The input of a process. */
export interface StdioPipe {
  /** Returns false when the process does not read. */
  write(message: Buffer): boolean
}

export interface StdioHandshake {
  /** Passes a line of output to the client. */
  handle(line: Buffer): void
  /** Rejects with an `UpstreamFault`. */
  done: Promise<HandshakeResult>
}

const probeTimeoutMs = 10_000
const timeoutMs = 120_000

/** Starts the handshake with a process, using the official client. No capabilities are declared, because all callers share the process. */
export function startHandshake(
  pipe: StdioPipe,
  clientInfo: ClientInfo,
  isLegacy: boolean,
  signal: AbortSignal,
): StdioHandshake {
  // With `stderr` and `pid`, the client treats this as a stdio transport: it continues when an older server does not answer its probe.
  const transport: Transport & { stderr: null; pid: number } = {
    stderr: null,
    pid: 0,
    start: async () => undefined,
    send: async (message: JSONRPCMessage) => {
      if (!pipe.write(Buffer.from(JSON.stringify(message))))
        throw new Error('the process does not read its input')
    },
    close: async () => transport.onclose?.(),
  }

  async function connect(): Promise<HandshakeResult> {
    const { Client } = await loadSdk()
    const client = new Client(clientInfo, {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTimeoutMs } },
    })
    client.onerror = () => undefined
    try {
      const prior = isLegacy ? { prior: { kind: 'legacy' as const } } : {}
      await untilAborted(client.connect(transport, { timeout: timeoutMs, signal, ...prior }), signal)
      return readHandshakeResult(client)
    } catch (error) {
      throw faultOf(error)
    } finally {
      await client.close().catch(() => undefined)
    }
  }

  const done = connect()
  return {
    done,
    handle(line) {
      try {
        transport.onmessage?.(JSON.parse(line.toString()))
      } catch {
        // A line that is not JSON is not a message for the client.
      }
    },
  }
}
