import type { ExportedRow } from '../data/batch.js'
import type { SinkRow } from '../store.js'
import { csvHead, csvLine } from './csv.js'

/** A format in which each row is a line, or a few if a value has line breaks. */
export interface LineFormat {
  extension: string
  contentType: string
  /** What comes before the first row. */
  head(rows: readonly ExportedRow[]): string
  line(row: ExportedRow): string
}

const jsonLines: LineFormat = {
  extension: 'jsonl',
  contentType: 'application/x-ndjson',
  head: () => '',
  line: ({ json }) => `${json}\n`,
}

const csv: LineFormat = {
  extension: 'csv',
  contentType: 'text/csv; charset=utf-8',
  head: ([first]) => (first ? csvHead(JSON.parse(first.json)) : ''),
  line: ({ json }) => csvLine(JSON.parse(json)),
}

export const lineFormatOf = (format: SinkRow['format']): LineFormat => (format === 'csv' ? csv : jsonLines)
