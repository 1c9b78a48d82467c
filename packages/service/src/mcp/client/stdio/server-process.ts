import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { McpTransport } from '../../../resources/mcp-servers/index.js'
import { errorCode } from '../../../shared/error-code.js'
import { LineSplitter, type OutputLine } from './line-splitter.js'

export type StdioTransport = Extract<McpTransport, { type: 'stdio' }>

export interface ServerProcessOptions {
  transport: StdioTransport
  maxLineBytes: number
  /** Called with each line of stdout. The next line follows once the returned promise resolves. */
  onLine(line: OutputLine): Promise<void>
  /** Called with lines of stderr, in which the values of its environment are hidden. */
  onStderr(text: string): void
  /** Called once, with a message that says why the process ended. */
  onEnd(why: string): void
}

const graceMs = 5_000
const maxUnreadBytes = 32 * 1024 * 1024
const maxStderrLineBytes = 4_096
const minSecretChars = 6

/** The process of a server. Of our environment it receives only `PATH`. */
export class ServerProcess {
  readonly #options: ServerProcessOptions
  readonly #process: ChildProcessWithoutNullStreams
  readonly #ended: Promise<void>
  #isOver = false

  constructor(options: ServerProcessOptions) {
    this.#options = options
    const { command, args, env, cwd } = options.transport
    this.#process = spawn(command, [...args], {
      env: { PATH: process.env.PATH, ...env },
      ...(cwd !== null && { cwd }),
      stdio: 'pipe',
      shell: false,
      // With a process group of its own, because commands such as npx start the server as a child and both must be ended.
      detached: true,
    })
    this.#ended = new Promise((resolve) => {
      const end = (why: string) => {
        if (!this.#isOver) {
          this.#isOver = true
          // Its child processes must not outlive it.
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

  /** Writes a message. Returns false when the process has ended or does not read its input. */
  write(message: Buffer): boolean {
    const { stdin } = this.#process
    if (this.#isOver || stdin.destroyed || stdin.writableLength > maxUnreadBytes) return false
    stdin.write(Buffer.concat([onOneLine(message), lineEnd]))
    return true
  }

  /** Asks the process to end, and kills it when it does not end in time. */
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
      // A process whose output cannot be read cannot answer requests.
      this.kill()
    }
  }

  async #readStderr(): Promise<void> {
    const splitter = new LineSplitter(maxStderrLineBytes)
    const limiter = createLineLimiter()
    const secrets = Object.values(this.#options.transport.env).filter(
      ({ length }) => length >= minSecretChars,
    )
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
      // Only the log is lost. The rest of stderr is discarded, so that the process does not block.
      this.#process.stderr.resume()
    }
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#process
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch {
      // The process has already ended.
    }
  }
}

const maxLines = 50
const limitedMs = 10_000

/** Returns a function that is called for each line. It returns null to omit the line, otherwise how many were omitted before it. */
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

/** Replaces line breaks by blanks, because a message must be one line. Strings in JSON contain none. */
function onOneLine(message: Buffer): Buffer {
  if (!message.includes(lineFeed) && !message.includes(carriageReturn)) return message
  return Buffer.from(message.map((byte) => (byte === lineFeed || byte === carriageReturn ? blank : byte)))
}
