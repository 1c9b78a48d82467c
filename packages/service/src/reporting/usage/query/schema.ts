import { Type } from 'typebox'
import { Nullable, strict } from '../../../http/index.js'
import { entryOutcomes } from '../../../record/index.js'
import { tagNamePattern } from '../../../shared/tags.js'
import { groupings } from './dimensions.js'
import { intervals, namedSpans } from './span.js'

/** More series than this cannot be distinguished in a chart. */
export const maxGroupSeries = 50

const count = (description: string) => Type.Integer({ minimum: 0, description })
const latency = (description: string) => Type.Number({ minimum: 0, description })

const figures = {
  requests: count('Calls that left a receipt: all except those refused by a rate limit'),
  inputTokens: count('Tokens in'),
  outputTokens: count('Tokens out'),
  totalTokens: count('Tokens in and out'),
  spendUsd: Type.Number({
    minimum: 0,
    description: 'The sum of the costs in the receipts, exact to the nano-dollar',
  }),
  blocked: count('Requests that were blocked by a policy, an allowlist, a suspension or a budget'),
  rateLimited: count(
    'Calls refused by a rate limit; they leave no receipt and are not part of other figures. They are counted by key, user, team, provider and model, per hour (per minute in the last hour), and belong to the point in which that hour begins. Other filters exclude them. Other dimensions count them under null, except `session`, `route`, `agent`, `cache`, `batch` and `tool`, which exclude them',
  ),
  errors: count(
    'Requests that failed at the provider or in this service (`upstream_error`, `failed`, `interrupted`)',
  ),
  avgLatencyMs: latency('Mean of all requests; 0 without requests'),
  p50LatencyMs: latency('Median, within 1/9 of the exact one; 0 without requests'),
  p95LatencyMs: latency('95th percentile, within 1/9 of the exact one; 0 without requests'),
}

const exampleFigures = {
  requests: 1204,
  inputTokens: 861_200,
  outputTokens: 240_310,
  totalTokens: 1_101_510,
  spendUsd: 4.556101,
  blocked: 3,
  rateLimited: 12,
  errors: 2,
  avgLatencyMs: 1420.6,
  p50LatencyMs: 1199.4,
  p95LatencyMs: 3659.4,
}

const id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 256, description }))

/** A time, or a date: the format of `from` and `to`. */
const TimeOrDate = (description: string) =>
  Type.Optional(
    Type.Union([Type.String({ format: 'date-time' }), Type.String({ format: 'date' })], {
      description,
      'x-expects': 'a date such as 2026-01-31, or a date and time with its zone such as 2026-01-31T09:30:00Z',
    }),
  )

export const tagParameters = {
  [`^tag\\.${tagNamePattern.slice(1)}`]: { type: 'string', minLength: 1, maxLength: 128 },
}

export const UsageQuery = Type.Object(
  {
    range: Type.Optional(
      Type.Enum([...namedSpans], {
        default: '30d',
        description:
          'How far back; `mtd` is the calendar month to date, `last-month` the previous month. Cannot be combined with `from`',
      }),
    ),
    from: TimeOrDate('Inclusive. A date means midnight in `timeZone`'),
    to: TimeOrDate('Exclusive. A date means midnight in `timeZone`. Defaults to now'),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        description: 'IANA time zone of dates and intervals',
      }),
    ),
    interval: Type.Optional(
      Type.Enum([...intervals], {
        description:
          'The length of one point of `series`. Weeks start on Monday. By default, it depends on the span',
      }),
    ),
    groupBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 140,
        default: 'model',
        description: `One or two dimensions of \`groups\`, separated by a comma: ${groupings.join(', ')}, tag.<name>`,
        examples: ['team,model'],
      }),
    ),
    groupSeries: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxGroupSeries,
        description:
          'How many groups have their own `series`; `otherSeries` is everything else. Ignored in CSV, which has every group by interval',
      }),
    ),
    compare: Type.Optional(
      Type.Enum(['previous'], {
        description: 'Adds the previous span of equal length, and the change since then',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], { default: 'json', description: 'Format of the answer' }),
    ),
    keyId: id('Only calls of this key'),
    userId: id('Only calls of this user'),
    teamId: id('Only calls that count for this team'),
    provider: id('Only calls to this provider'),
    model: id('Only calls of this model, with or without its provider'),
    outcome: Type.Optional(
      Type.Enum([...entryOutcomes], {
        description: 'Only calls with this outcome',
      }),
    ),
    policyId: id('Only calls that this policy blocked, changed or flagged'),
    session: id('Only calls of this session'),
    route: id('Only calls that requested this route'),
    agent: id('Only calls of this coding agent'),
    cache: Type.Optional(
      Type.Enum(['hit'], { description: 'Only calls that were answered from the cache of a route' }),
    ),
    batch: id('Only lines of this batch'),
    kind: Type.Optional(
      Type.Enum(['model', 'tool'], { description: 'Only calls of models, or only of tools' }),
    ),
    server: id('Only calls of tools of this server'),
    tool: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'Only calls of this tool, by its own name or as `server__tool`, or of this resource or prompt',
      }),
    ),
    requestId: id('Only the call with this id'),
    minCostUsd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 9_000_000, description: 'Only calls that cost at least this much' }),
    ),
  },
  { ...strict, patternProperties: tagParameters },
)

const name = (description: string) => Type.Optional(Nullable(Type.String(), description))
export const groupNames = {
  key: Nullable(
    Type.String(),
    'The model (`server__tool` for a tool), provider, name or id; null for calls without one',
  ),
  name: name('The name of the key, user or team at the end of the span; null if it had none'),
  second: Type.Optional(
    Type.Object(
      {
        key: Nullable(Type.String(), 'As above'),
        name: name('As above'),
      },
      { description: 'The value of the second dimension, if two were requested' },
    ),
  ),
}

const GroupPoint = Type.Object(
  {
    ts: Type.String({ format: 'date-time', description: 'Start of the interval, UTC' }),
    requests: figures.requests,
    inputTokens: figures.inputTokens,
    outputTokens: figures.outputTokens,
    totalTokens: figures.totalTokens,
    spendUsd: figures.spendUsd,
    blocked: figures.blocked,
    errors: figures.errors,
  },
  { title: 'UsageGroupPoint' },
)

const signed = (description: string) => Type.Number({ description })
const Change = Type.Object(
  {
    requests: signed('Difference in requests'),
    totalTokens: signed('Difference in tokens'),
    spendUsd: signed('Difference in spend'),
    spendPct: Nullable(
      Type.Number(),
      'Difference in spend in percent, to one decimal; null without earlier spend',
    ),
  },
  { title: 'UsageChange', description: 'Negative for a decrease' },
)
const Compared = {
  previous: Type.Optional(
    Type.Object(
      { requests: figures.requests, totalTokens: figures.totalTokens, spendUsd: figures.spendUsd },
      { description: 'The same for the previous span, if a comparison was requested' },
    ),
  ),
  change: Type.Optional(Change),
}

/** The span of a report. */
export const spanFields = {
  range: Nullable(Type.Enum([...namedSpans]), 'Null if `from` was given'),
  from: Type.String({ format: 'date-time', description: 'Inclusive; the start of the first interval' }),
  to: Type.String({
    format: 'date-time',
    description: 'Exclusive; the time of the report, unless the span ends earlier',
  }),
  timeZone: Type.String({ description: 'The time zone of the intervals' }),
  interval: Type.Enum([...intervals], { description: 'The length of one point of `series`' }),
}

export const Usage = Type.Object(
  {
    ...spanFields,
    totals: Type.Object(figures, { title: 'UsageFigures' }),
    previous: Type.Optional(
      Type.Object(
        {
          from: Type.String({ format: 'date-time' }),
          to: Type.String({ format: 'date-time' }),
          totals: Type.Object(figures, { title: 'UsageFigures' }),
          change: Change,
        },
        { title: 'UsageBefore', description: 'The previous span, if a comparison was requested' },
      ),
    ),
    series: Type.Array(
      Type.Object(
        {
          ts: Type.String({ format: 'date-time', description: 'Start of the interval, UTC' }),
          ...figures,
        },
        { title: 'UsagePoint' },
      ),
      {
        description:
          'Every interval of the span, oldest first, including those without calls. The first starts with the span, the last ends with it',
      },
    ),
    groups: Type.Array(
      Type.Object(
        {
          ...groupNames,
          ...figures,
          ...Compared,
          series: Type.Optional(
            Type.Array(GroupPoint, {
              description:
                'The group over time, if requested by `groupSeries`: the intervals with calls, oldest first',
            }),
          ),
        },
        { title: 'UsageGroup' },
      ),
      { description: 'By spend, then by requests, descending; at most 1,000' },
    ),
    otherSeries: Type.Optional(
      Type.Array(GroupPoint, {
        description:
          'The calls of all groups without their own `series`, over time: the intervals with such calls. All of these series together equal the total `series`',
      }),
    ),
    rest: Nullable(
      Type.Object(
        { groups: Type.Integer({ description: 'The number of these groups' }), ...figures, ...Compared },
        { title: 'UsageRest' },
      ),
      'The sum of all groups that are not listed; null if all are listed. Groups and rest together equal the totals',
    ),
  },
  {
    title: 'Usage',
    examples: [
      {
        range: 'mtd',
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-11-01T09:30:12.345Z',
        timeZone: 'UTC',
        interval: 'day',
        totals: exampleFigures,
        series: [{ ts: '2026-11-01T00:00:00.000Z', ...exampleFigures }],
        groups: [{ key: 'gpt-4o', ...exampleFigures }],
        rest: null,
      },
    ],
  },
)
