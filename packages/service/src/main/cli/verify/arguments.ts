import { parseArgs } from 'node:util'
import { escapeThumbprints } from '../escape-thumbprints.js'

export const verifyUsage = `Usage:
  tallystick verify FILE…  --key KEY…  [--checkpoint NOTE]…  [--costs]  [--json]

Checks files from a service, offline. The kind of each FILE is recognised by its content:
  an export                     GET /v1/compliance/export; consecutive exports are checked as one record
  a receipt and its proof       GET /v1/compliance/receipts/{seq} and …/{seq}/proof, as two files
  a consistency proof           GET /v1/compliance/consistency, with a --checkpoint of one of its sizes
  an attestation                GET /v1/compliance/attestation, with the export of its period
"-" is the standard input. Exports may be compressed with gzip.

  --key KEY           a key to trust: a file with a JWKS, a JWK or a public key in PEM form, or the
                      thumbprint (kid) of a key that the export lists. Take it from the service itself, over
                      HTTPS, and keep it: GET /.well-known/tallystick/jwks.json. Without it an export can only be
                      shown to agree with itself, which a forgery does too; a proof needs it.
  --checkpoint NOTE   a file with a signed checkpoint that you kept from earlier: the export must agree
                      with it and reach at least as far, so that a missing end is noticed
  --costs             recompute the cost of every call in the exports from its counts and its price
  --json              the verdict as one JSON object

Exit code 0 when everything is verified, 1 when there is a fault, 2 when neither can be shown: a --key is missing, nothing is signed,
a cost depends on entries that the exports lack, a file is none of the above, a checkpoint belongs to another record, or the command is wrong.`

export class VerifyUsageError extends Error {}

export type VerifyCommand =
  | { name: 'help' }
  | { name: 'verify'; files: string[]; keys: string[]; checkpoints: string[]; costs: boolean; json: boolean }

export function readVerifyCommand(args: string[]): VerifyCommand {
  const { values, positionals } = parse(args)
  if (values.help) return { name: 'help' }
  if (positionals.length === 0) throw new VerifyUsageError('verify needs a FILE')
  if (positionals.filter((file) => file === '-').length > 1)
    throw new VerifyUsageError('There is only one standard input')
  const { key: keys = [], checkpoint: checkpoints = [], costs = false, json = false } = values
  return { name: 'verify', files: positionals, keys, checkpoints, costs, json }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args: escapeThumbprints(args),
      allowPositionals: true,
      options: {
        key: { type: 'string', multiple: true },
        checkpoint: { type: 'string', multiple: true },
        costs: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    // The first sentence names the option; the rest is advice for programmers.
    throw new VerifyUsageError(String(error instanceof Error ? error.message : error).split(/\.\s/)[0])
  }
}
