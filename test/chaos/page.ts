import type { Row } from './strike.js'

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const code = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(', ')

const writeOutcomes = ({ outcomes }: Row) =>
  Object.entries(outcomes)
    .map(([outcome, count]) => `${count} × ${outcome}`)
    .join(', ') || 'nothing'

function writeLost({ lost, doubled, faults }: Row): string {
  const counts = [lost > 0 ? `${lost} lost` : '', doubled > 0 ? `${doubled} doubled` : ''].filter(Boolean)
  return [...(counts.length > 0 ? counts : ['nothing']), ...faults.map((fault) => `**${fault}**`)].join('; ')
}

function writeProbe({ statuses, causes }: Row): string {
  const worst = ['unready', 'degraded', 'ready'].find((status) => statuses.includes(status)) ?? ''
  const silent = statuses.includes('no answer') ? ['no answer'] : []
  return [...silent, causes.length > 0 || silent.length === 0 ? `\`${worst}\`` : '', code(causes)]
    .filter(Boolean)
    .join(': ')
}

const writeAlerts = ({ alerts }: Row) =>
  alerts
    .map((alert) => `[${alert.slice('Tallystick'.length)}](alerts.md#${alert.toLowerCase()})`)
    .join(', ') || 'none'

export const tableHead = `| fault | callers saw | longest gap | recovered | \`/readyz\` | metric | alerts | what to do | lost |
|---|---|---|---|---|---|---|---|---|`

export function writeRow(row: Row): string {
  const cells = [
    row.name,
    writeOutcomes(row),
    seconds(row.longestGapMs),
    seconds(row.recoveredMs),
    writeProbe(row),
    code(row.metrics) || 'none',
    writeAlerts(row),
    `[${(row.runbook.split('#')[1] ?? row.runbook).replace(/^tallystick/, '')}](${row.runbook})`,
    writeLost(row),
  ]
  return `| ${cells.join(' | ')} |`
}

const [start, end] = ['<!-- generated: faults -->', '<!-- /generated -->']

/** Writes rows between the marks of the page, in this order. Rows of faults that were not run stay. */
export function writePage(
  page: string,
  rows: readonly Row[],
  names: readonly string[],
  produced: string,
): string {
  const [before, after] = [page.indexOf(start), page.indexOf(end)]
  if (before < 0 || after < 0) throw new Error(`The page lacks ${start} or ${end}`)
  const kept = page.slice(before, after).split('\n')
  const lines = names.flatMap((name) => {
    const row = rows.find((each) => each.name === name)
    if (row) return [writeRow(row)]
    const [line = `| ${name} | not run${' |'.repeat(8)}`] = kept.filter((each) =>
      each.startsWith(`| ${name} |`),
    )
    return [line]
  })
  const text = [produced, '', tableHead, ...lines].join('\n')
  return `${page.slice(0, before + start.length)}\n\n${text}\n\n${page.slice(after)}`
}

/** The faults that the page lists, in its order. */
export function readPage(page: string): string[] {
  const table = page.slice(page.indexOf(start), page.indexOf(end))
  const names = [...table.matchAll(/^\| ([^|]+?) \|/gm)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'fault')
}
