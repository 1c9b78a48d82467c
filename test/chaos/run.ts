import { parseArgs } from 'node:util'
import { pick, seed } from '../harness/run/seed.js'
import type { Seen } from './callers.js'
import { type Fault, faults } from './faults.js'
import { type House, openHouse } from './house.js'

const usage = `npm run chaos -- [options]

Strikes replicas under load with faults, one after the other, and says of each what callers saw, for how long, and what was lost.
  --list          the faults
  --only NAME     only this one; may be repeated
  --seconds N     how long a fault that lasts lasts (5)
  --callers N     how many call at once (12)
  --replicas N    how many serve (3)
  --soak N        faults at random for so many seconds
SEED=N repeats the random choices.`

const print = (text: string) => process.stdout.write(`${text}\n`)
const tell = (text: string) => process.stderr.write(`${text}\n`)

interface Row {
  name: string
  seen: Seen
  recoveredMs: number
  faults: string[]
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      list: { type: 'boolean' },
      help: { type: 'boolean' },
      only: { type: 'string', multiple: true },
      seconds: { type: 'string', default: '5' },
      callers: { type: 'string', default: '12' },
      replicas: { type: 'string', default: '3' },
      soak: { type: 'string' },
    },
  })
  if (values.help) return say(usage)
  if (values.list) return say(faults.map(({ name }) => name).join('\n'))
  const chosen = choose(values.only)
  tell(`SEED=${seed}`)
  const counts = {
    replicas: Number(values.replicas),
    callers: Number(values.callers),
    seconds: Number(values.seconds),
  }
  return values.soak === undefined
    ? await strikeEach(chosen, counts)
    : await soak(chosen, counts, Number(values.soak))
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

/** Each in a house of its own: what is lost is known by the fault that it was lost in. */
async function strikeEach(
  chosen: readonly Fault[],
  counts: Parameters<typeof openHouse>[0],
): Promise<number> {
  print(
    '| fault | callers saw | longest wait for an answer | all replicas answer after | lost |\n|---|---|---|---|---|',
  )
  let failed = 0
  for (const fault of chosen) {
    const house = await openHouse(counts)
    try {
      const row = await strike(house, fault)
      await house.callers.stop()
      row.faults.push(...(await house.audit()))
      if (row.faults.length > 0) failed++
      print(writeRow(row))
    } finally {
      await house.close()
    }
  }
  return failed === 0 ? 0 : 1
}

async function strike(house: House, fault: Fault): Promise<Row> {
  house.callers.take()
  const row: Row = {
    name: fault.name,
    seen: { outcomes: new Map(), longestGapMs: 0 },
    recoveredMs: 0,
    faults: [],
  }
  try {
    await fault.strike(house)
    const endedMs = performance.now()
    await house.recovered()
    row.recoveredMs = performance.now() - endedMs
  } catch (error) {
    row.faults.push(error instanceof Error ? error.message : String(error))
  }
  row.seen = house.callers.take()
  return row
}

async function soak(
  chosen: readonly Fault[],
  counts: Parameters<typeof openHouse>[0],
  seconds: number,
): Promise<number> {
  const house = await openHouse(counts)
  try {
    const endMs = performance.now() + seconds * 1_000
    const wrong: string[] = []
    while (performance.now() < endMs) {
      const row = await strike(house, pick(chosen))
      wrong.push(...row.faults.map((fault) => `${row.name}: ${fault}`))
      print(writeRow(row))
    }
    await house.callers.stop()
    wrong.push(...(await house.audit()))
    print(
      `${house.callers.count} calls were answered, ${house.provider.seen.size} reached the provider; ${wrong.length === 0 ? 'nothing was lost' : wrong.join('\n')}`,
    )
    return wrong.length === 0 ? 0 : 1
  } finally {
    await house.close()
  }
}

function writeRow({ name, seen, recoveredMs, faults }: Row): string {
  const outcomes = [...seen.outcomes]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([outcome, count]) => `${count} × ${outcome}`)
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  return `| ${name} | ${outcomes.join(', ')} | ${seconds(seen.longestGapMs)} | ${seconds(recoveredMs)} | ${faults.length === 0 ? 'nothing' : faults.join('; ')} |`
}

process.exit(await main())
