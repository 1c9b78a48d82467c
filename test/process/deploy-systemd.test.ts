import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, test as anyTest, beforeAll, expect } from 'vitest'
import { wholeNumbers } from '../../packages/service/src/config/settings/variable-table.js'
import { closeMs } from '../../packages/service/src/main/cli/shutdown.js'
import { root } from '../harness/service/snippets.js'

const analyze = (...args: string[]) => spawnSync('systemd-analyze', args, { encoding: 'utf8' })
const hasSystemd = analyze('--version').status === 0
if (!hasSystemd && process.env.CI === 'true') throw new Error('systemd-analyze is not installed')
if (!hasSystemd) process.stderr.write('Tests of the unit are skipped: systemd-analyze is not installed\n')
const test = anyTest.skipIf(!hasSystemd)

const unit = readFileSync(join(root, 'deploy/systemd/tallystick.service'), 'utf8')
const guide = readFileSync(join(root, 'docs/deploy/systemd.md'), 'utf8')

let folder: string
let path: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tallystick-unit-'))
  path = join(folder, 'tallystick.service')
  // The program is not installed here, and systemd checks that there is one.
  writeFileSync(path, unit.replace('ExecStart=tallystick', `ExecStart=${process.execPath}`))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('systemd finds no fault in the unit', () => {
  const { status, stderr } = analyze('verify', '--man=no', path)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the exposure that systemd computes is the one that the guide promises', () => {
  const promised = /exposure level of (\d\.\d)/.exec(guide)?.[1]
  const { stdout } = analyze('security', '--offline=true', '--no-pager', path)
  expect(stdout).toContain(`Overall exposure level for tallystick.service: ${promised} OK`)
})

test('systemd waits longer for the end than the service takes for it', () => {
  const seconds = Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1])
  const { TALLYSTICK_DRAIN_MS: drain, TALLYSTICK_SHUTDOWN_GRACE_MS: grace } = wholeNumbers
  expect(seconds * 1000).toBeGreaterThan(drain.fallback + grace.fallback + closeMs)
})
