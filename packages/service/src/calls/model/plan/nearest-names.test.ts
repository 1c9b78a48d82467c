import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearestNames } from './nearest-names.js'

const candidates = [
  ...['openai-eu/gpt-4o-mini', 'openai-eu/gpt-4o', 'openai-eu/gpt-4.1', 'claude-sonnet-4-5'],
  ...['anthropic/claude-sonnet-4-5', 'together/meta-llama/Llama-3.3-70B', 'assistant'],
]
const nearest = (name: string) => nearestNames(name, candidates, () => true)

test.each([
  ['gpt-4o-mini', ['openai-eu/gpt-4o-mini']],
  ['openai/gpt-4o-mini', ['openai-eu/gpt-4o-mini']],
  ['GPT-4o-Mini', ['openai-eu/gpt-4o-mini']],
  ['gpt4o-mini', ['openai-eu/gpt-4o-mini']],
  ['asistant', ['assistant']],
  ['claude-sonet-4-5', ['claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5']],
  ['Llama-3.3-70B', ['together/meta-llama/Llama-3.3-70B']],
  ['no-such-model', []],
  ['', []],
])('%s may stand for %j', (name, expected) => {
  expect(nearest(name)).toEqual(expected)
})

test('a name that is not suitable is not suggested, and another is in its place', () => {
  const isSuitable = (name: string) => name !== 'claude-sonnet-4-5'
  expect(nearestNames('claude-sonet-4-5', candidates, isSuitable)).toEqual(['anthropic/claude-sonnet-4-5'])
})

test('a name at another provider is found, whatever the names', () => {
  const word = fc.stringMatching(/^[a-z0-9.-]{1,40}$/)
  fc.assert(
    fc.property(word, word, fc.array(word), (provider, model, others) => {
      expect(nearestNames(model, [...others, `${provider}/${model}`, model], () => true)).toContain(model)
      expect(
        nearestNames(model, [`${provider}/${model}`, ...others.map((each) => `${each}!!`)], () => true)[0],
      ).toBe(`${provider}/${model}`)
    }),
  )
})
