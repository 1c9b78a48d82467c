import { UnusableInputError } from '../../ledger/verify/export-verifier.js'
import { type ProofVerdict, verifyGrowth, verifyReceipt } from '../../ledger/verify/verify-proofs.js'
import type { ObjectDocument } from './documents.js'
import type { TrustedKeys } from './trusted-keys.js'
import { countOf, type Finding } from './verdict.js'

export function checkReceipt(receipt: ObjectDocument, proof: ObjectDocument, trusted: TrustedKeys): Finding {
  requireKeys(trusted)
  const verdict = verifyReceipt(receipt.fields, proof.fields, trusted.keys)
  const { seq } = receipt.fields
  return report(receipt, verdict, typeof seq === 'number' ? seq : null, (held) => ({
    established: [
      `Entry ${held.seq} of ${held.tenant} is, byte for byte, in the record of ${countOf(held.size, 'entry', 'entries')} that was signed`,
      `Signed by ${held.keyIds.join(', ')}`,
    ],
    facts: { tenant: held.tenant, seq: held.seq, size: held.size, keyIds: held.keyIds },
    remarks: [],
  }))
}

export function checkGrowth(
  proof: ObjectDocument,
  checkpoints: readonly string[],
  trusted: TrustedKeys,
): Finding {
  requireKeys(trusted)
  if (checkpoints.length === 0)
    throw new UnusableInputError(
      'A consistency proof says nothing without the --checkpoint that it begins or ends with',
    )
  const verdict = verifyGrowth(proof.fields, checkpoints, trusted.keys)
  return report(proof, verdict, null, ({ tenant, from, to, signedSizes }) => ({
    established: [`The record of ${tenant} only grew from ${from} to ${to} entries`],
    facts: { tenant, from, to },
    remarks: [from, to]
      .filter((size) => size > 0 && !signedSizes.includes(size))
      .map(
        (size) =>
          `That ${size} entries have this root, only the proof says: give the checkpoint of that size too`,
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
  describe: (held: Facts) => Pick<Finding, 'established' | 'facts' | 'remarks'>,
): Finding {
  if (verdict.ok) return { file: name, kind, fault: null, ...describe(verdict) }
  const fault = { kind: verdict.kind, seq, message: verdict.message }
  return { file: name, kind, fault, established: [], facts: {}, remarks: [] }
}
