import { Type } from 'typebox'
import type { Db, ReplicaReads } from '../../db/index.js'
import {
  type App,
  type Cursors,
  dataAsOfHeader,
  ownerFilter,
  Page,
  principalOf,
  withDataAge,
} from '../../http/index.js'
import type { ContentReader } from '../../resources/content/index.js'
import type { RunReport } from '../usage/index.js'
import { readCall } from './detail.js'
import { presentCalls } from './present.js'
import { Call, CallDensity, CallDetail, CallDetailQuery, CallQuery, DensityQuery } from './schema.js'
import { type DensitySpan, readDensity, readFirstTime } from './search/density.js'
import { type CallFilter, readFilter } from './search/filter.js'
import type { Position } from './search/position.js'
import { presentDensity } from './search/present-density.js'
import { searchCalls } from './search/search.js'

const tags = ['Calls']

export function registerCallRoutes(
  app: App,
  {
    db,
    reads,
    cursors,
    content,
    now,
    runReport,
  }: {
    db: Db
    reads: ReplicaReads
    cursors: Cursors
    content: ContentReader
    now(): Date
    runReport: RunReport
  },
): void {
  app.get(
    '/v1/calls',
    {
      config: { access: 'member', answerHeaders: { success: dataAsOfHeader } },
      schema: {
        tags,
        operationId: 'listCalls',
        summary: 'Search calls',
        description: `Lists every call that left a receipt, newest first. Members see only their own calls. A call must match all given filters.
\`tag.<name>=<value>\`, such as \`tag.project=alpha\`, filters by a tag and can be given for several names.

A page can have fewer items than \`limit\`, even none, while \`nextCursor\` is not null: the next page continues the search. Only
a \`nextCursor\` of null means that there are no more calls.`,
        querystring: CallQuery,
        response: { 200: Page(Call, 'CallPage') },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const { limit = 50, cursor, ...query } = request.query
      const own = ownerFilter(principal)
      const filter = readFilter(query, own)
      const scope = `calls ${tenantId} ${JSON.stringify(filter)}`
      const after = cursor === undefined ? null : readPosition(cursors.decode(scope, cursor))
      const page = await reads.run(async (db) => {
        const { rows, next } = await searchCalls(db, tenantId, filter, { after, limit })
        return {
          data: await presentCalls(db, tenantId, rows),
          nextCursor: next && cursors.encode(scope, writePosition(next)),
        }
      })
      return withDataAge(reply, page)
    },
  )

  app.get(
    '/v1/calls/density',
    {
      config: {
        access: 'member',
        errors: ['rate_limit_exceeded'],
        answerHeaders: { success: dataAsOfHeader },
      },
      schema: {
        tags,
        operationId: 'getCallDensity',
        summary: 'Count calls over time',
        description: `Returns the number of calls that a search would find, by outcome, in equal parts of its span: the data of a histogram. It
accepts the filters of the list, and its counts are exact. Without \`from\`, the span begins with the first stored call.
Without \`to\`, it ends now.

Only a few of these reports run at a time, together with usage reports, and a span with too many calls is refused.`,
        querystring: DensityQuery,
        response: { 200: CallDensity },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const { buckets = 120, ...query } = request.query
      const filter = readFilter(query, ownerFilter(principal))
      const density = await runReport(principal, () =>
        reads.run(async (db) => {
          const at = now()
          const span = await spanOf(db, tenantId, filter, at, buckets)
          return presentDensity(await readDensity(db, tenantId, filter, span, at), span)
        }),
      )
      return withDataAge(reply, density)
    },
  )

  app.get(
    '/v1/calls/:requestId',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getCall',
        summary: 'Get a call',
        description:
          'Returns a call with its checks, attempts, price, corrections and, if captured, content. Members can read only their own calls, without content. If the receipt was dropped from the record, the call is returned without the fields that only the receipt contains.',
        params: Type.Object({ requestId: Type.String({ maxLength: 128 }) }),
        querystring: CallDetailQuery,
        response: { 200: CallDetail },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { requestId } = request.params
      const own = ownerFilter(principal)
      const call = await readCall(db, principal.tenantId, { own, requestId })
      const isShown = own === null && request.query.content !== false
      return { ...call, content: isShown ? await content.read(principal, requestId) : null }
    },
  )
}

/**
 * A span without a start begins with the first call; one without an end ends now. It lasts at least a millisecond.
 */
async function spanOf(
  db: Db,
  tenantId: string,
  filter: CallFilter,
  now: Date,
  buckets: number,
): Promise<DensitySpan> {
  const to = filter.to ?? new Date(Math.max(now.getTime(), (filter.from?.getTime() ?? 0) + 1))
  const from = filter.from ?? (await readFirstTime(db, tenantId, to))
  return { from: from ?? new Date(to.getTime() - 3_600_000), to, buckets }
}

const writePosition = ({ ts, seq }: Position): string => `${ts.toISOString()} ${seq}`

/** The cursor is signed, so its content is what was issued. */
function readPosition(text: string): Position {
  const [ts = '', seq = ''] = text.split(' ')
  return { ts: new Date(ts), seq: Number(seq) }
}
