import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalModel, targetField } from './canonical-model.js'

test('a model has one spelling, however it was asked for', () => {
  const provider = 'openai'
  const spellings = ['gpt-4o', 'openai/gpt-4o', 'fast'].map((model) =>
    canonicalModel({ provider, model, ...targetField({ provider, model }, 'gpt-4o') }),
  )
  expect(new Set(spellings)).toEqual(new Set(['gpt-4o']))
  expect(canonicalModel({ provider: 'mock', model: 'mock/echo' })).toBe('mock/echo')
  expect(canonicalModel({})).toBeNull()
})

test('the spelling follows from the target alone, whatever name was asked for', () => {
  // Slashes and repeated prefixes on purpose: a provider may call a model `openai/openai`.
  const name = fc.array(fc.constantFrom('openai', 'gpt', 'mock'), { minLength: 1, maxLength: 3 })
  const path = name.map((parts) => parts.join('/'))
  fc.assert(
    fc.property(fc.constantFrom('openai', 'mock'), path, path, path, (provider, target, one, other) => {
      const [a, b] = [one, other].map((model) =>
        canonicalModel({ provider, model, ...targetField({ provider, model }, target) }),
      )
      expect(a).toBe(b)
    }),
  )
})

test('a receipt names the target only where the model that was asked for does not tell it', () => {
  expect(targetField({ provider: 'openai', model: 'openai/gpt-4o' }, 'gpt-4o')).toEqual({})
  expect(targetField({ provider: 'openai', model: 'gpt-4o' }, 'gpt-4o')).toEqual({})
  expect(targetField({ provider: 'openai', model: 'fast' }, 'gpt-4o')).toEqual({ target: 'gpt-4o' })
})
