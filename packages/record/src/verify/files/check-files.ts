import { UnusableInputError } from '../fault.js'
import { createAttestationCheck } from './check-attestation.js'
import { CostCheck } from './check-costs.js'
import { checkExports, type ExportsOptions } from './check-exports.js'
import { checkConsistency, checkReceipt } from './check-proofs.js'
import { type Document, type ObjectDocument, openDocument } from './documents.js'
import type { Input } from './lines.js'
import type { Finding } from './verdict.js'

export interface FilesOptions extends Pick<ExportsOptions, 'trusted' | 'hints' | 'showProgress'> {
  /** Checkpoints that the user kept. */
  checkpoints: readonly string[]
  /** Whether to compute the cost of every call again. */
  costs: boolean
}

/** Checks files that were read from a service. The kind of each file is recognised by its content. */
export async function checkFiles(inputs: readonly Input[], options: FilesOptions): Promise<Finding[]> {
  const { checkpoints } = options
  const documents = await Promise.all(inputs.map(openDocument))
  const exports = documents.filter((each) => each.kind === 'export')
  const consistency = only(documents, 'consistency')
  const receipt = only(documents, 'receipt')
  const proof = only(documents, 'proof')
  if ((receipt === undefined) !== (proof === undefined))
    throw new UnusableInputError(
      receipt ? 'A receipt needs its proof: give both files' : 'A proof needs its receipt: give both files',
    )
  const attestationFile = only(documents, 'attestation')
  const attestation = attestationFile ? createAttestationCheck(attestationFile) : null
  if (options.costs && exports.length === 0)
    throw new UnusableInputError('Costs are computed from an export: give one')
  const costs = options.costs ? new CostCheck() : null
  const recount = attestation?.recount ?? null
  const checks = await checkExports(exports, { ...options, pinned: checkpoints, recount, costs })
  const areExportsVerified = checks.every(({ report }) => report.fault === null)
  return [
    ...checks.map(({ finding }) => finding),
    // Sums over a record with a fault would only add misleading differences.
    ...(costs && areExportsVerified ? [costs.finish(exports.map(({ input }) => input.name).join(', '))] : []),
    ...(attestation && areExportsVerified ? [attestation.finish(checks)] : []),
    ...(receipt && proof ? [checkReceipt(receipt, proof, options)] : []),
    ...(consistency ? [checkConsistency(consistency, checkpoints, options)] : []),
  ]
}

function only(documents: readonly Document[], kind: ObjectDocument['kind']): ObjectDocument | undefined {
  const [first, second] = documents
    .filter((each) => each.kind !== 'export')
    .filter((each) => each.kind === kind)
  if (second) throw new UnusableInputError(`More than one file is a ${kind}: check each by itself`)
  return first
}
