import { checkFiles, splitLines, trustKeys, verdictOf } from '@tallystick/record/verify'
import { readChunks } from '../client/events.js'
import type { TrustedKeys } from './keys.js'
import { readKeys } from './read-keys.js'

export interface VerifyExportOptions {
  /** Without keys, those that the export lists are trusted, and the verdict is at best `consistent`: a forger lists keys too. */
  keys?: TrustedKeys
  /** Checkpoints that you kept. The export must agree with them, and reach as far. */
  checkpoints?: readonly string[]
  /** Whether to compute the cost of every call again, from the counts and prices in the record. */
  costs?: boolean
}

export interface Finding {
  kind: string
  /** Null if there is no fault. `seq` is the first wrong entry. */
  fault: { kind: string; seq: number | null; message: string } | null
  /** What the record itself says is missing, deleted or in doubt. */
  exceptions?: string[]
  /** What the check showed, one sentence each. */
  established: string[]
  /** What it could not show. */
  remarks: string[]
  facts: Record<string, string | number | string[] | number[] | null>
}

export interface ExportVerdict {
  /** `consistent` means that there is no fault, but that the signer is not known or nothing is signed. */
  verdict: 'verified' | 'consistent' | 'fault'
  /** One for the export, and one for the costs if they were checked. */
  findings: Finding[]
}

type Bytes = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | Uint8Array | string

/**
 * Verifies an export, as `exportRecord` returns it or as it was stored, also compressed with gzip. It reads in constant memory. Throws an
 * `UnusableInputError` for what is no export.
 */
export async function verifyExport(source: Bytes, options: VerifyExportOptions = {}): Promise<ExportVerdict> {
  const trusted = trustKeys(options.keys ? readKeys(options.keys) : [])
  const input = { name: 'export', ...splitLines(chunksOf(source)), shareRead: () => null }
  const findings = await checkFiles([input], {
    trusted,
    checkpoints: options.checkpoints ?? [],
    costs: options.costs ?? false,
    hints: { key: 'in `keys`', checkpoint: 'in `checkpoints`' },
  })
  return {
    verdict: verdictOf(findings, trusted.areGiven),
    findings: findings.map(({ file: _, ...rest }) => rest),
  }
}

async function* chunksOf(source: Bytes): AsyncGenerator<Uint8Array, void> {
  if (typeof source === 'string') yield new TextEncoder().encode(source)
  else if (source instanceof Uint8Array) yield source
  else if (source instanceof ReadableStream) yield* readChunks(source)
  else yield* source
}
