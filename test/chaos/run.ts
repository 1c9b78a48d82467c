import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { pick, seed } from '../harness/run/seed.js'
import { type Deployment, openDeployment } from './deployment.js'
import type { Fault } from './faults/fault.js'
import { faults } from './faults/index.js'
import { tableHead, writePage, writeRow } from './page.js'
import { type Row, strike, type Watch } from './strike.js'

const usage = `npm run chaos -- [options]

Strikes replicas under load with faults, one after the other. Says of each what callers saw, what /readyz, metrics and alerts said, and
what was lost. Exits with 1 if anything differs from what the fault expects.
  --list           the faults
  --only NAME      only this one; may be repeated
  --seconds N      how long a fault that lasts lasts (5)
  --callers N      how many call at once (8)
  --replicas N     how many serve (3)
  --soak N         faults at random for N seconds
  --json FILE      writes the results as JSON
  --markdown FILE  writes the rows into the table of this page
SEED=N repeats the random choices.`

const print = (text: string) => process.stdout.write(`${text}\n`)
const tell = (text: string) => process.stderr.write(`${text}\n`)

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean' },
      help: { type: 'boolean' },
      only: { type: 'string', multiple: true },
      seconds: { type: 'string', default: '5' },
      callers: { type: 'string', default: '8' },
      replicas: { type: 'string', default: '3' },
      soak: { type: 'string' },
      json: { type: 'string' },
      markdown: { type: 'string' },
    },
  })
  if (values.help) return say(usage)
  if (values.list) return say(faults.map(({ name }) => name).join('\n'))
  const chosen = choose(values.only)
  tell(`SEED=${seed}`)
  const watch: Watch = { observer: null }
  const open = () =>
    openDeployment({
      replicas: Number(values.replicas),
      callers: Number(values.callers),
      lasts: async () => await watch.observer?.lasts(Number(values.seconds)),
    })
  print(tableHead)
  const rows =
    values.soak === undefined
      ? await strikeEach(chosen, open, watch)
      : await soak(chosen, open, watch, Number(values.soak))
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`)
  if (values.markdown !== undefined) {
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
    const names = faults.map(({ name }) => name)
    const produced = `Version ${version}, ${new Date().toISOString().slice(0, 10)}, ${values.replicas} replicas, ${values.callers} callers.`
    await writeFile(
      values.markdown,
      writePage(await readFile(values.markdown, 'utf8'), rows, names, produced),
    )
  }
  return rows.some(({ faults }) => faults.length > 0) ? 1 : 0
}

function say(text: string): number {
  print(text)
  return 0
}

function choose(only: readonly string[] | undefined): Fault[] {
  const unknown = only?.find((name) => !faults.some((fault) => fault.name === name))
  if (unknown !== undefined) throw new Error(`There is no fault "${unknown}": --list shows all of them`)
  return faults.filter(({ name, lacks }) => {
    if (only !== undefined && !only.includes(name)) return false
    const reason = lacks?.() ?? null
    if (reason !== null) tell(`skipped: ${name}: ${reason}`)
    return reason === null
  })
}

// The whole record is verified after each fault, and grows with each.
const mostFaultsPerDeployment = 8

/** Opens another deployment when one did not recover, or its record is long. */
async function strikeEach(
  chosen: readonly Fault[],
  open: () => Promise<Deployment>,
  watch: Watch,
): Promise<Row[]> {
  const rows: Row[] = []
  let deployment: Deployment | null = null
  let struck = 0
  try {
    for (const fault of chosen) {
      if (deployment === null) {
        deployment = await open()
        await deployment.callers.stop()
      }
      const row: Row = await strike(deployment, fault, watch)
      rows.push(row)
      print(writeRow(row))
      if (++struck >= mostFaultsPerDeployment || row.faults.length > 0 || fault.expected.losesCommits) {
        await deployment.close()
        deployment = null
        struck = 0
      }
    }
  } finally {
    await deployment?.close()
  }
  return rows
}

async function soak(
  chosen: readonly Fault[],
  open: () => Promise<Deployment>,
  watch: Watch,
  seconds: number,
): Promise<Row[]> {
  const endMs = performance.now() + seconds * 1_000
  const rows: Row[] = []
  while (performance.now() < endMs) rows.push(...(await strikeEach([pick(chosen)], open, watch)))
  return rows
}

process.exit(await main())
