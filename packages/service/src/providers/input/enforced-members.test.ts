import { describe, expect, test } from 'vitest'
import { shapeOf } from '../../../../../test/harness/providers/endpoint-shape.js'
import { findUnenforceableMember } from './enforced-members.js'

const find = (...names: string[]) =>
  findUnenforceableMember(
    Object.fromEntries(['messages', ...names].map((name) => [name, []])),
    shapeOf('chat'),
  )?.path

describe('another spelling of a member', () => {
  test('is found in any case, also beyond ASCII', () => {
    for (const name of ['N', 'Max_Tokens', 'MODEL', 'tool\u017f', 'thin\u212aing', 'Service_tier'])
      expect(find(name)).toBe(name)
  })

  test('is not one that is a member of its own', () => {
    expect(find('n', 'max_tokens', 'chatTemplate', 'X')).toBeUndefined()
  })

  test('is found where a dialect has members within members', () => {
    const user = { role: 'user', content: 'Hello' }
    const found = (dialect: string, body: object) =>
      findUnenforceableMember({ ...body }, shapeOf(dialect))?.path
    expect(found('chat', { messages: [user, { ...user, Content: 'Hello' }] })).toBe('messages.1.Content')
    const call = { type: 'function', function: { name: 'f', Arguments: '{}' } }
    expect(found('chat', { messages: [{ role: 'assistant', tool_calls: [call] }] })).toBe(
      'messages.0.tool_calls.0.function.Arguments',
    )
    expect(found('messages', { system: [{ type: 'text', TEXT: 'x' }] })).toBe('system.0.TEXT')
    expect(found('responses', { input: [{ content: [{ Text: 'x' }] }] })).toBe('input.0.content.0.Text')
  })

  test('is no name that a tool was given', () => {
    const input = { Content: 'x', Name: 'y' }
    const content = [{ type: 'tool_use', id: 't', name: 'f', input }]
    expect(
      findUnenforceableMember({ messages: [{ role: 'assistant', content }] }, shapeOf('messages')),
    ).toBeNull()
  })
})

test.each(['models', 'fallbacks', 'route', 'extra_body', 'Models'])(
  '%s chooses what is not governed',
  (name) => {
    expect(find(name)).toBe(name)
  },
)
