import { Type } from 'typebox'
import { canHavePii, findPii, type PiiEntity, piiReach } from '../detect/index.js'
import { createDetectorFinder } from './detector-finder.js'
import { anyAction, anyPhase, defineKind, strict } from './kind.js'
import { findRestoreFault, Restore } from './restore.js'

const entityNames = [
  'email',
  'phone',
  'credit_card',
  'iban',
  'us_ssn',
  'ip_address',
] as const satisfies PiiEntity[]

/** For all policies, whatever they ask for: it looks for everything anyway, so that a card is no telephone number. */
const everyEntity = new Set(entityNames)
const finder = createDetectorFinder((text, folded) => findPii(text, everyEntity, folded), {
  mayFind: canHavePii,
  reach: piiReach,
  stride: 16_384,
})

export const pii = defineKind({
  summary: 'Text that has personal data in it',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object(
    {
      entities: Type.Array(Type.Enum([...entityNames]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'What to look for. Cards and IBANs are known by their check digits, not by their shape alone.',
        examples: [['email', 'credit_card']],
      }),
      restore: Restore,
    },
    { ...strict, title: 'PiiConfig' },
  ),
  check: findRestoreFault,
  compile({ entities, restore = false }) {
    const wanted = new Set<string>(entities)
    return { looksAt: 'text', finders: [finder], means: ({ entity }) => wanted.has(entity), restore }
  },
})
