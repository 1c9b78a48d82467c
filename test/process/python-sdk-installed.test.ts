import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildPython } from '../../scripts/sdk/build-python.mjs'
import { findPython, installWheel, pythonPackage } from '../harness/python/environment.js'
import { startTestService, type TestService } from '../harness/service/service.js'

// The wheel of the Python SDK, installed into an empty environment, against a service. In CI, .ci/run installs what it needs.

const run = promisify(execFile)
const python = findPython()

const expected = {
  kept: [5, 1_000],
  names: ['b', 'a'],
  status: 'revoked',
  refusal: ['invalid_request', 400, true, ['name', 'rpmLimit']],
  once: true,
  csv: true,
  exported: 'tallystick-export',
  checkpoint: true,
  events: ['hello'],
  webhook: 'webhook.test',
}

describe.skipIf(python === null && !process.env.CI)('the Python SDK', () => {
  let folder: string
  let installed: string
  let service: TestService

  beforeAll(async () => {
    if (python === null)
      throw new Error('No Python with httpx, cryptography, flit_core and ensurepip was found')
    folder = await mkdtemp(join(tmpdir(), 'tallystick-python-'))
    buildPython(folder, python)
    installed = installWheel(python, folder)
    service = await startTestService()
    await service.api.post('/v1/chat/completions', {
      model: 'mock/echo',
      messages: [{ role: 'user', content: 'one' }],
    })
  })
  afterAll(async () => {
    await service?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const runTest = async (name: string, environment: Record<string, string> = {}) =>
    await run(installed, [join(pythonPackage, 'tests', name)], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...environment },
    })

  test('two builds are the same bytes', async () => {
    const again = await mkdtemp(join(folder, 'again-'))
    const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
    for (const name of buildPython(again, python ?? ''))
      expect(digest(join(again, name))).toBe(digest(join(folder, name)))
    expect(readdirSync(again)).toHaveLength(2)
  })

  test('both clients do the same', async () => {
    const given = { baseUrl: service.address, apiKey: service.managerKey }
    const { stdout } = await runTest('journey.py', { JOURNEY: JSON.stringify(given) })
    expect(JSON.parse(stdout)).toEqual([expected, expected])
  })

  test.each(['test_client.py', 'test_webhooks.py'])('%s passes', async (name) => {
    const { stderr } = await runTest(name)
    expect(stderr).toMatch(/^Ran [1-9]\d* tests? in .*\n\nOK\n$/m)
  })

  test('the examples of its README run', async () => {
    const readme = readFileSync(join(pythonPackage, 'README.md'), 'utf8')
    const examples = [...readme.matchAll(/^```python\n([\s\S]*?)^```$/gm)]
    expect(examples.length).toBeGreaterThan(2)
    for (const [, code = ''] of examples)
      await run(installed, ['-c', code], {
        cwd: folder,
        env: { TALLYSTICK_URL: service.address, TALLYSTICK_KEY: service.managerKey },
      })
  })

  const hasMypy = spawnSync('mypy', ['--version']).status === 0
  test.skipIf(!hasMypy && !process.env.CI)('its types are strict', async () => {
    writeFileSync(join(folder, 'typed.py'), typedProgram)
    const args = ['--strict', '--python-version', '3.9', '--python-executable', installed, 'typed.py']
    const { stdout } = await run('mypy', args, { cwd: folder }).catch((error) => error)
    expect(stdout).toContain('Success')
  })
})

const typedProgram = `from tallystick import AsyncTallystick, Tallystick
from tallystick.types import Call, Key
from tallystick.verify import verify_export, verify_receipt

tallystick = Tallystick('http://127.0.0.1', 'x', timeout=5)
key: Key = tallystick.get_key('key_1')
names = [each['name'].strip() for each in tallystick.list_keys(status='active')]
tallystick.create_key({'name': 'x', 'rpmLimit': 5}, idempotency_key='one')
tallystick.create_key({'name': 'x', 'rpmlimit': 5})  # type: ignore
tallystick.get_key()  # type: ignore[call-arg]
tallystick.list_keys(status='unknown')  # type: ignore[arg-type]
keys = tallystick.get_signing_keys()
receipt = verify_receipt(tallystick.get_receipt(1), tallystick.get_inclusion_proof(1), keys)
faults = [each['fault']['kind'] for each in verify_export(tallystick.export_record(), keys).findings if each['fault']]
for event in tallystick.stream_events():
    if event['event'] == 'call':
        call: str = event['data']['requestId']


async def read(client: AsyncTallystick) -> Call:
    page = await client.list_calls(model='x').first()
    return page.data[0]
`
