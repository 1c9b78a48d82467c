import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fetchHelm } from '../build/fetch-node.mjs'
import { root } from '../build/sources.mjs'

const chart = join(root, 'deploy/helm/tallystick')

/** Runs a command of Helm on the chart and returns what it prints. Null where Helm is not available. @param {string[]} args */
export function runHelm(command = 'template', args = []) {
  const helm = fetchHelm()
  if (helm === null) return null
  const name = command === 'template' ? ['tallystick'] : []
  return execFileSync(helm, [command, ...name, chart, '--namespace', 'tallystick', ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Renders the plain manifests: what is applied before each release, and the rest. Null where Helm is not available. */
export function renderManifests() {
  const rendered = runHelm()
  if (rendered === null) return null
  const documents = rendered.split(/^---\n/m).filter((text) => text.trim() !== '')
  const isMigration = (/** @type {string} */ text) => text.includes('templates/migration.yaml')
  const write = (/** @type {string[]} */ texts) =>
    [header, ...texts.map((text) => text.replace(/^# Source: .*\n/, '').replace(/^ +$/gm, ''))].join('---\n')
  return {
    'migrate.yaml': write(documents.filter(isMigration)),
    'tallystick.yaml': write(documents.filter((text) => !isMigration(text))),
  }
}

const header = '# Rendered from deploy/helm/tallystick with its default values by `npm run manifests`.\n'
