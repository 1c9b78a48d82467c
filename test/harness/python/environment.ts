import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../service/snippets.js'

/** What building and running the Python SDK needs. Debian has all of it as packages. */
const modules = 'httpx, cryptography, flit_core, ensurepip'

/** Returns a Python that has what is needed, or null. The one of the system comes first: apt-get installs modules for it. */
export function findPython(): string | null {
  const isUsable = (program: string) => spawnSync(program, ['-c', `import ${modules}`]).status === 0
  return ['/usr/bin/python3', 'python3'].find(isUsable) ?? null
}

export const pythonPackage = join(root, 'packages/python')

/** Installs the wheel into an empty environment, which has the modules of the system, and returns its Python. */
export function installWheel(python: string, folder: string): string {
  const environment = join(mkdtempSync(join(folder, 'environment-')), 'venv')
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'))
  if (!wheel) throw new Error(`No wheel in ${folder}`)
  execFileSync(python, ['-m', 'venv', '--system-site-packages', environment])
  const installed = join(environment, 'bin/python')
  execFileSync(installed, ['-m', 'pip', 'install', '--quiet', '--no-index', join(folder, wheel)])
  return installed
}
