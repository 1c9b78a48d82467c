// `npm run compat`: real clients against the built service, with a provider that keeps what arrives. Each chats, streams, uses a tool, hangs
// up, sends a long prompt and calls in parallel; what it sent must have arrived byte for byte, less what the guide says is changed, and
// what was answered must have come back. Needs the npm registry. `npm run compat -- Codex openai` runs those whose names begin so.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { root } from './build/sources.mjs'
import { agents } from './compat/commands.mjs'
import { compareAll } from './compat/compare.mjs'
import { clientNode, install } from './compat/install.mjs'
import { tryMcpClients } from './compat/mcp.mjs'
import { startRecorder } from './compat/recorder.mjs'
import { scenarios } from './compat/scenarios.mjs'
import { startService } from './compat/service.mjs'
import { startUpstream } from './compat/upstream.mjs'

const libraries = {
  openai: { packages: ['openai'], names: ['openai chat', 'openai responses'] },
  anthropic: { packages: ['@anthropic-ai/sdk'], names: ['anthropic messages'] },
  vercel: {
    packages: ['ai', '@ai-sdk/openai', '@ai-sdk/anthropic'],
    names: ['vercel openai', 'vercel openai chat', 'vercel anthropic'],
  },
  langchain: {
    packages: ['@langchain/core', '@langchain/openai', '@langchain/anthropic'],
    names: ['langchain openai', 'langchain anthropic'],
  },
}

const wanted = process.argv.slice(2)
const isWanted = (name) =>
  wanted.length === 0 || wanted.some((word) => name.toLowerCase().startsWith(word.toLowerCase()))

await buildIfChanged()
const upstream = await startUpstream()
const service = await startService(upstream.url)
const recorder = await startRecorder(service.url)
/** @type {{ client: string, scenario: string, result: string, calls: number, cachedBytes: number, notes: string[] }[]} */
const rows = []
try {
  for (const { packages, names } of Object.values(libraries)) {
    const chosen = names.filter(isWanted)
    if (chosen.length > 0) await tryClients(chosen, packages, runLibrary)
  }
  for (const [name, { packages, versionOf }] of Object.entries(agents))
    if (isWanted(name)) await tryClients([name], packages, runAgent, versionOf)
  await checkRecord()
  rows.push(...(await tryMcpClients(isWanted)))
} finally {
  recorder.close()
  await service.stop()
  upstream.close()
}
printTable()
process.exit(rows.every(({ result }) => result === 'same') ? 0 : 1)

/**
 * @param {string[]} names @param {string[]} packages @param {(name: string, scenario: string, folder: string) => Promise<void>} run
 * @param {string} [versionOf]
 */
async function tryClients(names, packages, run, versionOf) {
  const installed = install(packages[0]?.replace(/\W+/g, '-') ?? '', packages, versionOf)
  if ('fault' in installed) {
    for (const client of names)
      rows.push({ client, scenario: 'install', result: installed.fault, calls: 0, cachedBytes: 0, notes: [] })
    return
  }
  console.error(`${installed.versions.join(', ')} installed`)
  for (const client of names)
    for (const scenario of Object.keys(scenarios)) {
      const [sentBefore, arrivedBefore] = [recorder.sent.length, upstream.arrived.length]
      const fault = await run(client, scenario, installed.folder).then(
        () => null,
        (error) => error.message,
      )
      const sent = recorder.sent.slice(sentBefore)
      const arrived = upstream.arrived.slice(arrivedBefore)
      if (scenario === 'abort')
        await seen('the end of a call that was hung up', () => arrived.every(({ over }) => over))
      const { differences, notes, calls, cachedBytes } = compareAll(sent, arrived)
      const faults = [...(fault === null ? [] : [fault]), ...differences]
      // What stands in messages of a socket is written anew for the provider: no bytes to compare, but calls that arrive.
      const made = agents[client]?.overWebSocket ? arrived.length : calls
      if (made === 0) faults.push('the client made no call')
      if (scenario === 'abort' && !arrived.some(({ closed }) => closed))
        faults.push('the call was not ended at the provider')
      rows.push({ client, scenario, result: faults.join('; ') || 'same', calls: made, cachedBytes, notes })
      console.error(`${client}, ${scenario}: ${faults.join('; ') || 'same'}`)
    }
}

/** In a process of its own, on its own Node. */
async function runLibrary(library, scenario, folder) {
  const options = JSON.stringify({ library, scenario, folder, url: recorder.url, key: service.key })
  const child = spawn(clientNode ?? '', [join(root, 'scripts/compat/sdk-client.mjs'), options], {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  })
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`ended with ${code}: ${errors.replace(/\s+/g, ' ').slice(0, 600)}`)
}

async function runAgent(name, scenario, folder) {
  const arrivedBefore = upstream.arrived.length
  const hasArrived = (word) => () =>
    upstream.arrived.slice(arrivedBefore).some(({ body }) => body.includes(word))
  const arrival = (word) => seen(`a request with ${word}`, hasArrived(word))
  const client = agents[name]?.adapter({ folder, url: recorder.url, key: service.key, arrival })
  if (client) await scenarios[scenario]?.(client)
}

/** Every request that reached the provider has its receipt, and nothing else has one. */
async function checkRecord() {
  const forwarded = upstream.arrived.filter(({ path }) => !path.includes('count_tokens')).length
  const recorded = async () => (await service.calls()).length
  let calls = 0
  await seen('a receipt for every call', async () => {
    calls = await recorded()
    return calls >= forwarded
  }).catch(() => undefined)
  const result = calls === forwarded ? 'same' : `${calls} calls on record, ${forwarded} at the provider`
  rows.push({ client: 'record', scenario: 'receipts', result, calls, cachedBytes: 0, notes: [] })
}

/** @param {string} what @param {() => boolean | Promise<boolean>} isSo */
async function seen(what, isSo) {
  const deadline = Date.now() + 60_000
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function printTable() {
  const width = Math.max(...rows.map(({ client }) => client.length))
  console.log(`${'client'.padEnd(width)}  scenario   calls  cached bytes  result`)
  for (const { client, scenario, result, calls, cachedBytes, notes } of rows) {
    const words = [result, ...notes.map((note) => `(${note})`)].join(' ')
    console.log(
      `${client.padEnd(width)}  ${scenario.padEnd(9)}  ${String(calls).padStart(5)}  ${String(cachedBytes).padStart(12)}  ${words}`,
    )
  }
  const failed = rows.filter(({ result }) => result !== 'same').length
  console.log(failed === 0 ? 'All of it arrived as it was sent.' : `${failed} of ${rows.length} differ.`)
}
