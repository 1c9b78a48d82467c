import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandRows } from './commands.js'
import { completionScript, shells } from './completion.js'
import { describeCommand } from './help.js'

/** What bash offers for the last word. */
function complete(...words: string[]): string[] {
  const script = `${completionScript('bash')}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tallystick; printf '%s\\n' "\${COMPREPLY[@]}"`
  const output = execFileSync('bash', ['-c', script, 'bash', 'tallystick', ...words], { encoding: 'utf8' })
  return output.split('\n').filter(Boolean)
}

describe('bash completes', () => {
  test.each([
    [['mi'], ['migrate']],
    [
      ['record', ''],
      ['drop', 'accept-restore'],
    ],
    [['migrate', '--p'], ['--plan']],
    [['signing-key', 'retire', 'abc', '--c'], ['--compromised']],
    [
      ['key', 'create', '--role', ''],
      ['member', 'auditor', 'manager'],
    ],
    [['key', 'create', '--role', 'auditor', '--te'], ['--tenant']],
    [['completion', 'z'], ['zsh']],
    // Names of files are left to the shell.
    [['record', 'drop', '--export', ''], []],
  ])('%j', (words, expected) => {
    expect(complete(...words)).toEqual(expected)
  })

  test('every command and every option of it', () => {
    for (const { name, options = [] } of commandRows) {
      const words = name.split(' ')
      for (let i = 0; i < words.length; i++) expect(complete(...words.slice(0, i), '')).toContain(words[i])
      if (options.length > 0)
        expect(complete(...words, '--')).toEqual([...options.map((option) => `--${option}`), '--help'])
    }
  })
})

test.each(shells)('%s can read its script', async (shell) => {
  const folder = await mkdtemp(join(tmpdir(), 'tallystick-completion-'))
  const path = join(folder, 'script')
  await writeFile(path, completionScript(shell))
  const { error, status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' })
  await rm(folder, { recursive: true })
  // Not every machine has every shell.
  if (error) return
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the help is short, and that of a command names its options', () => {
  expect(describeCommand(null).split('\n').length).toBeLessThan(45)
  expect(describeCommand('record drop')).toContain('--before-seq N')
  for (const { name } of commandRows) expect(describeCommand(null)).toContain(`  ${name}`)
})
