import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetchKubernetesSchemas } from '../../../scripts/build/fetch-node.mjs'
import { root } from '../service/snippets.js'

export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: tests look into manifests freely
  spec: any
}

/** Kinds of an operator, which are not Kubernetes' own. */
const foreign = ['ServiceMonitor']

/** Returns what Kubernetes would refuse or ignore in the manifests: values by its JSON schemas, unknown fields by the types of them. */
export async function findFaults(manifests: readonly Manifest[]): Promise<string[]> {
  const schemas = fetchKubernetesSchemas()
  if (schemas === null) throw new Error('npm cannot be reached for the schemas of Kubernetes')
  const known = manifests.filter(({ kind }) => !foreign.includes(kind))
  const faults: string[] = []
  for (const manifest of known) {
    const path = join(schemas, manifest.apiVersion, `${manifest.kind}.js`)
    const module = await import(pathToFileURL(path).href)
    try {
      new module[manifest.kind](manifest).validate()
    } catch (error) {
      faults.push(`${manifest.kind}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return [...faults, ...findUnknownFields(known, schemas)]
}

function findUnknownFields(manifests: readonly Manifest[], schemas: string): string[] {
  const lines = manifests.flatMap(({ apiVersion, kind, ...rest }, i) => [
    `import type { I${kind} as T${i} } from 'kubernetes-models/${apiVersion}/${kind}'`,
    `export const m${i}: T${i} = ${JSON.stringify({ apiVersion, kind, ...rest }, null, 1)}`,
  ])
  const file = join(schemas, `../../check-${process.pid}.mts`)
  writeFileSync(file, lines.join('\n'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--pretty', 'false']
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, ['--ignoreConfig', ...options, file], { encoding: 'utf8' })
  rmSync(file)
  return stdout.split('\n').filter(Boolean)
}
