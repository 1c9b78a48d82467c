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
  requests: count(
    'The number of calls that left a receipt, which are all except those refused by a rate limit',
  ),
  inputTokens: count('The number of input tokens'),
  outputTokens: count('The number of output tokens'),
  totalTokens: count('The number of input and output tokens'),
  spendUsd: Type.Number({
    minimum: 0,
    description: 'The sum in USD of the costs in the receipts, exact to the nano-dollar',
  }),
  blocked: count(
    'The number of requests that were blocked by a policy, an allowlist, a suspension or a budget',
  ),
  rateLimited: count(
    'The number of calls refused by a rate limit. They leave no receipt and are not part of other figures. They are counted by key, user, team, provider and model, per hour (per minute in the last hour), and belong to the point in which that hour begins. Other filters exclude them. Other dimensions count them under null, except `session`, `route`, `agent`, `cache`, `batch` and `tool`, which exclude them',
  ),
  errors: count(
    'The number of requests that failed at the provider or in this service (`upstream_error`, `failed`, `interrupted`)',
  ),
  avgLatencyMs: latency('The mean latency of all requests in milliseconds. 0 without requests'),
  p50LatencyMs: latency(
    'The median latency in milliseconds, within 1/9 of the exact value. 0 without requests',
  ),
  p95LatencyMs: latency(
    'The 95th percentile of the latency in milliseconds, within 1/9 of the exact value. 0 without requests',
  ),
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
          'The span of the report. `1h` to `90d` end now. `today`, `wtd`, `mtd`, `qtd` and `ytd` are the day, week, month, quarter and year to date; `yesterday`, `last-week`, `last-month`, `last-quarter` and `last-year` the previous whole ones, in `timeZone`. Weeks start on Monday. It cannot be combined with `from`',
      }),
    ),
    from: TimeOrDate('The start of the span, inclusive. A date means midnight in `timeZone`'),
    to: TimeOrDate('The end of the span, exclusive. A date means midnight in `timeZone`. Defaults to now'),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        description: 'The IANA time zone of dates and intervals',
      }),
    ),
    interval: Type.Optional(
      Type.Enum([...intervals], {
        description:
          'The length of one point of `series`. Weeks start on Monday. The default depends on the span',
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
          'The number of groups with their own `series`. `otherSeries` contains all other groups. Ignored for CSV, which contains every group by interval',
      }),
    ),
    compare: Type.Optional(
      Type.Enum(['previous'], {
        description: 'If set, adds the previous span of equal length and the change since then',
      }),
    ),
    format: Type.Optional(
      Type.Enum(['json', 'csv'], { default: 'json', description: 'The format of the response' }),
    ),
    keyId: id('Count only calls of this key'),
    userId: id('Count only calls of this user'),
    teamId: id('Count only calls that count for this team'),
    provider: id('Count only calls to this provider'),
    model: id('Count only calls of this model, with or without its provider'),
    outcome: Type.Optional(
      Type.Enum([...entryOutcomes], {
        description: 'Count only calls with this outcome',
      }),
    ),
    policyId: id('Count only calls that this policy blocked, changed or flagged'),
    session: id('Count only calls of this session'),
    route: id('Count only calls that requested this route'),
    agent: id('Count only calls of this coding agent'),
    cache: Type.Optional(
      Type.Enum(['hit'], { description: 'Count only calls that were answered from the cache of a route' }),
    ),
    batch: id('Count only lines of this batch'),
    kind: Type.Optional(
      Type.Enum(['model', 'tool'], { description: 'Return only calls of models, or only calls of tools' }),
    ),
    server: id('Count only calls of tools of this server'),
    tool: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description:
          'Count only calls of this tool, by its own name or as `server__tool`, or of this resource or prompt',
      }),
    ),
    requestId: id('Count only the call with this id'),
    minCostUsd: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 9_000_000,
        description: 'Count only calls that cost at least this much, in USD',
      }),
    ),
  },
  { ...strict, patternProperties: tagParameters },
)

const name = (description: string) => Type.Optional(Nullable(Type.String(), description))
export const groupNames = {
  key: Nullable(
    Type.String(),
    'The value of the dimension: the model (`server__tool` for a tool), provider, name or id. Null for calls without one',
  ),
  name: name('The name of the key, user or team at the end of the span. Null if it had none'),
  second: Type.Optional(
    Type.Object(
      {
        key: Nullable(Type.String(), 'The value of the dimension, as in `key` of the group'),
        name: name('The value of the dimension, as in `key` of the group'),
      },
      { description: 'The value of the second dimension, if two were requested' },
    ),
  ),
}

const GroupPoint = Type.Object(
  {
    ts: Type.String({ format: 'date-time', description: 'The start of the interval, in UTC' }),
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
    requests: signed('The difference in requests'),
    totalTokens: signed('The difference in tokens'),
    spendUsd: signed('The difference in spend, in USD'),
    spendPct: Nullable(
      Type.Number(),
      'The difference in spend, in percent to one decimal place. Null without earlier spend',
    ),
  },
  { title: 'UsageChange', description: 'The change since the previous span. Negative for a decrease' },
)
const Compared = {
  previous: Type.Optional(
    Type.Object(
      { requests: figures.requests, totalTokens: figures.totalTokens, spendUsd: figures.spendUsd },
      { description: 'The figures of the group in the previous span, if a comparison was requested' },
    ),
  ),
  change: Type.Optional(Change),
}

/** The span of a report. */
export const spanFields = {
  range: Nullable(Type.Enum([...namedSpans]), 'The requested range. Null if `from` was given'),
  from: Type.String({
    format: 'date-time',
    description: 'The start of the span, inclusive. It is also the start of the first interval',
  }),
  to: Type.String({
    format: 'date-time',
    description: 'The end of the span, exclusive: the time of the report, unless the span ends earlier',
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
        {
          title: 'UsageBefore',
          description: 'The figures of the previous span, if a comparison was requested',
        },
      ),
    ),
    series: Type.Array(
      Type.Object(
        {
          ts: Type.String({ format: 'date-time', description: 'The start of the interval, in UTC' }),
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
                'The figures of the group over time, if requested by `groupSeries`. It contains the intervals with calls, oldest first',
            }),
          ),
        },
        { title: 'UsageGroup' },
      ),
      { description: 'At most 1,000 groups, ordered by spend, then by requests, both descending' },
    ),
    otherSeries: Type.Optional(
      Type.Array(GroupPoint, {
        description:
          'The calls over time of all groups without their own `series`. It contains the intervals with such calls. All series of groups and this one together equal the total `series`',
      }),
    ),
    rest: Nullable(
      Type.Object(
        {
          groups: Type.Integer({ description: 'The number of groups that are not listed' }),
          ...figures,
          ...Compared,
        },
        { title: 'UsageRest' },
      ),
      'The sum of all groups that are not listed. Null if all are listed. `groups` and `rest` together equal the totals',
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
