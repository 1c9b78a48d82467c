import { leakedSecret, plainText } from '../trial/samples'
import { defineKind, findsInTexts } from './kind'

export const secrets = defineKind({
  name: 'Secrets',
  description: 'finds provider and cloud keys, private keys and tokens',
  ...findsInTexts,
  samples: [leakedSecret, plainText],
  read: () => ({}),
  write: () => ({}),
  isFilledIn: () => true,
  Form: () => (
    <p className="m-0 text-sm text-ink-2">
      Provider and cloud keys, private keys, tokens, passwords in URLs. Detected by format and checksum; there
      is nothing to configure.
    </p>
  ),
})
