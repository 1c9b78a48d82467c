import { describeException, type RecordException, readException } from '../../format/exceptions.js'
import { readExportLine } from '../../format/export-format.js'
import { readCheckpoint } from '../../format/signing/checkpoint.js'
import type { PublicKey } from '../../format/signing/public-key.js'
import { type ExportReport, ExportVerifier, type ExportVerifierOptions } from '../export-verifier.js'
import { UnusableInputError } from '../fault.js'
import type { CostCheck } from './check-costs.js'
import type { ExportDocument } from './documents.js'
import type { Hints } from './hints.js'
import type { Input } from './lines.js'
import type { Recount } from './recount.js'
import type { TrustedKeys } from './trusted-keys.js'
import { type Finding, formatCount } from './verdict.js'

export interface ExportCheck {
  finding: Finding
  report: ExportReport
  exceptions: readonly RecordException[]
  /** The keys that were trusted for this export. */
  keys: readonly PublicKey[]
}

export interface ExportsOptions {
  trusted: TrustedKeys
  /** Checkpoints whose signatures are not checked yet. */
  pinned: readonly string[]
  /** Counts the entries and seals that were accepted. */
  recount: Recount | null
  /** Computes the costs of the entries that were accepted. */
  costs: CostCheck | null
  hints: Hints
  /** Called for each export before it is read. */
  showProgress?(input: Input): Progress
}

export interface Progress {
  /** Called often, with the number of the last accepted entry. */
  show(seq: number): void
  clear(): void
}

/** Checks that consecutive exports form one record, so that each starts where the previous one ended. */
export async function checkExports(
  documents: readonly ExportDocument[],
  options: ExportsOptions,
): Promise<ExportCheck[]> {
  const ordered = documents.toSorted((a, b) => a.header.fromSeq - b.header.fromSeq)
  refuseUnlessOneRecord(ordered)
  const checks: ExportCheck[] = []
  for (const [place, document] of ordered.entries()) {
    const pinned = pinsFor(ordered, place, options.pinned)
    const { trusted, recount, costs } = options
    const exceptions: RecordException[] = []
    let keys: readonly PublicKey[] = []
    const verifierOptions: ExportVerifierOptions = {
      trust(listed) {
        keys = trusted.choose(listed)
        return keys
      },
      pinned,
      onEntry(entry) {
        recount?.addEntry(entry)
        costs?.addEntry(entry)
        const exception = readException(entry.fields)
        if (exception) exceptions.push(exception)
      },
      onSeal: (seal) => recount?.addSeal(seal),
    }
    const report = await readExport(document, verifierOptions, options.showProgress?.(document.input))
    const previous = checks.at(-1)?.report
    if (previous && !previous.fault && !report.fault && !continues(previous, report)) {
      const { fromSeq } = report.header
      report.fault = {
        kind: 'broken_prev',
        seq: fromSeq,
        message: `Entry ${fromSeq} does not follow the end of the previous export`,
      }
    }
    checks.push({ report, exceptions, keys, finding: describe(document, report, exceptions, options) })
  }
  return checks
}

function refuseUnlessOneRecord(ordered: readonly ExportDocument[]): void {
  for (const [i, { header }] of ordered.entries()) {
    const previous = ordered[i - 1]?.header
    if (!previous) continue
    if (previous.tenant !== header.tenant)
      throw new UnusableInputError('The exports are of different tenants: check each by itself')
    if (previous.toSeq + 1 !== header.fromSeq)
      throw new UnusableInputError(
        `The exports do not follow each other: one ends at ${previous.toSeq}, the next begins at ${header.fromSeq}`,
      )
  }
}

/** Returns the checkpoints to check against an export: those of its sizes. The first and the last export include all outside of them. */
function pinsFor(ordered: readonly ExportDocument[], place: number, pinned: readonly string[]): string[] {
  const isFirst = place === 0
  const isLast = place === ordered.length - 1
  const { fromSeq = 1, toSeq = 0 } = ordered[place]?.header ?? {}
  return pinned.filter((note) => {
    const size = readCheckpoint(note)?.size ?? 0
    return (isFirst || size >= fromSeq) && (isLast || size <= toSeq)
  })
}

export async function readExport(
  { input, lines }: Pick<ExportDocument, 'input' | 'lines'>,
  options: ExportVerifierOptions,
  progress?: Progress,
): Promise<ExportReport> {
  const verifier = new ExportVerifier(options)
  try {
    for await (const batch of lines) {
      for (const line of batch) verifier.addLine(line)
      if (verifier.fault !== null) break
      progress?.show(verifier.seq)
    }
    const rest = input.rest()
    // The last line may be complete without a line break. An incomplete line before the end line means that the file was cut off there, and
    // is ignored.
    if (verifier.isEnded ? rest !== '' : readExportLine(rest ?? '') !== null) verifier.addLine(rest)
    const damage = input.damage()
    if (damage !== null) verifier.reportDamage(damage)
    return verifier.finish()
  } finally {
    progress?.clear()
  }
}

function continues({ end }: ExportReport, { header }: ExportReport): boolean {
  const frontier = end.range.hashes.map((hash) => hash.toString('hex'))
  return header.prev === end.prev.toString('hex') && header.frontier.join() === frontier.join()
}

function describe(
  { input }: ExportDocument,
  report: ExportReport,
  exceptions: readonly RecordException[],
  options: ExportsOptions,
): Finding {
  const { header, fault, entries, sealed, seals, keyIds } = report
  const { tenant, fromSeq, toSeq } = header
  const isRestored = exceptions.some(({ event }) => event === 'record.restore')
  const whole = `${formatCount(entries, 'entry', 'entries')} of ${tenant}, ${fromSeq} to ${toSeq}, are as they were sealed: none changed, ${isRestored ? '' : 'missing, '}repeated or moved`
  const nothing = `No entries of ${tenant} from ${fromSeq} on: nothing to check`
  const signers = keyIds.length > 0 ? [`Signed by ${keyIds.join(', ')}`] : []
  return {
    file: input.name,
    kind: 'export',
    fault,
    // No key is needed to write such a file, so it proves nothing.
    ...(fault === null && seals === 0 && { unproved: 'nothing in it is signed' }),
    exceptions: exceptions.map(describeException),
    established: [...(fault ? describeBeforeFault(report) : [entries === 0 ? nothing : whole]), ...signers],
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
      exceptionSeqs: exceptions.map(({ seq }) => seq),
    },
  }
}

/**
 * Only a seal shows that entries are unchanged. The entries between the last valid seal and the fault may have been changed and chained
 * again.
 */
function describeBeforeFault({ header, entries, sealed }: ExportReport): string[] {
  const held = `Before that, ${formatCount(sealed, 'entry', 'entries')} of ${header.tenant} ${sealed === 1 ? 'is' : 'are'} as sealed`
  const rest = entries - sealed
  if (rest === 0) return [held]
  const [first, last] = [header.fromSeq + sealed, header.fromSeq + entries - 1]
  const span = rest === 1 ? `entry ${first} is` : `entries ${first} to ${last} are`
  return [`${held}; ${span} chained to them, under no seal that holds`]
}

function remarkOnKeys({ keyIds }: ExportReport, { trusted, hints }: ExportsOptions): string[] {
  if (trusted.areGiven) return []
  const names = keyIds.length > 0 ? 'These keys come from the file itself' : 'No key is trusted'
  return [
    `${names}, and whoever forges a record lists their own: name those that you trust ${hints.key}, from GET /.well-known/tallystick/jwks.json of the service`,
  ]
}

function remarkOnEnd({ fault, header }: ExportReport, { pinned, hints }: ExportsOptions): string[] {
  if (fault !== null || pinned.length > 0) return []
  return [
    `A file cannot show whether there were entries after ${header.toSeq}: compare it with a checkpoint that you kept, ${hints.checkpoint}`,
  ]
}
