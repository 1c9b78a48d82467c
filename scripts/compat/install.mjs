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
 * The newest version of some packages, in a folder of their own; the newest of another one, where that is named. Says why when that is
 * not to be had.
 * @param {string} name @param {readonly string[]} packages @param {string} [versionOf]
 * @returns {{ folder: string, versions: string[] } | { fault: string }}
 */
export function install(name, packages, versionOf) {
  if (clientNode === null) return { fault: 'npm has no Node 24 for this platform, or cannot be reached' }
  const place = join(folder, name)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{"private":true}\n')
  const version =
    versionOf === undefined ? 'latest' : npm(place, ['view', versionOf, 'version']).stdout.trim()
  const wanted = packages.map((each) => `${each}@${version}`)
  const { status, stderr } = npm(place, ['install', '--no-audit', '--no-fund', '--no-save', ...wanted])
  if (status !== 0)
    return {
      fault: `does not install: ${/error (notarget|code) .*/.exec(stderr)?.[0] ?? stderr.slice(-200)}`,
    }
  return { folder: place, versions: packages.map((each) => `${each} ${versionIn(place, each)}`) }
}

/** @param {string} place @param {readonly string[]} args */
const npm = (place, args) =>
  spawnSync(
    clientNode ?? '',
    [createRequire(import.meta.url).resolve(process.env.npm_execpath ?? ''), ...args],
    {
      cwd: place,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${dirname(clientNode ?? '')}:${process.env.PATH}` },
    },
  )

/** @param {string} place @param {string} name */
const versionIn = (place, name) =>
  JSON.parse(readFileSync(join(place, 'node_modules', name, 'package.json'), 'utf8')).version
