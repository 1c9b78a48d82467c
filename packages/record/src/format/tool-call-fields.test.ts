import { expect, test } from 'vitest'
import { writeEntry } from './entry.js'
import { toolCallFields } from './tool-call-fields.js'

const place = { tenant: 'acme', seq: 1, prev: '00'.repeat(32) }

test('a tool is known by its server and its name', () => {
  expect(toolCallFields({ server: 'files', tool: 'read', method: 'tools/call' })).toEqual({
    kind: 'tool',
    provider: 'mcp:files',
    model: 'files__read',
    server: 'files',
    tool: 'read',
  })
})

test('what callers name freely is no model, and no tool has that name', () => {
  expect(toolCallFields({ server: 'files', tool: 'file:///etc/motd', method: 'resources/read' })).toEqual({
    kind: 'tool',
    provider: 'mcp:files',
    model: 'files:resources/read',
    server: 'files',
    tool: 'file:///etc/motd',
    method: 'resources/read',
  })
})

test('what may be a secret in a URI is left out', () => {
  const toolOf = (tool: string) => toolCallFields({ server: 'web', tool, method: 'resources/read' }).tool
  expect(toolOf('https://ann:secret@example.com/a@b?token=secret#secret')).toBe('https://example.com/a@b')
  expect(toolOf('memo:2026?key=secret')).toBe('memo:2026')
  expect(toolOf('what is this?')).toBe('what is this?')
  expect(toolCallFields({ server: 'web', tool: 'a:b?c', method: 'tools/call' }).tool).toBe('a:b?c')
})

test.each([
  ['a long text', `file:///${'x'.repeat(100_000)}`],
  ['a character that the cut would halve', `${'x'.repeat(510)}😀😀`],
  ['NUL', 'file:///\0'],
  ['half a character', 'file:///\ud800'],
])('%s has a place in an entry', (_, tool) => {
  const facts = toolCallFields({ server: 'files', tool, method: 'resources/read' })
  const entry = JSON.parse(writeEntry({ id: 'req_1', ts: '2026-11-15T01:02:03.004Z', ...facts }, place))
  expect(entry.tool).toBe(facts.tool)
  expect(entry.tool).not.toContain('\0')
  expect(entry.tool.length).toBeLessThanOrEqual(512)
})
