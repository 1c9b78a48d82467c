import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import {
  type App,
  eventStreamLimits,
  principalOf,
  requestIdHeader,
  type StreamLimits,
  StreamSlots,
} from '../../http/index.js'
import { EventStream } from './event-stream.js'
import type { Events } from './events.js'
import { type StreamEnd, StreamEvent, StreamHeaders, StreamQuery } from './schema.js'
import { type EventType, eventTypes, viewOf } from './view.js'

/** The buffer of a stream whose reader does not keep up: with all slots taken, a quarter of a gibibyte. */
const defaultMaxBufferedBytes = 256 * 1024

const description = `Streams server-sent events of all replicas:

- \`call\`: a call has ended. The data is an item of \`GET /v1/calls\`.
- \`alert\`: an event of webhooks, such as a budget threshold, a policy violation, a usage spike or a failing provider.
- \`budget\`: the state of a budget, when it changes by a percent.
- \`provider\`: whether a provider answers, based on this tenant’s calls of the last minute.

The stream starts with \`hello\`, followed by the current states of budgets and providers. A comment is sent every 15 seconds.

Calls are sent in the order of the record, each exactly once. Every \`call\` and \`alert\` has an id. Send it as \`Last-Event-ID\`
to resume the stream after that event, on any replica. Events that are too old are skipped with a \`gap\`, which says where to
read them. The last event is \`bye\`, or \`error\` if the client reads too slowly or loses its access.

Members see their own calls and alerts, and the budgets that \`GET /v1/budgets\` lists for them. Only managers and auditors get
\`provider\` events. On each replica, a key can have at most ${eventStreamLimits.perKey} open streams and a tenant ${eventStreamLimits.perTenant}.`

export interface EventRoutesOptions {
  events: Events
  limits?: StreamLimits
  maxBufferedBytes?: number
}

export function registerEventRoutes(
  app: App,
  { events, limits = eventStreamLimits, maxBufferedBytes = defaultMaxBufferedBytes }: EventRoutesOptions,
): void {
  const slots = new StreamSlots(limits)

  app.get(
    '/v1/events/stream',
    {
      config: {
        access: 'member',
        errors: ['rate_limit_exceeded', 'unavailable'],
        answerHeaders: { success: requestIdHeader },
      },
      exposeHeadRoute: false,
      schema: {
        tags: ['Events'],
        operationId: 'streamEvents',
        summary: 'Stream events',
        description,
        headers: StreamHeaders,
        querystring: StreamQuery,
        produces: ['text/event-stream'],
        response: {
          200: {
            description: 'Events, with each of the fields below on its own line; `data` is one line of JSON',
            content: { 'text/event-stream': { schema: StreamEvent } },
          },
        },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { types, lastEventId, maxSeconds } = request.query
      const view = viewOf(principal, types === undefined ? null : readTypes(types))
      // The header is newer than the parameter in the address.
      const lastId = request.headers['last-event-id'] || lastEventId
      const at = lastId ? events.ids.decode(principal.tenantId, lastId) : null
      const release = slots.take(principal)
      const stream = new EventStream({
        response: reply.raw,
        principal,
        view,
        maxBufferedBytes,
        onClosed() {
          release()
          events.leave(stream)
        },
      })
      await events.serve(stream, { at, begin: () => beginStream(reply) })
      if (maxSeconds !== undefined) endAfter(stream, reply.raw, maxSeconds)
    },
  )
}

const readTypes = (text: string): EventType[] => eventTypes.filter((type) => text.split(',').includes(type))

/** No proxy may cache or buffer the answer; nothing else is sent on its connection. */
function beginStream(reply: FastifyReply): void {
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    'x-tallystick-request-id': reply.request.id,
    connection: 'close',
  })
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  reply.hijack()
  reply.raw.writeHead(200)
}

function endAfter(stream: EventStream, response: ServerResponse, seconds: number): void {
  const end = () => stream.end(done)
  if (seconds === 0) end()
  const timer = setTimeout(end, seconds * 1_000).unref()
  response.once('close', () => clearTimeout(timer))
}

const done: StreamEnd = {
  event: 'bye',
  reason: 'done',
  message: 'The requested time is over: connect again with the last event id to continue',
  reconnect: false,
}
