import { UnusableInputError } from '../../ledger/verify/fault.js'
import {
  type ProofVerdict,
  verifyConsistencyProof,
  verifyReceiptProof,
} from '../../ledger/verify/verify-proofs.js'
import type { ObjectDocument } from './documents.js'
import type { TrustedKeys } from './trusted-keys.js'
import { countOf, type Finding } from './verdict.js'

export function checkReceipt(receipt: ObjectDocument, proof: ObjectDocument, trusted: TrustedKeys): Finding {
  requireKeys(trusted)
  const verdict = verifyReceiptProof(receipt.fields, proof.fields, trusted.keys)
  const { seq } = receipt.fields
  return report(receipt, verdict, typeof seq === 'number' ? seq : null, ({ tenant, seq, size, keyIds }) => ({
    established: [
      `Entry ${seq} of ${tenant} is, byte for byte, in the record of ${countOf(size, 'entry', 'entries')} that was signed`,
      `Signed by ${keyIds.join(', ')}`,
    ],
    facts: { tenant, seq, size, keyIds },
    remarks: [],
  }))
}

export function checkConsistency(
  proof: ObjectDocument,
  checkpoints: readonly string[],
  trusted: TrustedKeys,
): Finding {
  requireKeys(trusted)
  if (checkpoints.length === 0)
    throw new UnusableInputError(
      'A consistency proof shows nothing without a --checkpoint of the size at which it begins or ends',
    )
  const verdict = verifyConsistencyProof(proof.fields, checkpoints, trusted.keys)
  return report(proof, verdict, null, ({ tenant, from, to, signedSizes }) => ({
    established: [`The record of ${tenant} only grew from ${from} to ${to} entries`],
    facts: { tenant, from, to },
    remarks: [from, to]
      .filter((size) => size > 0 && !signedSizes.includes(size))
      .map(
        (size) =>
          `The root at ${size} entries comes from the proof itself: give the checkpoint of that size too`,
      ),
  }))
}

function requireKeys({ keys }: TrustedKeys): void {
  if (keys.length === 0)
    throw new UnusableInputError(
      'A proof lists no keys of its own: give those of the service with --key FILE',
    )
}

function report<Facts>(
  { kind, name }: ObjectDocument,
  verdict: ProofVerdict<Facts>,
  seq: number | null,
  describe: (facts: Facts) => Pick<Finding, 'established' | 'facts' | 'remarks'>,
): Finding {
  if (verdict.ok) return { file: name, kind, fault: null, ...describe(verdict) }
  const fault = { kind: verdict.kind, seq, message: verdict.message }
  return { file: name, kind, fault, established: [], facts: {}, remarks: [] }
}
