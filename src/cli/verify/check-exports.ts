import { readCheckpoint } from '../../ledger/format/checkpoint.js'
import { readExportLine } from '../../ledger/format/export-format.js'
import { readPublicJwk, type UntrustedJwk } from '../../ledger/format/public-key.js'
import {
  type ExportReport,
  ExportVerifier,
  type ExportVerifierOptions,
  UnusableInputError,
} from '../../ledger/verify/export-verifier.js'
import type { ExportDocument } from './documents.js'
import { openInput } from './input.js'
import { createProgress } from './progress.js'
import type { Recount } from './recount.js'
import type { TrustedKeys } from './trusted-keys.js'
import { countOf, type Finding } from './verdict.js'

export interface ExportCheck {
  finding: Finding
  report: ExportReport
}

export interface ExportsOptions {
  trusted: TrustedKeys
  /** Signed notes, not believed yet. */
  pinned: readonly string[]
  /** Counts along with what was accepted. */
  recount: Recount | null
}

/** Exports that follow each other are one record: each must go on where the one before it ended. */
export async function checkExports(
  documents: readonly ExportDocument[],
  options: ExportsOptions,
): Promise<ExportCheck[]> {
  const ordered = documents.toSorted((a, b) => a.header.fromSeq - b.header.fromSeq)
  refuseUnlessOneRecord(ordered)
  const checks: ExportCheck[] = []
  for (const [place, document] of ordered.entries()) {
    const pinned = pinsFor(ordered, place, options.pinned)
    const { trusted, recount } = options
    const report = await readExport(document, {
      trust: trusted.choose,
      pinned,
      onEntry: (entry) => recount?.addEntry(entry),
      onSeal: (seal) => recount?.addSeal(seal),
    })
    const before = checks.at(-1)?.report
    if (before && !before.fault && !report.fault && !goesOn(before, report)) {
      const { fromSeq } = report.header
      report.fault = {
        kind: 'broken_prev',
        seq: fromSeq,
        message: `Entry ${fromSeq} does not go on where the export before it ended`,
      }
    }
    checks.push({ report, finding: describe(document, report, options) })
  }
  return checks
}

function refuseUnlessOneRecord(ordered: readonly ExportDocument[]): void {
  for (const [i, { header }] of ordered.entries()) {
    const before = ordered[i - 1]?.header
    if (!before) continue
    if (before.tenant !== header.tenant)
      throw new UnusableInputError('The exports are of different tenants: check each by itself')
    if (before.toSeq + 1 !== header.fromSeq)
      throw new UnusableInputError(
        `The exports do not follow each other: one ends at ${before.toSeq}, the next begins at ${header.fromSeq}`,
      )
  }
}

/** A checkpoint is held against the export that it ends in; one that lies before or behind all, against the nearest. */
function pinsFor(ordered: readonly ExportDocument[], place: number, pinned: readonly string[]): string[] {
  const isFirst = place === 0
  const isLast = place === ordered.length - 1
  const { fromSeq = 1, toSeq = 0 } = ordered[place]?.header ?? {}
  return pinned.filter((note) => {
    const size = readCheckpoint(note)?.size ?? 0
    return (isFirst || size >= fromSeq) && (isLast || size <= toSeq)
  })
}

/** Checks a file that this program has written itself, against keys that it knows from elsewhere. */
export async function verifyExportFile(path: string, keys: readonly UntrustedJwk[]): Promise<ExportReport> {
  const input = openInput(path)
  const trusted = keys.map(readPublicJwk)
  return await readExport({ input, lines: input.lines }, { trust: () => trusted })
}

async function readExport(
  { input, lines }: Pick<ExportDocument, 'input' | 'lines'>,
  options: ExportVerifierOptions,
): Promise<ExportReport> {
  const verifier = new ExportVerifier(options)
  const progress = createProgress(process.stderr, input.shareRead)
  try {
    for await (const batch of lines) {
      for (const line of batch) verifier.addLine(line)
      if (verifier.fault !== null) break
      progress.show(verifier.seq)
    }
    // A last line without a break may be whole. Half a line is no line: the file was cut off in it.
    const rest = input.rest() ?? ''
    if (readExportLine(rest) !== null) verifier.addLine(rest)
    return verifier.finish()
  } finally {
    progress.clear()
  }
}

function goesOn({ end }: ExportReport, { header }: ExportReport): boolean {
  const frontier = end.range.hashes.map((hash) => hash.toString('hex'))
  return header.prev === end.prev.toString('hex') && header.frontier.join() === frontier.join()
}

function describe({ input }: ExportDocument, report: ExportReport, options: ExportsOptions): Finding {
  const { header, fault, entries, sealed, seals, keyIds } = report
  const { tenant, fromSeq, toSeq } = header
  const before = fault ? `Up to there ${countOf(entries, 'entry', 'entries')} of ${tenant} hold` : null
  const whole = `${countOf(entries, 'entry', 'entries')} of ${tenant}, ${fromSeq} to ${toSeq}, are as they were sealed: none changed, missing, repeated or moved`
  const nothing = `No entries of ${tenant} from ${fromSeq} on: nothing to check`
  const signers = keyIds.length > 0 ? [`Signed by ${keyIds.join(', ')}`] : []
  return {
    file: input.name,
    kind: 'export',
    fault,
    established: [before ?? (entries === 0 ? nothing : whole), ...signers],
    remarks: [...remarkOnKeys(report, options), ...remarkOnEnd(report, options)],
    facts: {
      tenant,
      fromSeq,
      toSeq,
      entries,
      sealed,
      seals,
      keyIds,
      keysFrom: options.trusted.areGiven ? 'given' : 'file',
    },
  }
}

function remarkOnKeys({ keyIds }: ExportReport, { trusted }: ExportsOptions): string[] {
  if (trusted.areGiven || keyIds.length === 0) return []
  return ['Whether these keys are the right ones, only the file says: name those you trust with --key']
}

function remarkOnEnd({ fault, header }: ExportReport, { pinned }: ExportsOptions): string[] {
  if (fault !== null || pinned.length > 0) return []
  return [
    `Whether there were entries after ${header.toSeq}, no file can say: --checkpoint holds it against one you kept`,
  ]
}
