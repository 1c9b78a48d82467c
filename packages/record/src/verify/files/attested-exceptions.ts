import { describeException, type RecordException } from '../../format/exceptions.js'
import type { RecountResult } from './recount.js'

export interface ExceptionComparison {
  differences: string[]
  remarks: string[]
}

/** Compares the exceptions that an attestation lists with those of the entries in the exports. */
export function compareExceptions(
  listed: unknown,
  { due, later }: RecountResult['exceptions'],
  { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
  write: (value: unknown) => string,
): ExceptionComparison {
  if (!Array.isArray(listed)) return { differences: ['exceptions is missing'], remarks: [] }
  const known = new Map([...due, ...later].map((each) => [each.seq, each]))
  const seqs = listed.map((each: unknown) => seqOf(each))
  const isInExports = (seq: number) => seq >= fromSeq && seq <= toSeq
  const isRepeated = new Set(seqs).size < seqs.length
  return {
    differences: [
      ...(isRepeated ? ['exceptions lists an entry twice'] : []),
      ...due.flatMap((each) =>
        seqs.includes(each.seq) ? [] : `exceptions leaves out: ${describeException(each)}`,
      ),
      ...listed.flatMap((each: unknown, i) => {
        const seq = seqs[i] ?? Number.NaN
        const exception = known.get(seq)
        if (exception) return write(each) === write(withStatement(exception)) ? [] : differs(seq)
        return isInExports(seq) || Number.isNaN(seq) ? differs(seq) : []
      }),
    ],
    remarks: [
      ...seqs.flatMap((seq) =>
        known.has(seq) || isInExports(seq)
          ? []
          : `Exception of entry ${seq}: not checked, the export does not have the entry`,
      ),
      ...later.flatMap((each) =>
        seqs.includes(each.seq)
          ? []
          : `Recorded since, and not in the attestation: ${describeException(each)}`,
      ),
    ],
  }
}

const withStatement = (exception: RecordException) => ({
  ...exception,
  statement: describeException(exception),
})
const differs = (seq: number) => [`exceptions: what it says of entry ${seq} is not what the entry says`]

const seqOf = (value: unknown): number =>
  typeof value === 'object' && value !== null && 'seq' in value && typeof value.seq === 'number'
    ? value.seq
    : Number.NaN
