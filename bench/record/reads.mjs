import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  exportRecord,
  planExport,
  readConsistencyProof,
  readInclusionProof,
} from '../../packages/service/src/record/index.js'

const verifier = fileURLToPath(
  new URL('../../packages/service/dist/verifier/tallystick-verify.js', import.meta.url),
)
const rounds = 300

/** One after the other, each for another place in the record. */
export async function measureProofs({ db }, { tenantId, entries }) {
  const anySeq = () => 1 + Math.floor(Math.random() * entries)
  return {
    'inclusion proof': await time(() => readInclusionProof(db, tenantId, anySeq())),
    'consistency proof': await time(() => readConsistencyProof(db, tenantId, { from: anySeq() })),
  }
}

async function time(ask) {
  const timesMs = []
  for (let round = 0; round < rounds; round++) {
    const startedMs = performance.now()
    const { state } = await ask()
    if (state !== 'found') throw new Error(`a proof was ${state}`)
    timesMs.push(performance.now() - startedMs)
  }
  timesMs.sort((a, b) => a - b)
  return { p50Ms: timesMs[rounds >> 1], p99Ms: timesMs[Math.floor(rounds * 0.99)] }
}

export async function measureExport({ db, folder }, { tenantId }, write) {
  const path = join(folder, 'export.jsonl')
  const startedMs = performance.now()
  const planned = await planExport(db, tenantId, {})
  if (planned.state !== 'found') throw new Error(`the record was ${planned.state}`)
  const header = planned.value
  await write(exportRecord(db, header), path)
  const ms = performance.now() - startedMs
  return { path, ms, perSecond: (header.toSeq / ms) * 1_000 }
}

/** The program as a stranger runs it, its start included. */
export async function measureVerifier(path) {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [verifier, path, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  await new Promise((resolve) => child.once('close', resolve))
  const ms = performance.now() - startedMs
  const { verdict, results } = JSON.parse(output)
  // No key is given: those of the file are checked all the same.
  if (verdict !== 'consistent') throw new Error(output)
  return { ms, perSecond: (results[0].entries / ms) * 1_000, seals: results[0].seals }
}
