import { badAnswers } from '../provider.js'
import type { Fault } from './fault.js'

const failing = { causes: [], alerts: ['TallystickProviderFailing'] } as const

export const providerFaults: readonly Fault[] = [
  ...Object.entries(badAnswers).map(
    ([behaviour, answer]): Fault => ({
      name: `the provider ${behaviour}`,
      expected: failing,
      async strike({ provider, lasts }) {
        provider.behave(answer)
        await lasts()
        provider.behave(null)
      },
    }),
  ),
  {
    name: 'the provider has a certificate that nobody trusts',
    expected: failing,
    strike: ({ callers, lasts }) => callers.calling('untrusted/gpt-4o-mini', lasts),
  },
  {
    name: 'the name of the provider cannot be resolved',
    expected: failing,
    strike: ({ callers, lasts }) => callers.calling('nowhere/gpt-4o-mini', lasts),
  },
]
