import { UnusableInputError } from '../fault.js'
import { type ProofVerdict, verifyConsistencyProof, verifyReceiptProof } from '../verify-proofs.js'
import type { ObjectDocument } from './documents.js'
import type { Hints } from './hints.js'
import type { TrustedKeys } from './trusted-keys.js'
import { type Finding, formatCount } from './verdict.js'

interface ProofOptions {
  trusted: TrustedKeys
  hints: Hints
}

export function checkReceipt(receipt: ObjectDocument, proof: ObjectDocument, options: ProofOptions): Finding {
  const { trusted } = options
  requireKeys(options)
  const verdict = verifyReceiptProof(receipt.fields, proof.fields, trusted.keys)
  const { seq } = receipt.fields
  return report(receipt, verdict, typeof seq === 'number' ? seq : null, ({ tenant, seq, size, keyIds }) => ({
    established: [
      `Entry ${seq} of ${tenant} is, byte for byte, in the record of ${formatCount(size, 'entry', 'entries')} that was signed`,
      `Signed by ${keyIds.join(', ')}`,
    ],
    facts: { tenant, seq, size, keyIds },
    remarks: [],
  }))
}

export function checkConsistency(
  proof: ObjectDocument,
  checkpoints: readonly string[],
  options: ProofOptions,
): Finding {
  const { trusted, hints } = options
  requireKeys(options)
  if (checkpoints.length === 0)
    throw new UnusableInputError(
      `A consistency proof shows nothing without a checkpoint of the size at which it begins or ends: give it ${hints.checkpoint}`,
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

function requireKeys({ trusted, hints }: ProofOptions): void {
  if (trusted.keys.length === 0)
    throw new UnusableInputError(`A proof lists no keys of its own: give those of the service ${hints.key}`)
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
