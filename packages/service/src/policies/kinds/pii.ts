import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { findPii, mayHavePii, type PiiEntity, piiReach } from '../detect/index.js'
import { createDetectorFinder } from './finders/detector-finder.js'
import { anyAction, anyPhase, defineKind } from './kind.js'
import { findRestoreError, Restore } from './restore.js'

const entityNames = [
  'email',
  'phone',
  'credit_card',
  'iban',
  'us_ssn',
  'ip_address',
] as const satisfies PiiEntity[]

/** All policies share one finder. It always searches for all entities, so that a card is not taken for a phone number. */
const everyEntity = new Set(entityNames)
const finder = createDetectorFinder((text, folded) => findPii(text, everyEntity, folded), {
  mayFind: mayHavePii,
  reach: piiReach,
})

export const pii = defineKind({
  summary: 'Finds text that contains personal data',
  phases: anyPhase,
  actions: anyAction,
  schema: Type.Object(
    {
      entities: Type.Array(Type.Enum([...entityNames]), {
        minItems: 1,
        uniqueItems: true,
        description:
          'The kinds of personal data to look for. Card numbers and IBANs must also have valid check digits',
        examples: [['email', 'credit_card']],
      }),
      restore: Restore,
    },
    { ...strict, title: 'PiiConfig' },
  ),
  check: findRestoreError,
  compile({ entities, restore = false }) {
    const wanted = new Set<string>(entities)
    return { subject: 'text', finders: [finder], isWanted: ({ entity }) => wanted.has(entity), restore }
  },
})
