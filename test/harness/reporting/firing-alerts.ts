import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { MetricsReading } from './metrics.js'

const rulesPath = fileURLToPath(new URL('../../../deploy/prometheus/alerts.yaml', import.meta.url))

/** False if promtool, of Debian's package `prometheus`, is not installed. In CI that is an error, since nobody would notice. */
export const hasPromtool: boolean = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool && process.env.CI === 'true') throw new Error('promtool is not installed')

const metric = /\b(?:tallystick|gen_ai)_\w+/g

/** One line of input of `promtool test rules`, with a value per minute. */
export interface Series {
  series: string
  values: string
}

const readRules = async () => {
  const text = await readFile(rulesPath, 'utf8')
  const rules: { alert: string; expr: string }[] = parse(text).groups.flatMap(
    (group: { rules: { alert: string; expr: string }[] }) => group.rules,
  )
  return { rules, asked: new Set(text.match(metric)) }
}

/** Returns the metrics that each alert looks at. */
export async function listMetricsOfAlerts(): Promise<Map<string, string[]>> {
  const { rules } = await readRules()
  return new Map(rules.map(({ alert, expr }) => [alert, [...new Set(expr.match(metric))]]))
}

/** Returns the alerts that fire when a scraper has read these metrics for an hour, by the rules that operators load. */
export async function listFiringAlerts({ samples }: MetricsReading): Promise<string[]> {
  const series = samples.map(({ name, labels, value }) => {
    const all = Object.entries({ ...labels, instance: 'replica' }).map(
      ([label, text]) => `${label}="${text}"`,
    )
    // promtool does not read exponents.
    const number = value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 9 })
    return { series: `${name}{${all.join(',')}}`, values: `${number}x60` }
  })
  const up = { series: 'up{job="tallystick",instance="replica"}', values: '1x60' }
  return await evaluateAlerts([up, ...series], 60)
}

/** Returns the alerts that fire at some time in these minutes, by the rules that operators load. */
export async function evaluateAlerts(series: readonly Series[], minutes: number): Promise<string[]> {
  const { rules, asked } = await readRules()
  const nameOf = (id: string) => id.slice(0, id.indexOf('{'))
  const test = {
    rule_files: [rulesPath],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: series.filter((one) => nameOf(one.series) === 'up' || asked.has(nameOf(one.series))),
        promql_expr_test: rules.map(({ alert }) => ({
          expr: `count(count_over_time(ALERTS{alertname="${alert}",alertstate="firing"}[${minutes}m])) > 0`,
          eval_time: `${minutes}m`,
          exp_samples: [],
        })),
      },
    ],
  }
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-alerts-'))
  try {
    const path = join(folder, 'test.yaml')
    await writeFile(path, JSON.stringify(test))
    // Each alert that fires contradicts the expectation that none does.
    const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', path], { encoding: 'utf8' })
    const output = stdout + stderr
    if (!/SUCCESS|FAILED/.test(output)) throw new Error(output)
    const firing = [...output.matchAll(/expr: "count\(count_over_time\(ALERTS\{alertname=\\"(\w+)\\"/g)].map(
      ([, alert = '']) => alert,
    )
    if (output.includes('FAILED') && firing.length === 0) throw new Error(output)
    return [...new Set(firing)].toSorted()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
