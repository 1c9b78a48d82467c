import { Type } from 'typebox'
import { findPii, type PiiEntity, piiReach } from '../detect/index.js'
import { createDetectorFinder, rememberLast } from './detector-finder.js'
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

/** All at once, whatever a policy asks for: the detector looks for everything anyway, and policies can share that. */
const findAll = rememberLast((text) => findPii(text, new Set(entityNames)))

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
    const find = (text: string) => findAll(text).filter(({ entity }) => wanted.has(entity))
    return {
      looksAt: 'text',
      finders: [createDetectorFinder(find, { reach: piiReach, stride: 8_192 })],
      restore,
    }
  },
})
