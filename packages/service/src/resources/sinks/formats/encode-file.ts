import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { ExportedRow } from '../data/batch.js'
import type { SinkRow } from '../store.js'
import { lineFormatOf } from './line-format.js'
import { encodeParquet } from './parquet.js'
import { tables } from './parquet-columns.js'

const compress = promisify(gzip)

interface EncodedFile {
  extension: string
  contentType: string
  body: Buffer
}

/** Returns a file with these rows. The same rows are the same bytes. */
export async function encodeFile(
  { data, format }: Pick<SinkRow, 'data' | 'format'>,
  rows: readonly ExportedRow[],
): Promise<EncodedFile> {
  const table = tables[data]
  if (format === 'parquet' && table) {
    const body = await encodeParquet(table.columns, rows, table.valuesOf)
    return { extension: 'parquet', contentType: 'application/vnd.apache.parquet', body }
  }
  const { extension, contentType, head, line } = lineFormatOf(format)
  const text = [head(rows), ...rows.map(line)].join('')
  return { extension: `${extension}.gz`, contentType, body: await compress(text) }
}
