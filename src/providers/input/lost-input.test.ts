import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLostInput, findOtherSpelling } from './lost-input.js'

const find = (json: string) => findLostInput(Buffer.from(json))

describe('what parsing loses of a body', () => {
  test('is nothing for what was written from values', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), fc.nat(2), (body, indent) => {
        expect(find(JSON.stringify(body, null, indent))).toBeNull()
      }),
    )
  })

  test('is the first of two members with one name, however deep and however it is spelled', () => {
    const twice = { path: 'messages.content', message: 'stands twice in its object' }
    expect(find('{"messages":[{"role":"user"},{"content":"long","content":"x"}]}')).toEqual(twice)
    expect(find('{"messages":[{"content":["a",{"content":1}],"c\\u006fntent":"x"}]}')).toEqual(twice)
    expect(find('{"a":{"b":1},"c":{"b":1},"d":["b","b"],"e":"\\"b\\":1,\\"b\\""}')).toBeNull()
  })

  test('is digits that no double has', () => {
    expect(find(`{"a":{"b":[1,${'9'.repeat(400)}]}}`)).toEqual({
      path: 'a.b',
      message: 'is a number with too many digits',
    })
    expect(find(`{"a":0.${'1'.repeat(100)}}`)?.path).toBe('a')
    expect(find('{"a":[-1.7976931348623157e+308,0.1,true,null]}')).toBeNull()
  })
})

describe('another spelling of a member', () => {
  test('is found in any case, also beyond ASCII', () => {
    for (const name of ['N', 'Max_Tokens', 'MODEL', 'tool\u017f', 'thin\u212aing', 'Service_tier'])
      expect(findOtherSpelling(['messages', name], 'chat')?.path).toBe(name)
  })

  test('is not one that is a member of its own', () => {
    expect(findOtherSpelling(['messages', 'n', 'max_tokens', 'chatTemplate', 'X'], 'chat')).toBeNull()
  })
})
