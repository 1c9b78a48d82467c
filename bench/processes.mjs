import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */

const endTimeoutMs = 20_000

/**
 * What must be undone, last thing first, however the run ends.
 * @typedef {object} Cleanup
 * @property {(undo: () => Promise<void>) => void} add
 * @property {() => Promise<void>} run
 */

/**
 * Runs a measurement, and undoes what it built up however it ends: well, by an error, or by a signal.
 * @param {(cleanup: Cleanup) => Promise<void>} run
 */
export async function runAndCleanUp(run) {
  const cleanup = createCleanup()
  let interrupted = false
  function interrupt() {
    interrupted = true
    cleanup.run().then(() => process.exit(130))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  // The reader of a pipe, such as `head`, has closed it.
  process.stdout.on('error', interrupt)
  try {
    await run(cleanup)
  } catch (error) {
    // What breaks off because it is being ended is no news.
    if (!interrupted) console.error(error)
    process.exitCode = 1
  } finally {
    await cleanup.run()
  }
}

/** @returns {Cleanup} */
export function createCleanup() {
  /** @type {(() => Promise<void>)[]} */
  const undos = []
  /** @type {Promise<void> | undefined} */
  let ran
  async function runAll() {
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
      await undo().catch((error) => console.error(error))
    }
  }
  return {
    add: (undo) => void undos.push(undo),
    run() {
      ran ??= runAll()
      return ran
    },
  }
}

/**
 * A program of this folder in a process of its own, which talks over the IPC channel and ends with it.
 * @param {string} name @param {string[]} args @param {Cleanup} cleanup @returns {Promise<{ child: ChildProcess, first: any }>}
 */
export async function startHelper(name, args, cleanup) {
  const program = fileURLToPath(new URL(name, import.meta.url))
  const child = spawn(process.execPath, [program, ...args], {
    ...apart,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  cleanup.add(() => end(child))
  const [first] = await Promise.race([once(child, 'message'), failOnExit(child, name)])
  return { child, first }
}

// A process group of their own: Ctrl-C must reach only the run itself, which then ends them in order.
const apart = { detached: true }

/**
 * A program that says on its output where it listens.
 * @param {{ name: string, args: string[], env: Record<string, string>, listening: RegExp }} program
 * @returns {{ child: ChildProcess, address: Promise<string> }}
 */
export function startServer({ name, args, env, listening }) {
  const child = spawn(process.execPath, args, {
    ...apart,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  /** @type {Promise<string>} */
  const said = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        output += text
        const address = listening.exec(output)?.[1]
        if (address !== undefined) resolve(address)
      })
    }
  })
  const address = Promise.race([said, failOnExit(child, name, () => output)])
  // Whoever starts it waits for it; but a run that is being ended may not get that far.
  address.catch(() => undefined)
  return { child, address }
}

/** @param {ChildProcess} child @param {string} name @returns {Promise<never>} */
async function failOnExit(child, name, output = () => '') {
  const [code, signal] = await once(child, 'exit')
  throw new Error(`${name} ended with ${code ?? signal} before it was ready\n${output()}`)
}

/**
 * Asks a process to end, and makes it when it does not.
 * @param {ChildProcess} child
 */
export async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const impatience = setTimeout(() => child.kill('SIGKILL'), endTimeoutMs)
  await gone
  clearTimeout(impatience)
}

const usPerTick = 10_000

/** Of all its threads, in microseconds; with what the kernel does for it. Steadier than calls per second. @param {number} pid */
export function processorTime(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which is in parentheses and may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * usPerTick
}

/** User and system time of a process with all its threads, in ms. @param {number} pid */
export function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  // In ticks, of which there are 100 a second.
  return 10 * (Number(fields[11]) + Number(fields[12]))
}
