import { type Piece, type Source, sources } from '../query/pieces.js'

/** A span of one source that is read once, whatever number of points it is added to or subtracted from. */
export interface ReadSpan {
  fromMs: number
  toMs: number
  uses: { point: number; sign: 1 | -1 }[]
  /** How often it counts in the span of the report, and in the previous one: 1, 0 or -1. */
  inSpan: number
  before: number
}

/** The spans of one source, and what is read of them. */
export interface ReadSource {
  source: Source
  what: 'calls' | 'refusals'
  spans: ReadSpan[]
}

/**
 * Combines pieces of the same span: the hours that divide a day are added to one point and subtracted from another,
 * and cancel out in the whole. `before` is the number of the point that stands for the previous span.
 */
export function combinePieces(
  pieces: readonly Piece[],
  what: ReadSource['what'],
  before: number,
): ReadSource[] {
  return sources.flatMap((source) => {
    const spans = new Map<string, ReadSpan>()
    for (const piece of pieces) {
      if (piece.source !== source) continue
      const { fromMs, toMs, point, sign } = piece
      const span = spans.get(`${fromMs} ${toMs}`) ?? { fromMs, toMs, uses: [], inSpan: 0, before: 0 }
      spans.set(`${fromMs} ${toMs}`, span)
      span.uses.push({ point, sign })
      if (point === before) span.before += sign
      else span.inSpan += sign
    }
    return spans.size === 0 ? [] : [{ source, what, spans: [...spans.values()] }]
  })
}
