import { readdirSync, readFileSync } from 'node:fs'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { eachStage, startStages } from '../../packages/service/src/calls/core/stages.js'
import { causes } from '../../packages/service/src/main/probes/finding.js'
import { createMetrics } from '../../packages/service/src/observability/index.js'
import {
  counters,
  gauges,
  histograms,
  labelBounds,
} from '../../packages/service/src/observability/metrics/metric-table.js'

// What an operator loads into Prometheus and Grafana asks for metrics that there are, by labels and values that they have.

const prometheusFolder = new URL('../../deploy/prometheus/', import.meta.url)
const grafanaFolder = new URL('../../deploy/grafana/', import.meta.url)
const read = (folder: URL, name: string) => readFileSync(new URL(name, folder), 'utf8')

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

interface Panel {
  id: number
  type: string
  title: string
  description?: string
  datasource?: { type: string; uid: string }
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; datasource: { uid: string } }[]
}

interface Dashboard {
  uid: string
  title: string
  panels: Panel[]
  templating: { list: { name: string; type: string; query: string }[] }
}

const guide = readFileSync(new URL('../../docs/operate/alerts.md', import.meta.url), 'utf8')

const rules: Rule[] = parse(read(prometheusFolder, 'alerts.yaml')).groups.flatMap(
  (group: { rules: Rule[] }) => group.rules,
)
const dashboards: Dashboard[] = readdirSync(grafanaFolder)
  .sort()
  .map((name) => JSON.parse(read(grafanaFolder, name)))

const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboards.flatMap(({ uid, panels }) =>
    panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({
        where: `${uid}: ${title}`,
        expr: expr.replaceAll('$__rate_interval', '5m'),
      })),
    ),
  ),
]

/** The variable of a dashboard that says which Prometheus is asked. */
const variable = '$'.concat('{datasource}')

/** What a scraper adds to every series. */
const scraped = ['job', 'instance']

/** How the panels name the instances that the reader chose. */
const chosenInstances = '$instance'

async function listLabels(): Promise<Map<string, readonly string[]>> {
  const labels = new Map<string, readonly string[]>([['up', []]])
  for (const spec of [...Object.values(counters), ...Object.values(gauges)])
    labels.set(spec.name, spec.labels)
  for (const spec of Object.values(histograms)) {
    labels.set(`${spec.name}_bucket`, [...spec.labels, 'le'])
    for (const end of ['sum', 'count']) labels.set(`${spec.name}_${end}`, spec.labels)
  }
  const { text } = await createMetrics().read()
  for (const [, name = ''] of text.matchAll(/^# TYPE (tallystick_(?:nodejs|process)_\w+) /gm))
    labels.set(name, [])
  return labels
}

interface Asked {
  name: string
  labels: { name: string; value: string; isExact: boolean }[]
}

/** The selectors of an expression, and the labels that it groups by; and what of it is no PromQL. */
function readExpression(expr: string): { asked: Asked[]; grouped: string[]; errors: string[] } {
  const asked: Asked[] = []
  const grouped: string[] = []
  const errors: string[] = []
  const text = (node: { from: number; to: number }) => expr.slice(node.from, node.to)
  parser.parse(expr).iterate({
    enter(node) {
      if (node.type.isError) errors.push(`at ${node.from}: ${expr}`)
      if (node.name === 'VectorSelector') {
        const name = node.node.getChild('Identifier')
        const matchers = node.node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []
        const labels = matchers.map((matcher) => ({
          name: text(matcher.getChild('LabelName') ?? matcher),
          value: text(matcher.getChild('StringLiteral') ?? matcher).slice(1, -1),
          isExact: !text(matcher.getChild('MatchOp') ?? matcher).includes('~'),
        }))
        asked.push({ name: name ? text(name) : '', labels })
      }
      if (node.name === 'GroupingLabels')
        grouped.push(...node.node.getChildren('LabelName').map((label) => text(label)))
    },
  })
  return { asked, grouped, errors }
}

/** Of labels whose values this program chooses. */
const stageNames: string[] = []
const allStages = startStages(0)
for (const name of Object.keys(allStages)) Object.assign(allStages, { [name]: 1 })
eachStage(allStages, (name) => stageNames.push(name))
const knownValues: Record<string, readonly string[]> = {
  job: ['tallystick'],
  status: ['done', 'failed'],
  outcome: [
    'ok',
    'blocked',
    'redacted',
    'upstream_error',
    'aborted',
    'interrupted',
    'delivered',
    'failed',
    'exported',
    'dropped',
    'tool_error',
  ],
  kind: ['input', 'cached', 'written', 'output', 'reasoning'],
  result: ['hit', 'miss'],
  source: ['provider', 'counted', 'reserved'],
  stage: stageNames,
  type: ['unavailable', 'internal_error'],
  check: ['budget'],
  action: ['block', 'redact', 'flag'],
  queue: ['receipts', 'open_calls', 'turns', 'content'],
  state: ['in_use', 'idle', 'waiting', 'pending', 'retrying', 'near', 'exhausted'],
  quantile: ['0.5', '0.99', '1'],
  label: ['provider', 'model', 'team', 'server', 'tool'],
  provider: ['mcp'],
  cause: Object.keys(causes),
  instance: [chosenInstances],
}

describe('every expression of the alerts and dashboards', () => {
  test('is PromQL, and there are enough of them to be looked at', () => {
    expect(
      expressions.flatMap(({ where, expr }) =>
        readExpression(expr).errors.map((error) => `${where} ${error}`),
      ),
    ).toEqual([])
    expect(expressions.length).toBeGreaterThan(80)
    expect(readExpression('sum(rate(tallystick_calls_total[5m])').errors).not.toEqual([])
  })

  test('names metrics that are exported, by labels and values that they have', async () => {
    const known = await listLabels()
    const faults: string[] = []
    for (const { where, expr } of expressions) {
      const { asked, grouped } = readExpression(expr)
      if (asked.length === 0) faults.push(`${where}: asks for nothing`)
      for (const { name, labels } of asked) {
        const own = known.get(name)
        if (own === undefined) faults.push(`${where}: there is no ${name}`)
        for (const label of labels) {
          if (![...(own ?? []), ...scraped].includes(label.name))
            faults.push(`${where}: ${name} has no ${label.name}`)
          for (const value of label.isExact ? [label.value] : label.value.split('|'))
            if (!knownValues[label.name]?.includes(value))
              faults.push(`${where}: ${label.name} is never ${value}`)
        }
        for (const label of grouped)
          if (![...(own ?? []), ...scraped].includes(label)) faults.push(`${where}: ${name} has no ${label}`)
      }
    }
    expect(faults).toEqual([])
  })

  test('looks at every metric somewhere', () => {
    const text = expressions.map(({ expr }) => expr).join('\n')
    const names = [counters, gauges, histograms].flatMap((table) =>
      Object.values(table).map(({ name }) => name),
    )
    // The same time by endpoint is in tallystick_call_duration_seconds.
    const elsewhere = ['gen_ai_server_request_duration_seconds']
    expect(names.filter((name) => !text.includes(name))).toEqual(elsewhere)
  })
})

describe('the alert rules', () => {
  test('say how bad it is, what is wrong, what to do, and where there is more', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const rule of rules) {
      expect(
        Object.keys(rule).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key)),
      ).toEqual([])
      expect(rule.for ?? '1m').toMatch(/^\d+[mh]$/)
      expect(rule.labels).toEqual({ severity: expect.stringMatching(/^(critical|warning|info)$/) })
      expect(rule.annotations.summary?.length).toBeGreaterThan(15)
      expect(rule.annotations.description?.length).toBeGreaterThan(40)
      expect(rule.annotations.runbook_url).toBe(`docs/operate/alerts.md#${rule.alert.toLowerCase()}`)
      expect(guide).toContain(`\n## ${rule.alert}\n`)
    }
    for (const [, named = ''] of guide.matchAll(/^## (Tallystick\w+)$/gm))
      expect(rules.map(({ alert }) => alert)).toContain(named)
  })

  test('know how many values a label may have', () => {
    const full = rules.find(({ alert }) => alert === 'TallystickLabelsFull')?.expr ?? ''
    const bounds = [...full.matchAll(/label="(\w+)"\} >= (\d+)/g)].map(([, label, max]) => [
      label,
      Number(max),
    ])
    const { team, model, provider, server, tool } = labelBounds
    expect(Object.fromEntries(bounds)).toEqual({
      ...{ team: team.max, model: model.max, provider: provider.max },
      ...{ server: server.max, tool: tool.max },
    })
  })

  test('each have a place in the test that promtool runs', () => {
    const broken = parse(read(prometheusFolder, 'alerts.test.yaml')).tests[1].promql_expr_test[0].exp_samples
    const firing = broken.map(({ labels }: { labels: string }) => /alertname="(\w+)"/.exec(labels)?.[1])
    expect(firing.toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted())
  })
})

describe('the dashboards', () => {
  test('can be provisioned: with ids of their own, and any data source', () => {
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length)
    for (const { panels, templating } of dashboards) {
      expect(templating.list).toContainEqual(
        expect.objectContaining({ name: 'datasource', type: 'datasource', query: 'prometheus' }),
      )
      expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
      for (const { type, datasource, targets = [], description, title } of panels) {
        expect(title).not.toBe('')
        if (type === 'row') continue
        expect(description).toBeTruthy()
        expect(datasource).toEqual({ type: 'prometheus', uid: variable })
        expect(targets.length).toBeGreaterThan(0)
        for (const target of targets) expect(target.datasource.uid).toBe(variable)
      }
    }
  })

  test('show the instances that the reader chose, in every panel', () => {
    for (const { uid, panels, templating } of dashboards) {
      expect(templating.list.map(({ name }) => name)).toContain('instance')
      for (const { title, targets = [] } of panels)
        for (const { expr } of targets)
          for (const { name, labels } of readExpression(expr).asked)
            expect({ uid, title, name, labels }).toMatchObject({
              labels: expect.arrayContaining([{ name: 'instance', value: chosenInstances, isExact: false }]),
            })
    }
  })

  test('have panels that fit the page and do not overlap', () => {
    for (const { uid, panels } of dashboards) {
      const taken = new Map<string, string>()
      for (const { title, gridPos } of panels) {
        expect(gridPos.x + gridPos.w, `${uid}: ${title}`).toBeLessThanOrEqual(24)
        for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
          for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
            expect(taken.get(`${x} ${y}`), `${uid}: ${title}`).toBeUndefined()
            taken.set(`${x} ${y}`, title)
          }
      }
    }
  })
})

describe('the causes of the probes', () => {
  const page = readFileSync(new URL('../../docs/operate/probes.md', import.meta.url), 'utf8')
  const rows = [
    ...page.matchAll(/^\| `\w+` \| `(\w+)` \| `(\w+)`[^|]*\| (?:\[(\w+)\]\(alerts.md#(\w+)\)|none) \|$/gm),
  ]

  test('are all in the documentation, with their states', () => {
    expect(Object.fromEntries(rows.map(([, cause, state]) => [cause, state]))).toEqual(causes)
  })

  test('have an alert that looks at them, except for a stop, which is no fault', () => {
    const elsewhere: Record<string, string> = {
      record_not_writable: 'tallystick_record_writable',
      record_refused: 'tallystick_record_refused',
      spool_not_drained: 'tallystick_spool_receipts',
      disk_low: 'tallystick_data_directory_free_bytes',
    }
    for (const [, cause = '', , alert, anchor] of rows) {
      if (cause === 'stopping') continue
      expect(anchor).toBe(alert?.toLowerCase())
      const rule = rules.find(({ alert: name }) => name === alert)
      expect(rule?.expr, cause).toContain(elsewhere[cause] ?? cause)
    }
  })
})
