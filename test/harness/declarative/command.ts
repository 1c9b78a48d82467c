import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { runDeclarative } from '../../../packages/service/src/main/cli/declarative/main.js'

export interface CommandResult {
  exitCode: number
  out: string
  error: string
}

/** Files of a configuration, and the commands that use them. */
export interface Workspace {
  folder: string
  write(name: string, documents: readonly object[] | string): void
  remove(name: string): void
  run(args: readonly string[], env?: Record<string, string>): Promise<CommandResult>
  /** Applies the whole folder. */
  apply(args?: readonly string[], env?: Record<string, string>): Promise<CommandResult>
  close(): void
}

export function openWorkspace({ address, managerKey }: { address: string; managerKey: string }): Workspace {
  const root = mkdtempSync(join(tmpdir(), 'tallystick-config-'))
  const workspace: Workspace = {
    folder: root,
    write(name, documents) {
      const text =
        typeof documents === 'string' ? documents : documents.map((each) => stringify(each)).join('---\n')
      writeFileSync(join(root, name), text)
    },
    remove: (name) => rmSync(join(root, name)),
    async run(args, env = {}) {
      const result = { out: '', error: '' }
      const exitCode = await runDeclarative(args, {
        env: { TALLYSTICK_URL: address, TALLYSTICK_API_KEY: managerKey, ...env },
        cwd: root,
        out(text) {
          result.out += `${text}\n`
        },
        error(text) {
          result.error += `${text}\n`
        },
      })
      return { exitCode, ...result }
    },
    apply: (args = [], env) => workspace.run(['apply', '-f', root, ...args], env),
    close: () => rmSync(root, { recursive: true, force: true }),
  }
  return workspace
}

/** A document of the files. */
export const describeObject = (kind: string, name: string, spec: object = {}) => ({
  apiVersion: 'tallystick/v1',
  kind,
  metadata: { name },
  spec,
})
