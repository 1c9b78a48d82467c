import { describe, expect, test } from 'vitest'
import { findOtherSpelling } from './other-spelling.js'

describe('another spelling of a member', () => {
  test('is found in any case, also beyond ASCII', () => {
    for (const name of ['N', 'Max_Tokens', 'MODEL', 'tool\u017f', 'thin\u212aing', 'Service_tier'])
      expect(findOtherSpelling(['messages', name], 'chat')?.path).toBe(name)
  })

  test('is not one that is a member of its own', () => {
    expect(findOtherSpelling(['messages', 'n', 'max_tokens', 'chatTemplate', 'X'], 'chat')).toBeNull()
  })
})
