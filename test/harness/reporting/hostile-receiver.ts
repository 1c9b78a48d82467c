import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { SeenRequest, Upstream } from '../providers/upstream.js'
import { startUpstream } from '../providers/upstream.js'

/** A receiver of webhooks that does everything wrong, and remembers what it was sent and what it answered. */
export interface HostileReceiver {
  url: string
  /** Every body that came under an id, in order. */
  bodies: Map<string, string[]>
  /** Ids that were answered in a way that counts as success. */
  taken: Set<string>
  /** Requests to where a redirect pointed: there must be none. */
  trapped(): number
  /** From now on it does everything right. */
  recover(): void
  close(): Promise<void>
}

// A client of another test that still calls a server which listened on this port before does not know this path.
const trapPath = `/trap-${randomUUID()}`

type Answer = (response: ServerResponse, url: string) => { taken: boolean }

const refuse =
  (status: number): Answer =>
  (response, url) => {
    response.writeHead(status, { location: url + trapPath }).end('no')
    return { taken: false }
  }

const behaviours: Record<string, Answer> = {
  take(response) {
    response.writeHead(204).end()
    return { taken: true }
  },
  fail: refuse(503),
  redirect: refuse(307),
  hang: () => ({ taken: false }),
  drip(response) {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), 1_000)
    response.on('close', () => clearInterval(timer))
    return { taken: false }
  },
  hangUp(response) {
    response.writeHead(200, { 'content-length': '1000' }).write('begun')
    setImmediate(() => response.destroy())
    return { taken: false }
  },
  reset(response) {
    response.destroy()
    return { taken: false }
  },
  // More than anyone wants to read: the status is what counts.
  flood(response) {
    const piece = Buffer.alloc(64 * 1024, 'x')
    const pour = () => {
      while (!response.destroyed && response.write(piece));
    }
    response.writeHead(200).on('drain', pour)
    pour()
    return { taken: true }
  },
}

/** `choose` says how to behave towards a request, given how often this id came before. */
export async function startHostileReceiver(
  choose: (path: string, timesBefore: number) => keyof typeof behaviours,
): Promise<HostileReceiver> {
  const bodies = new Map<string, string[]>()
  const taken = new Set<string>()
  let recovered = false
  let trapped = 0
  const upstream: Upstream = await startUpstream((request: SeenRequest, response) => {
    if (request.path.endsWith(trapPath)) trapped++
    const id = `${request.path} ${request.headers['x-tallystick-delivery-id']}`
    const before = bodies.get(id) ?? []
    bodies.set(id, [...before, request.raw.toString()])
    const behave = behaviours[recovered ? 'take' : choose(request.path, before.length)]
    if (behave?.(response, upstream.url).taken) taken.add(id)
  })
  return {
    url: upstream.url,
    bodies,
    taken,
    trapped: () => trapped,
    recover: () => {
      recovered = true
    },
    close: upstream.close,
  }
}
