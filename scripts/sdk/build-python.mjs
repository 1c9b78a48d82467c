// `node build-python.mjs FOLDER` builds the wheel and the source distribution of the Python SDK into a folder. It needs Python with
// flit_core, such as Debian's package `flit`. The same sources give the same bytes.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

const program = `
import sys
from flit_core import buildapi
for build in (buildapi.build_wheel, buildapi.build_sdist):
    print(build(sys.argv[1]))
`

/** Returns the names of the files. @param {string} target folder @param {string} python */
export function buildPython(target, python) {
  mkdirSync(target, { recursive: true })
  const git = ['log', '-1', '--format=%ct', '--', 'packages/python']
  const date =
    process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', git, { cwd: root, encoding: 'utf8' }).trim()
  const printed = execFileSync(python, ['-c', program, resolve(target)], {
    cwd: fileURLToPath(new URL('packages/python/', `file://${root}`)),
    env: { ...process.env, SOURCE_DATE_EPOCH: date || '315532800' },
    encoding: 'utf8',
  })
  return printed.trim().split('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of buildPython(process.argv[2] ?? '.', process.env.PYTHON ?? 'python3')) console.log(name)
