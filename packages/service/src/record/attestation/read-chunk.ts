import type { BulkReader } from '../../db/index.js'
import type { Chunk } from './chunk.js'

/** A row of the record as it is stored. */
export interface StoredRow {
  /** 0x00 and the text of the entry, joined by the database: the input of its leaf hash, without another copy. */
  leafInput: Buffer
  /** The hash column. */
  storedLeaf: Buffer
  /** Whether the key that opens its commitments still exists. */
  hasKey: boolean
}

export interface StoredSeal {
  size: number
  keyId: string
  note: string
}

/** Sorted by the number column. The number that counts is the one in the entry. */
export async function readRows(
  reader: BulkReader,
  tenant: string,
  { after, upTo }: Chunk,
  onRow: (row: StoredRow) => void,
): Promise<void> {
  await reader.read(
    {
      text: `select '\\x00'::bytea || convert_to(canonical, 'UTF8'), leaf_hash, commitment_key is not null
             from receipts where tenant_id = $1 and seq > $2 and seq <= $3 order by seq`,
      values: [tenant, after, upTo],
    },
    ([leafInput = nothing, storedLeaf = nothing, hasKey]) =>
      onRow({ leafInput, storedLeaf, hasKey: hasKey?.[0] === 1 }),
  )
}

const nothing = Buffer.alloc(0)

/** The newest seal, the newest of every key, and `max` of the others, evenly spread. */
export async function readSeals(
  reader: BulkReader,
  tenant: string,
  { after, upTo }: Chunk,
  max: number,
): Promise<StoredSeal[]> {
  const seals: StoredSeal[] = []
  await reader.read(
    {
      text: `select size, key_id, note from (
               select size, key_id, note,
                 row_number() over (order by size desc) - 1 as place,
                 row_number() over (partition by key_id order by size desc) as place_of_key,
                 count(*) over () as total
               from seals where tenant_id = $1 and size > $2 and size <= $3) s
             where place_of_key = 1 or place % (1 + total / $4) = 0
             order by size`,
      values: [tenant, after, upTo, max],
    },
    ([size, keyId, note]) =>
      seals.push({
        size: Number(size?.readBigInt64BE() ?? 0),
        keyId: keyId?.toString() ?? '',
        note: note?.toString() ?? '',
      }),
  )
  return seals
}
