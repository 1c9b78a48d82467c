import pg from 'pg'
import { type Partition, readCatalogue } from './catalogue.js'

const isSame = (one: Partition, other: Partition) =>
  one.name === other.name && one.parent === other.parent && one.bound === other.bound

/** Gives the tables the partitions of a copy, with their indexes, in place of those that the migrations have made. */
export async function arrangePartitions(client: pg.Client, wanted: readonly Partition[]): Promise<void> {
  const { partitions: found } = await readCatalogue(client)
  for (const partition of found)
    if (!wanted.some((each) => isSame(each, partition)))
      await client.query(`drop table ${pg.escapeIdentifier(partition.name)}`)
  for (const partition of wanted) {
    const { name, parent, bound, indexes } = partition
    const made = found.find((each) => isSame(each, partition))
    if (made === undefined)
      await client.query(
        `create table ${pg.escapeIdentifier(name)} partition of ${pg.escapeIdentifier(parent)} ${bound}`,
      )
    for (const index of indexes) if (!made?.indexes.includes(index)) await client.query(index)
  }
}
