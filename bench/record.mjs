// How fast the record is written, proven, exported and verified, and whether it slows down as it grows. README.md says
// how to read it.
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { startRecordDatabase } from './database.mjs'
import { runAndCleanUp } from './processes.mjs'
import { measureAppends } from './record/appends.mjs'
import { measureBytes } from './record/bytes.mjs'
import { fillTable } from './record/filler.mjs'
import { measureExport, measureProofs, measureVerifier } from './record/reads.mjs'
import { describeMachine } from './report.mjs'

const usage = `Usage: npm run bench:record -- [options]
  --seconds N     how long appends are measured each time (4)
  --rows N,N      sizes of the table between which appends must not slow down (0,200000,1000000)
  --entries N     length of the record that is proven, exported and verified, at least (50000)
  --json          print JSON`

/** @param {import('./processes.mjs').Cleanup} cleanup */
async function run(cleanup) {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '4' },
      rows: { type: 'string', default: '0,200000,1000000' },
      entries: { type: 'string', default: '50000' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) return console.log(usage)
  const seconds = Number(values.seconds)
  const place = await startRecordDatabase(cleanup)

  const alone = await measureAppends(place, { tenants: 1, seconds })
  const storage = await measureBytes(place)
  const appends = [alone, await measureAppends(place, { tenants: 50, seconds })]
  const growth = []
  for (const rows of values.rows.split(',').map(Number)) {
    await fillTable(place, rows)
    growth.push({ rows, ...(await measureAppends(place, { tenants: 1, seconds, seqFrom: rows })) })
  }
  const record = { tenantId: alone.tenantIds[0], entries: alone.perTenant }
  while (record.entries < Number(values.entries)) {
    const more = await measureAppends(place, { tenants: 1, seconds, tenantIds: [record.tenantId] })
    record.entries = more.perTenant
  }
  const proofs = await measureProofs(place, record)
  const exported = await measureExport(place, record, (lines, path) =>
    pipeline(lines, createWriteStream(path)),
  )
  const verified = await measureVerifier(exported.path)
  const bytes = (await stat(exported.path)).size

  const results = {
    ...describeMachine(),
    appends,
    storage,
    growth,
    record,
    proofs,
    exported,
    verified,
    bytes,
  }
  console.log(values.json ? JSON.stringify(results, null, 2) : format(results))
}

function format({ cores, node, appends, storage, growth, record, proofs, exported, verified, bytes }) {
  const perSecond = (count) => Math.round(count).toLocaleString('en').padStart(8)
  const lines = [
    `${cores} cores, Node ${node}`,
    '',
    ...appends.map(
      (each) =>
        `append, ${String(each.tenants).padStart(2)} tenant${each.tenants === 1 ? ' ' : 's'}  ${perSecond(each.perSecond)}/s   groups of ${each.groupSize.toFixed(0)}`,
    ),
    `bytes per receipt: ${storage.bytes.map(({ table, heap, indexes }) => `${table} ${heap.toFixed(0)} + ${indexes.toFixed(0)} of indexes`).join(', ')}`,
    `goal: 10,000/s for one tenant: ${appends[0].perSecond >= 10_000 ? 'met' : 'not met'}`,
    '',
    ...growth.map(
      (each) =>
        `append behind ${each.rows.toLocaleString('en').padStart(10)} rows  ${perSecond(each.perSecond)}/s   ${(each.perSecond / growth[0].perSecond).toFixed(2)} of the first`,
    ),
    '',
    `record of ${record.entries.toLocaleString('en')} entries, ${(bytes / 1e6).toFixed(0)} MB exported`,
    ...Object.entries(proofs).map(
      ([name, { p50Ms, p99Ms }]) =>
        `${name.padEnd(18)}  p50 ${p50Ms.toFixed(2)} ms   p99 ${p99Ms.toFixed(2)} ms`,
    ),
    `export              ${perSecond(exported.perSecond)}/s   ${(bytes / exported.ms / 1e3).toFixed(0)} MB/s`,
    `verify              ${perSecond(verified.perSecond)}/s   ${(bytes / verified.ms / 1e3).toFixed(0)} MB/s`,
  ]
  return lines.join('\n')
}

await runAndCleanUp(run)
