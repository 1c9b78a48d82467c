/**
 * @typedef {import('../scenarios.mjs').Scenario} Scenario
 * @typedef {import('./figures.mjs').Figures} Figures
 * @typedef {{ scenario: Scenario, figures: Map<string, Figures> }} Row
 */

/** @type {readonly { title: string, figure: keyof Figures, digits: number }[]} */
const columns = [
  { title: 'req/s', figure: 'perSecond', digits: 0 },
  { title: 'of bare', figure: 'ofBare', digits: 2 },
  { title: '+p50 ms', figure: 'addedP50Ms', digits: 2 },
  { title: '+p99 ms', figure: 'addedP99Ms', digits: 2 },
  { title: 'first ms', figure: 'firstMs', digits: 2 },
  { title: 'cpu µs', figure: 'cpuUs', digits: 0 },
  { title: 'x bare', figure: 'cpuOfBare', digits: 2 },
  { title: 'idle MiB', figure: 'idleMiB', digits: 0 },
  { title: 'load MiB', figure: 'loadedMiB', digits: 0 },
  { title: 'KiB/stream', figure: 'streamKiB', digits: 1 },
]

/** @param {Row} row */
export function formatRow({ scenario, figures }) {
  const titles = columns.map(({ title, figure }) =>
    scenario.open && figure === 'perSecond' ? 'events/s' : title,
  )
  const lines = [...figures].map(([name, each]) =>
    formatLine(
      `  ${name}`,
      columns.map(({ figure, digits }) => formatNumber(each[figure], digits)),
    ),
  )
  return [formatLine(scenario.name, titles), ...lines].join('\n')
}

/** @param {number | null} value @param {number} digits */
const formatNumber = (value, digits) =>
  value === null || !Number.isFinite(value) ? '–' : value.toFixed(digits)

/** @param {string} name @param {readonly string[]} cells */
const formatLine = (name, cells) => name.padEnd(40) + cells.map((cell) => cell.padStart(11)).join('')

const goalTexts = {
  ofBare: "of the bare proxy's throughput",
  addedP50Ms: 'ms added at the median',
  cpuUs: 'µs of processor time per call',
  cpuOfBare: "times the bare proxy's processor time",
  streamKiB: 'KiB per open stream',
}

/**
 * What we aim for. Printed, never asserted: a busy machine must not fail a build.
 * @param {readonly Row[]} rows @param {string} subject
 */
export function formatGoals(rows, subject) {
  return rows
    .flatMap(({ scenario, figures }) =>
      (scenario.goals ?? []).flatMap(
        ({ figure, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY }) => {
          const value = figures.get(subject)?.[figure] ?? null
          if (value === null) return []
          const bound = Number.isFinite(least) ? `at least ${least}` : `at most ${most}`
          const met = value >= least && value <= most ? 'met   ' : 'missed'
          return [`${met}  ${scenario.name}: ${value.toFixed(2)} ${goalTexts[figure]}, ${bound}`]
        },
      ),
    )
    .join('\n')
}
