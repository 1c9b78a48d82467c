import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as anyTest, expect } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { wholeNumbers } from '../../packages/service/src/config/settings/variable-table.js'
import { closeMs } from '../../packages/service/src/main/cli/shutdown.js'
import { renderManifests, runHelm } from '../../scripts/helm/chart.mjs'
import { listKnownVariables } from '../harness/deploy/known-variables.js'
import { findFaults, type Manifest } from '../harness/deploy/kubernetes.js'
import { root } from '../harness/service/snippets.js'

const hasHelm = runHelm('lint') !== null
if (!hasHelm && process.env.CI === 'true') throw new Error('npm has no Helm for this platform')
const test = anyTest.skipIf(!hasHelm)

const read = (text: string): Manifest[] => parseAllDocuments(text).flatMap((each) => each.toJS() ?? [])
const render = (...options: string[]) =>
  read(
    runHelm(
      'template',
      options.flatMap((option) => ['--set-json', option]),
    ) ?? '',
  )
const find = (manifests: Manifest[], kind: string) => manifests.find((each) => each.kind === kind)

const everything = [
  'config="models: {}"',
  'ingress={"enabled":true,"host":"ai.example.com","tlsSecret":"tls","className":"nginx"}',
  'autoscaling={"enabled":true}',
  'serviceMonitor={"enabled":true,"labels":{"release":"prometheus"}}',
  'networkPolicy={"from":[{"namespaceSelector":{}}]}',
  'trustedProxies=["10.0.0.0/8"]',
  'serviceAccountName="ai"',
  'nodeSelector={"kubernetes.io/os":"linux"}',
  'tolerations=[{"key":"ai","operator":"Exists"}]',
  'imagePullSecrets=[{"name":"registry"}]',
]

test('Kubernetes would take what the chart renders, with default values and with everything turned on', async () => {
  const [few, all] = [render(), render(...everything)]
  expect(few.map(({ kind }) => kind).toSorted()).toEqual([
    ...['Deployment', 'Job', 'NetworkPolicy', 'PodDisruptionBudget', 'Service'],
  ])
  expect(all.length - few.length).toBe(4)
  expect(await findFaults([...few, ...all])).toEqual([])
})

test('what Kubernetes would refuse or ignore is found', async () => {
  const deployment = find(render(), 'Deployment')
  if (deployment === undefined) throw new Error('no deployment')
  deployment.spec.replicas = 'two'
  deployment.spec.template.spec.contianers = []
  const faults = (await findFaults([deployment])).join('\n')
  expect(faults).toContain('replicas')
  expect(faults).toContain('contianers')
})

test('the plain manifests are those that the chart renders', () => {
  for (const [name, text] of Object.entries(renderManifests() ?? {}))
    expect(readFileSync(join(root, 'deploy/kubernetes', name), 'utf8')).toBe(text)
})

test.for([
  ['replicaCount="two"', 'replicaCount'],
  ['replicas=3', 'replicas'],
  ['secretVariables={"DATABASE_URL":null}', 'DATABASE_URL'],
  ['ingress={"enabled":true}', 'ingress.host is required'],
])('the value %s is refused', ([value = '', message = '']) => {
  expect(() => runHelm('template', ['--set-json', value])).toThrow(message)
})

test('pods get variables that the configuration has, and longer to end than they take', () => {
  const known = listKnownVariables()
  for (const manifest of render(...everything).filter(({ kind }) => ['Deployment', 'Job'].includes(kind))) {
    const [container] = manifest.spec.template.spec.containers
    const names = container.env.map(({ name }: { name: string }) => name)
    expect(names.filter((name: string) => !known.has(name))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    // A Service called tallystick would set TALLYSTICK_PORT to its own address.
    expect(manifest.spec.template.spec.enableServiceLinks).toBe(false)
  }
  const { TALLYSTICK_DRAIN_MS: drain, TALLYSTICK_SHUTDOWN_GRACE_MS: grace } = wholeNumbers
  const seconds = find(render(), 'Deployment')?.spec.template.spec.terminationGracePeriodSeconds
  expect(seconds * 1000).toBeGreaterThan(drain.fallback + grace.fallback + closeMs)
})
