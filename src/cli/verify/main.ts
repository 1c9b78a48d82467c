import { readFileSync } from 'node:fs'
import { errorCode } from '../../error-code.js'
import { UnusableInputError } from '../../ledger/verify/fault.js'
import { readVerifyCommand, type VerifyCommand, VerifyUsageError, verifyUsage } from './arguments.js'
import { openAttestation } from './check-attestation.js'
import { CostCheck } from './check-costs.js'
import { checkExports } from './check-exports.js'
import { checkConsistency, checkReceipt } from './check-proofs.js'
import { type Document, type ObjectDocument, openDocument } from './documents.js'
import { readTrustedKeys, type TrustedKeys } from './trusted-keys.js'
import { describeFindings, exitCodes, type Finding, findingsAsJson, verdictOf } from './verdict.js'

/** Runs `tallystick verify` and returns its exit code. Needs Node and these files: no database, no server, no network. */
export async function verify(args: string[]): Promise<number> {
  let isJson = args.includes('--json')
  try {
    const command = readVerifyCommand(args)
    if (command.name === 'help') {
      console.log(verifyUsage)
      return exitCodes.verified
    }
    isJson = command.json
    const trusted = readTrustedKeys(command.keys)
    const findings = await check(command, trusted)
    const describe = isJson ? findingsAsJson : describeFindings
    console.log(describe(findings, trusted.areGiven))
    return exitCodes[verdictOf(findings, trusted.areGiven)]
  } catch (error) {
    if (!(error instanceof UnusableInputError) && !(error instanceof VerifyUsageError)) throw error
    if (isJson) console.log(JSON.stringify({ verdict: 'unusable', message: error.message }))
    else
      console.error(error instanceof VerifyUsageError ? `${error.message}\n\n${verifyUsage}` : error.message)
    return exitCodes.unusable
  }
}

async function check(
  command: Extract<VerifyCommand, { name: 'verify' }>,
  trusted: TrustedKeys,
): Promise<Finding[]> {
  const checkpoints = command.checkpoints.map(readCheckpointFile)
  const documents = await Promise.all(command.files.map(openDocument))
  const exports = documents.filter((each) => each.kind === 'export')
  const consistency = only(documents, 'consistency')
  const receipt = only(documents, 'receipt')
  const proof = only(documents, 'proof')
  if ((receipt === undefined) !== (proof === undefined))
    throw new UnusableInputError(
      receipt ? 'A receipt needs its proof: give both files' : 'A proof needs its receipt: give both files',
    )
  const attestationFile = only(documents, 'attestation')
  const attestation = attestationFile ? openAttestation(attestationFile) : null
  if (command.costs && exports.length === 0)
    throw new UnusableInputError('Costs are computed from an export: give one')
  const costs = command.costs ? new CostCheck() : null
  const options = { trusted, pinned: checkpoints, recount: attestation?.recount ?? null, costs }
  const checks = await checkExports(exports, options)
  const areExportsVerified = checks.every(({ report }) => report.fault === null)
  return [
    ...checks.map(({ finding }) => finding),
    // Sums over a record with a fault would only add misleading differences.
    ...(costs && areExportsVerified ? [costs.finish(exports.map(({ input }) => input.name).join(', '))] : []),
    ...(attestation && areExportsVerified ? [attestation.finish(checks)] : []),
    ...(receipt && proof ? [checkReceipt(receipt, proof, trusted)] : []),
    ...(consistency ? [checkConsistency(consistency, checkpoints, trusted)] : []),
  ]
}

function only(documents: readonly Document[], kind: ObjectDocument['kind']): ObjectDocument | undefined {
  const [first, second] = documents
    .filter((each) => each.kind !== 'export')
    .filter((each) => each.kind === kind)
  if (second) throw new UnusableInputError(`More than one file is a ${kind}: check each by itself`)
  return first
}

function readCheckpointFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UnusableInputError(`--checkpoint ${path} cannot be read (${errorCode(error) ?? error})`)
  }
}
