import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { propertyRuns } from '../../../../test/harness/run/property-runs.js'
import { random } from '../../../../test/harness/run/seed.js'
import {
  chooseFaults,
  combine,
  isAbout,
  type SettingFault,
  settingFaults,
  settingsInTable,
} from '../../../../test/harness/settings/setting-faults.js'
import { readToStart } from '../main/cli/read-to-start.js'
import { readConfigWithSecrets } from '../main/index.js'
import { vendorRules } from '../providers/index.js'
import { openSecretReader } from '../secret-stores/index.js'
import { ConfigError } from './index.js'
import { cloudVariables, vaultVariables } from './settings/secrets/cloud-variables.js'
import { namesOfFields } from './settings/setting-names.js'
import { variables, wholeNumbers } from './settings/variable-table.js'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tallystick-faults-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

async function reportOf(faults: readonly SettingFault[]): Promise<string[]> {
  const { env, yaml } = combine(faults, { TALLYSTICK_PORT: '0' })
  writeFileSync(join(cwd, 'tallystick.yaml'), yaml)
  const source = { env, cwd }
  const secrets = openSecretReader(source.env, cwd)
  try {
    await readToStart(
      () => readConfigWithSecrets(source, secrets),
      source,
      () => [],
    )
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

test.each(settingFaults)('$setting with $env $file is a fault', async (fault) => {
  const report = await reportOf([fault])
  const follows = (line: string) => fault.follows?.some((words) => line.includes(words)) ?? false
  expect(report.filter((line) => !isAbout(fault, line) && !follows(line))).toEqual([])
  expect(report.some((line) => isAbout(fault, line))).toBe(true)
})

test('any faults that there are at once are in one report, each with its setting, and nothing is created', async () => {
  for (let run = 0; run < propertyRuns; run++) {
    const faults = chooseFaults(2 + Math.floor(random() * 20))
    const report = await reportOf(faults)
    const missing = faults.filter((fault) => !report.some((line) => isAbout(fault, line)))
    expect(missing, report.join('\n')).toEqual([])
    expect(new Set(report).size).toBe(report.length)
    expect(readdirSync(cwd)).toEqual(['tallystick.yaml'])
  }
})

test('the table has every variable that is read', () => {
  const prefixes = [...vendorRules.types.values()].flatMap(({ environmentPrefix }) => environmentPrefix ?? [])
  const read = [
    ...Object.keys({ ...variables, ...wholeNumbers, ...cloudVariables, ...vaultVariables }),
    ...prefixes.flatMap((prefix) => [`${prefix}_API_KEY`, `${prefix}_BASE_URL`]),
  ]
  expect([...new Set(settingsInTable)].sort()).toEqual(read.sort())
})

test('every variable has a field that messages about a reload name', () => {
  const named = Object.values(namesOfFields).flatMap((names) => names.split(', '))
  const isNamed = (variable: string) =>
    named.some((name) => (name.endsWith('*') ? variable.startsWith(name.slice(0, -1)) : name === variable))
  // What a section of the file is named by, and where the file is.
  const ofFile = ['TALLYSTICK_CONFIG', 'TALLYSTICK_OIDC_CLIENT_SECRET', 'TALLYSTICK_PACKS_DIR']
  const others = [...ofFile, 'TALLYSTICK_ANCHOR_FILE', 'TALLYSTICK_ANCHOR_TSA_URL']
  expect(
    Object.keys({ ...variables, ...wholeNumbers })
      .filter((name) => !isNamed(name))
      .sort(),
  ).toEqual(
    [
      ...others,
      'NODE_EXTRA_CA_CERTS',
      'TALLYSTICK_CALLS_RETENTION_DAYS',
      'TALLYSTICK_PROXY_RESOLVES_NAMES',
    ].sort(),
  )
})
