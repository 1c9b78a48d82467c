import type { Catalogue } from './catalogue.js'

/** A named piece of a copy of a database: small enough for the memory, but for rows that are not. */
export interface Part {
  name: string
  bytes: Buffer
}

export type Parts = AsyncIterable<Part>

/** The first part: what the copy contains. */
export interface Manifest extends Catalogue {
  format: 1
  /** The version of the program that made the copy, and when. */
  version: string
  createdAt: string
  server: string
  /** In the order in which they were applied. */
  migrations: { name: string; checksum: string }[]
}

export const manifestName = 'manifest.json'
/** The last part: the number of rows of each table. */
export const rowsName = 'rows.json'
export const tablePrefix = 'tables/'

export const jsonPart = (name: string, value: unknown): Part => ({
  name,
  bytes: Buffer.from(`${JSON.stringify(value, null, 1)}\n`),
})
