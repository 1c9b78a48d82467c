import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CommandResult } from './command.js'

const built = fileURLToPath(new URL('../../../packages/service/dist/verifier', import.meta.url))

/** The verifier alone in a folder without node_modules, with some files to check. */
export interface VerifierFolder {
  program: string
  filesDir: string
  write(name: string, content: string | Buffer | readonly string[]): Promise<void>
  /** Runs the verifier with Node in another folder, without settings. */
  run(args: string[], input?: string | Buffer): Promise<CommandResult>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into verdicts freely
  runJson(args: string[]): Promise<{ exitCode: number | null } & Record<string, any>>
  remove(): Promise<void>
}

export async function openVerifierFolder(): Promise<VerifierFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-verify-'))
  await cp(built, join(folder, 'verifier'), { recursive: true })
  const program = join(folder, 'verifier', 'tallystick-verify.js')
  const filesDir = join(folder, 'files')
  await mkdir(filesDir)

  const run: VerifierFolder['run'] = (args, input) =>
    new Promise((resolve) => {
      const options = { cwd: filesDir, env: {} }
      const child = execFile(process.execPath, [program, ...args], options, (_, stdout, stderr) =>
        resolve({ exitCode: child.exitCode, stdout, stderr }),
      )
      child.stdin?.end(input)
    })

  return {
    program,
    filesDir,
    run,
    async write(name, content) {
      const isLines = typeof content !== 'string' && !Buffer.isBuffer(content)
      await writeFile(join(filesDir, name), isLines ? content.map((line) => `${line}\n`).join('') : content)
    },
    async runJson(args) {
      const { exitCode, stdout } = await run([...args, '--json'])
      return { exitCode, ...JSON.parse(stdout) }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
