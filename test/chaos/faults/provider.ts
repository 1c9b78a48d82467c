import { badAnswers } from '../provider.js'
import { type Fault, noAlert } from './fault.js'

const failing = { causes: [], alerts: ['TallystickProviderFailing'] } as const

// Callers leave after three seconds, and calls that their callers left are no failures of the provider.
const silent = noAlert('alerts.md#tallystickproviderfailing')
const silentBehaviours = ['does not answer', 'stops in the middle of its answer', 'never ends its stream']

export const providerFaults: readonly Fault[] = [
  ...Object.entries(badAnswers).map(
    ([behaviour, answer]): Fault => ({
      name: `the provider ${behaviour}`,
      expected: silentBehaviours.includes(behaviour) ? silent : failing,
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
