import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../shared/errors.js'
import { readPromptReference } from './reference.js'

const id = 'prompt_01k9zq3w8hcv7m2x4n6p8r0t1y'

function faultsOf(value: unknown): string[] {
  try {
    readPromptReference(value)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).toBe(400)
    return (error.extras.details ?? []).map((detail) => `${detail.path}: ${detail.message}`)
  }
  return []
}

describe('a reference to a prompt', () => {
  test('is an id alone, or with a label or a version, and with variables', () => {
    const references = [
      { id },
      { id, label: 'latest' },
      { id, label: 'v1.0_rc-2' },
      { id, version: 1, variables: {} },
      { id, variables: { name: 'Ada', age: 36, admin: true, 'extra one': '' } },
    ]
    for (const reference of references) expect(readPromptReference(reference)).toEqual(reference)
  })

  test('cannot name a label and a version together', () => {
    expect(faultsOf({ id, label: 'latest', version: 1 })).toEqual([
      'prompt: takes a label or a version, not both',
    ])
  })

  test('with an unknown field is refused, and the field is named', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]{1,12}$/), (name) => {
        fc.pre(!['id', 'label', 'version', 'variables'].includes(name))
        expect(faultsOf({ id, [name]: 1 })).toEqual([`prompt.${name}: unknown field`])
      }),
    )
    expect(faultsOf(JSON.parse(`{"id":"${id}","__proto__":{"label":"x"}}`))).toEqual([
      'prompt.__proto__: unknown field',
    ])
  })

  test('reports every fault with its path', () => {
    expect(faultsOf(null)).toEqual(['prompt: must be object'])
    expect(faultsOf([])).toEqual(['prompt: must be object'])
    expect(faultsOf({ label: 'Über', version: 0 })).toEqual([
      'prompt.id: is required',
      expect.stringContaining('prompt.label: must match'),
      'prompt.version: must be >= 1',
    ])
    expect(faultsOf({ id, variables: { a: null, b: ['x'], c: 'fine' } })).toEqual([
      'prompt.variables.a: must be a string, a number or a boolean',
      'prompt.variables.b: must be a string, a number or a boolean',
    ])
  })

  test('that cannot exist is refused before the database is asked', () => {
    const hopeless = [
      { id: 'prompt_\0' },
      { id: '' },
      { id: 7 },
      { id, version: 2 ** 31 },
      { id, version: 1.5 },
      { id, version: '1' },
      { id, label: null },
    ]
    for (const reference of hopeless) expect(faultsOf(reference)).toHaveLength(1)
  })

  test('of any other shape is a 400, never a 500', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (value, variables) => {
        faultsOf(value)
        faultsOf({ id, variables })
      }),
    )
  })
})
