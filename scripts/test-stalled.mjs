// `npm run test:stalled [-- vitest arguments]` runs the tests while processes of the run (workers, programs, Postgres, Redis, browsers) stand
// still at random, for up to three seconds each, as they do on a machine that has too much to do. A test that fails only here asks for speed.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildIfChanged } from './build/build-if-changed.mjs'
import { root } from './build/sources.mjs'

const maxStallMs = 3_000
const maxRestMs = 3_000
const maxAtOnce = 3

if (process.platform !== 'linux') {
  console.error('npm run test:stalled finds the processes of the run in /proc: it needs Linux')
  process.exit(2)
}
await buildIfChanged()
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const tests = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal))
const exited = new Promise((resolve) => tests.once('exit', resolve))
let isOver = false
void exited.then(() => {
  isOver = true
})

let stalls = 0
while (!isOver) {
  await stallSome()
  await Promise.race([exited, pause(Math.random() * maxRestMs)])
}
console.error(`${stalls} times a process stood still`)
process.exit((await exited) ?? 1)

async function stallSome() {
  const processes = listProcesses()
  const candidates = descendantsOf(tests.pid, processes).filter(({ state }) => state !== 'T' && state !== 'Z')
  const chosen = []
  for (let i = Math.ceil(Math.random() * maxAtOnce); i > 0 && candidates.length > 0; i--)
    chosen.push(...candidates.splice(Math.floor(Math.random() * candidates.length), 1))
  const stalled = chosen.filter(({ pid }) => send(pid, 'SIGSTOP'))
  stalls += stalled.length
  await pause(Math.random() * maxStallMs)
  for (const { pid } of stalled) send(pid, 'SIGCONT')
}

function send(pid, name) {
  try {
    return process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
    return false
  }
}

function listProcesses() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      // The name of the program, in parentheses, may contain blanks and parentheses itself.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return [{ pid: Number(name), parent: Number(parent), state }]
    } catch {
      return []
    }
  })
}

function descendantsOf(pid, processes) {
  const children = processes.filter(({ parent }) => parent === pid)
  return [...children, ...children.flatMap((child) => descendantsOf(child.pid, processes))]
}
