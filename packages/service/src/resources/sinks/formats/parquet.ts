import { setImmediate as nextTurn } from 'node:timers/promises'
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer'
import type { ExportedRow } from '../data/batch.js'
import { decimalDigits } from '../data/focus/decimal.js'
import type { Column, ColumnType } from './parquet-columns.js'

// Rows are written in groups, and calls have their turn between two of them.
const groupRows = 250
const decimalDigitsInAll = 38

/** Writes rows as a Parquet file, compressed with Snappy, which every reader knows. */
export async function encodeParquet(
  columns: readonly Column[],
  rows: readonly ExportedRow[],
  valuesOf: (row: ExportedRow) => Readonly<Record<string, unknown>>,
): Promise<Buffer> {
  const writer = new ByteWriter()
  const file = new ParquetWriter({ writer, schema: schemaOf(columns), createdBy: 'Tallystick' })
  for (let start = 0; start < rows.length; start += groupRows) {
    const values = rows.slice(start, start + groupRows).map(valuesOf)
    const columnData = columns.map(({ name, type }) => ({
      name,
      data: values.map((row) => toStored(row[name], type)),
    }))
    await file.write({ columnData, rowGroupSize: groupRows })
    await nextTurn()
  }
  file.finish()
  return Buffer.from(writer.getBuffer())
}

const schemaOf = (columns: readonly Column[]): SchemaElement[] => [
  { name: 'root', num_children: columns.length },
  ...columns.map(
    ({ name, type }): SchemaElement => ({ name, repetition_type: 'OPTIONAL', ...elementOf(type) }),
  ),
]

function elementOf(type: ColumnType): Omit<SchemaElement, 'name'> {
  if (typeof type === 'object')
    return {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 16,
      converted_type: 'DECIMAL',
      precision: decimalDigitsInAll,
      scale: type.decimals,
    }
  if (type === 'integer') return { type: 'INT64' }
  if (type === 'boolean') return { type: 'BOOLEAN' }
  if (type === 'time')
    return {
      type: 'INT64',
      converted_type: 'TIMESTAMP_MILLIS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
    }
  return { type: 'BYTE_ARRAY', converted_type: 'UTF8' }
}

function toStored(value: unknown, type: ColumnType): unknown {
  if (value === null || value === undefined) return null
  if (type === 'integer') return BigInt(Number(value))
  if (type === 'time') return new Date(String(value))
  if (type === 'json') return JSON.stringify(value)
  if (typeof type === 'object')
    return decimalDigits(
      typeof value === 'number' ? value.toFixed(type.decimals) : String(value),
      type.decimals,
    )
  return value
}
