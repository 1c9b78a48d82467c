import { readPublicJwk } from '@tallystick/record/format'
import { verifyReceiptProof } from '@tallystick/record/verify'
import type { ReceiptClaim, ReceiptVerdict } from '../protocol.js'

export function verifyReceipt({ receipt, proof, keys, shown = {} }: ReceiptClaim): ReceiptVerdict {
  // The displayed values override those of the receipt, so that both are compared with the hashed text.
  const verdict = verifyReceiptProof({ ...receipt, ...shown }, proof, keys.map(readPublicJwk))
  if (!verdict.ok) return verdict
  return { ...verdict, hashes: Array.isArray(proof.path) ? proof.path.length : 0 }
}
