import { Type } from 'typebox'
import { Nullable, strict } from '../../../http/index.js'
import { entryOutcomes } from '../../../record/index.js'
import { tagNamePattern } from '../../../shared/tags.js'
import { groupings } from './dimensions.js'
import { intervals, namedSpans } from './span.js'

/** As many as a plot can distinguish, and a few more. */
export const maxGroupSeries = 50

const count = (description: string) => Type.Integer({ minimum: 0, description })
const latency = (description: string) => Type.Number({ minimum: 0, description })

const figures = {
  requests: count('Calls that left a receipt: all but those refused by a rate limit'),
  inputTokens: count('Tokens in'),
  outputTokens: count('Tokens out'),
  totalTokens: count('Tokens in and out'),
  spendUsd: Type.Number({
    minimum: 0,
    description: 'To the nano-dollar, the sum of the cost in the receipts',
  }),
  blocked: count('Of the requests: blocked by a policy, an allowlist, a suspension or a budget'),
  rateLimited: count(
    'Calls refused by a rate limit; they leave no receipt and are in no other figure. Counted by key, user, team, provider and model, by the hour (of the last hour, by the minute), and belong to the point in which that hour begins. Other filters leave them out; other dimensions have them under null, except `session`, `route`, `agent`, `cache`, `batch` and `tool`, which leave them out, too',
  ),
  errors: count(
    'Of the requests: the provider failed, or this service did (`upstream_error`, `failed`, `interrupted`)',
  ),
  avgLatencyMs: latency('Mean over the requests; 0 without any'),
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
const Moment = (description: string) =>
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
          'How far back; `mtd` is the calendar month to date, `last-month` the one before. Not together with `from`',
      }),
    ),
    from: Moment('Inclusive. A date is its first moment in `timeZone`'),
    to: Moment('Exclusive. A date is its first moment in `timeZone`. Without it, up to now'),
    timeZone: Type.Optional(
      Type.String({
        maxLength: 64,
        default: 'UTC',
        description: 'Name of the IANA database: dates and intervals are those of its calendar',
      }),
    ),
    interval: Type.Optional(
      Type.Enum([...intervals], {
        description:
          'The length of one point of `series`. Weeks start on Monday. Without it, one that suits the span',
      }),
    ),
    groupBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 140,
        default: 'model',
        description: `The dimension of \`groups\`, or two of them with a comma between: ${groupings.join(', ')}, tag.<name>`,
        examples: ['team,model'],
      }),
    ),
    groupSeries: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: maxGroupSeries,
        description:
          'So many groups, the first ones, have a `series` of their own, and `otherSeries` is all else. Not in CSV, which has every group by interval',
      }),
    ),
    compare: Type.Optional(
      Type.Enum(['previous'], { description: 'Adds the span before, of equal length, and the change since' }),
    ),
    format: Type.Optional(Type.Enum(['json', 'csv'], { default: 'json', description: 'Of the answer' })),
    keyId: id('Only calls of this key'),
    userId: id('Only calls of this user'),
    teamId: id('Only calls that count for this team'),
    provider: id('Only calls to this provider'),
    model: id('Only calls of this model, with or without its provider'),
    outcome: Type.Optional(
      Type.Enum([...entryOutcomes], {
        description: 'Only calls that ended so',
      }),
    ),
    policyId: id('Only calls that this policy blocked, changed or flagged'),
    session: id('Only calls of this session'),
    route: id('Only calls that asked for this route'),
    agent: id('Only calls of this coding agent'),
    cache: Type.Optional(
      Type.Enum(['hit'], { description: 'Only calls that the cache of a route answered' }),
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
          'Only calls of this tool, by its own name or as `server__tool`; of this resource or prompt',
      }),
    ),
    requestId: id('Only the call with this id'),
    minCostUsd: Type.Optional(
      Type.Number({ minimum: 0, maximum: 9_000_000, description: 'Only calls that cost at least so much' }),
    ),
  },
  { ...strict, patternProperties: tagParameters },
)

const name = (description: string) => Type.Optional(Nullable(Type.String(), description))
export const groupNames = {
  key: Nullable(
    Type.String(),
    'The model (`server__tool` for a tool), provider, name or id; null for calls that have none',
  ),
  name: name('Of a key, user or team: its name at the end of the span; null when it had none'),
  second: Type.Optional(
    Type.Object(
      {
        key: Nullable(Type.String(), 'As above'),
        name: name('As above'),
      },
      { description: 'The value of the second dimension, where two were asked for' },
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
    requests: signed('More requests than before'),
    totalTokens: signed('More tokens than before'),
    spendUsd: signed('More spend than before'),
    spendPct: Nullable(
      Type.Number(),
      'More spend in per cent, to one decimal; null when there was none before',
    ),
  },
  { title: 'UsageChange', description: 'Negative where it is less' },
)
const Compared = {
  previous: Type.Optional(
    Type.Object(
      { requests: figures.requests, totalTokens: figures.totalTokens, spendUsd: figures.spendUsd },
      { description: 'The same in the span before, where a comparison was asked for' },
    ),
  ),
  change: Type.Optional(Change),
}

/** The span of a report. */
export const spanFields = {
  range: Nullable(Type.Enum([...namedSpans]), 'Null where `from` was given'),
  from: Type.String({ format: 'date-time', description: 'Inclusive; the start of the first interval' }),
  to: Type.String({
    format: 'date-time',
    description: 'Exclusive; when the report was read, unless the span ends before',
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
        { title: 'UsageBefore', description: 'The span before, where a comparison was asked for' },
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
          'Every interval of the span, oldest first, also those without a call. The first starts with the span, the last ends with it',
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
                'The group over time, where `groupSeries` asked for it: the intervals with a call, oldest first',
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
          'All calls that are in none of the groups with a `series`, over time: together they are `series`. The intervals with such a call',
      }),
    ),
    rest: Nullable(
      Type.Object(
        { groups: Type.Integer({ description: 'How many groups these are' }), ...figures, ...Compared },
        { title: 'UsageRest' },
      ),
      'All groups that are not listed, added up; null when every group is. Groups and rest together are the totals',
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
