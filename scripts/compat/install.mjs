import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fetchNode } from '../build/fetch-node.mjs'
import { root } from '../build/sources.mjs'

const folder = join(root, '.cache', 'compat')

/** What the clients run on: theirs is newer than the oldest that the service runs on. */
export const clientNode = fetchNode('24')

/**
 * The newest version of some packages, in a folder of their own. Says why when that is not to be had.
 * @param {string} name @param {readonly string[]} packages
 * @returns {{ folder: string, versions: string[] } | { fault: string }}
 */
export function install(name, packages) {
  if (clientNode === null) return { fault: 'npm has no Node 24 for this platform, or cannot be reached' }
  const place = join(folder, name)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{"private":true}\n')
  const wanted = packages.map((each) => `${each}@latest`)
  const npm = createRequire(import.meta.url).resolve(process.env.npm_execpath ?? '')
  const { status, stderr } = spawnSync(
    clientNode,
    [npm, 'install', '--no-audit', '--no-fund', '--no-save', ...wanted],
    {
      cwd: place,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${dirname(clientNode)}:${process.env.PATH}` },
    },
  )
  if (status !== 0)
    return {
      fault: `does not install: ${/error (notarget|code) .*/.exec(stderr)?.[0] ?? stderr.slice(-200)}`,
    }
  return { folder: place, versions: packages.map((each) => `${each} ${versionOf(place, each)}`) }
}

/** @param {string} place @param {string} name */
const versionOf = (place, name) =>
  JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8')).version
