import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { untilAborted } from '../deadline.js'
import { faultOf, type Introduction, introductionOf } from '../http/handshake.js'
import { type ClientInfo, loadSdk } from '../protocol/sdk.js'

/** The two ends that the official client needs of a process. */
export interface StdioPipe {
  write(message: Buffer): boolean
}

export interface StdioHandshake {
  /** Gives the client a line of output. */
  take(line: Buffer): void
  done: Promise<Introduction>
}

const probeTimeoutMs = 10_000
const timeoutMs = 120_000

/** Speaks to a process by the official client. It is told of no capabilities: all callers share it. */
export function startHandshake(
  pipe: StdioPipe,
  clientInfo: ClientInfo,
  isLegacy: boolean,
  signal: AbortSignal,
): StdioHandshake {
  // Older servers may not answer what they do not know; for these two members the client waits a while and goes on.
  const transport: Transport & { stderr: null; pid: number } = {
    stderr: null,
    pid: 0,
    start: async () => undefined,
    send: async (message: JSONRPCMessage) => {
      if (!pipe.write(Buffer.from(JSON.stringify(message)))) throw new Error('it does not read')
    },
    close: async () => transport.onclose?.(),
  }

  async function connect(): Promise<Introduction> {
    const { Client } = await loadSdk()
    const client = new Client(clientInfo, {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTimeoutMs } },
    })
    client.onerror = () => undefined
    try {
      const prior = isLegacy ? { prior: { kind: 'legacy' as const } } : {}
      await untilAborted(client.connect(transport, { timeout: timeoutMs, signal, ...prior }), signal)
      return introductionOf(client)
    } catch (error) {
      throw faultOf(error)
    } finally {
      await client.close().catch(() => undefined)
    }
  }

  const done = connect()
  return {
    done,
    take(line) {
      try {
        transport.onmessage?.(JSON.parse(line.toString()))
      } catch {
        // Not for us.
      }
    },
  }
}
