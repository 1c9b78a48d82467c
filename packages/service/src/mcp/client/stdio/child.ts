import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { McpReach } from '../../../resources/mcp-servers/index.js'
import { errorCode } from '../../../shared/error-code.js'
import { LineSplitter, type OutputLine } from './line-splitter.js'

export type StdioReach = Extract<McpReach, { type: 'stdio' }>

export interface ChildOptions {
  reach: StdioReach
  maxLineBytes: number
  /** A line of what it says on stdout. The next comes when this has been dealt with. */
  onLine(line: OutputLine): Promise<void>
  /** A line of what it says on stderr, without the values of its environment. */
  onStderr(text: string): void
  /** Once. Why, in words. */
  onEnd(why: string): void
}

const graceMs = 5_000
const maxUnreadBytes = 32 * 1024 * 1024
const maxStderrLineBytes = 4_096
const minSecretChars = 6

/** A server as a process of its own, which gets nothing of our environment but the path. */
export class Child {
  readonly #options: ChildOptions
  readonly #process: ChildProcessWithoutNullStreams
  readonly #ended: Promise<void>
  #isOver = false

  constructor(options: ChildOptions) {
    this.#options = options
    const { command, args, env, cwd } = options.reach
    this.#process = spawn(command, [...args], {
      env: { PATH: process.env.PATH, ...env },
      ...(cwd !== null && { cwd }),
      stdio: 'pipe',
      shell: false,
      // A group of its own: commands such as npx start the server as their child, and both must end.
      detached: true,
    })
    this.#ended = new Promise((resolve) => {
      const end = (why: string) => {
        if (!this.#isOver) {
          this.#isOver = true
          // What it has started must not go on without it.
          this.#signal('SIGKILL')
          options.onEnd(why)
        }
        resolve()
      }
      this.#process.on('error', (error) =>
        end(`The program cannot be started (${errorCode(error) ?? 'error'})`),
      )
      this.#process.on('exit', (code, signal) =>
        end(`The process of the server ended (${signal ?? `exit code ${code}`})`),
      )
    })
    this.#process.stdin.on('error', () => undefined)
    void this.#readOutput()
    void this.#readStderr()
  }

  /** False when it does not read what it is sent. */
  write(message: Buffer): boolean {
    const { stdin } = this.#process
    if (this.#isOver || stdin.destroyed || stdin.writableLength > maxUnreadBytes) return false
    stdin.write(Buffer.concat([onOneLine(message), lineEnd]))
    return true
  }

  /** Asks it to end, and ends it if it does not. */
  async stop(): Promise<void> {
    this.#process.stdin.end()
    this.#signal('SIGTERM')
    const kill = setTimeout(() => this.#signal('SIGKILL'), graceMs)
    await this.#ended
    clearTimeout(kill)
    this.#signal('SIGKILL')
  }

  kill(): void {
    this.#signal('SIGKILL')
  }

  async #readOutput(): Promise<void> {
    const splitter = new LineSplitter(this.#options.maxLineBytes)
    try {
      for await (const chunk of this.#process.stdout)
        for (const line of splitter.push(chunk)) await this.#options.onLine(line)
    } catch {
      // What cannot be read is of no use.
      this.kill()
    }
  }

  async #readStderr(): Promise<void> {
    const splitter = new LineSplitter(maxStderrLineBytes)
    const limiter = createLineLimiter()
    const secrets = Object.values(this.#options.reach.env).filter(({ length }) => length >= minSecretChars)
    try {
      for await (const chunk of this.#process.stderr)
        for (const each of splitter.push(chunk)) {
          const leftOut = limiter()
          if (leftOut === null) continue
          if (leftOut > 0) this.#options.onStderr(`… and ${leftOut} lines more`)
          const text = 'line' in each ? each.line.toString() : `${each.tooLong.slice(0, 512)} …`
          this.#options.onStderr(
            secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text),
          )
        }
    } catch {
      // Only the log ends.
      this.#process.stderr.resume()
    }
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#process
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      // It is gone already.
    }
  }
}

const maxLines = 50
const limitedMs = 10_000

/** Null for a line too many; else how many were left out before this one. */
function createLineLimiter(): () => number | null {
  let sinceMs = 0
  let lines = 0
  return () => {
    const nowMs = Date.now()
    const isOver = nowMs - sinceMs >= limitedMs
    if (!isOver && ++lines > maxLines) return null
    if (!isOver) return 0
    const leftOut = Math.max(0, lines - maxLines)
    sinceMs = nowMs
    lines = 1
    return leftOut
  }
}

const lineEnd = Buffer.from('\n')
const [lineFeed, carriageReturn, blank] = [0x0a, 0x0d, 0x20]

/** A message is a line. In JSON, line ends stand between values only, where a blank means the same. */
function onOneLine(message: Buffer): Buffer {
  if (!message.includes(lineFeed) && !message.includes(carriageReturn)) return message
  return Buffer.from(message.map((byte) => (byte === lineFeed || byte === carriageReturn ? blank : byte)))
}
