import type { Part } from '../../../db/index.js'
import { readStoredCheckpoints, type StoredCheckpoint } from '../../../record/index.js'
import { conflict } from '../../../shared/errors.js'

export const checkpointPrefix = 'checkpoints/'

export const checkpointParts = (checkpoints: readonly StoredCheckpoint[]): Part[] =>
  checkpoints.flatMap(({ tenant, note }) =>
    note === null ? [] : [{ name: `${checkpointPrefix}${tenant}.txt`, bytes: Buffer.from(note) }],
  )

/** Returns the checkpoints of a database that was filled. Throws unless each record ends where the copy says. */
export async function requireCheckpoints(
  connection: Parameters<typeof readStoredCheckpoints>[0],
  expected: ReadonlyMap<string, string>,
): Promise<StoredCheckpoint[]> {
  const found = await readStoredCheckpoints(connection)
  for (const [tenant, note] of expected)
    if (found.find((each) => each.tenant === tenant)?.note !== note)
      throw conflict(`The record of ${tenant} does not end with the checkpoint of the copy: nothing was kept`)
  return found
}

/** One line for each record. */
export const describeCheckpoints = (checkpoints: readonly StoredCheckpoint[]): string[] =>
  checkpoints.map(({ name, size, note, mark }) =>
    note === null
      ? `${name}: ${size} entries; the stored record does not match its last checkpoint, see tallystick verify`
      : `${name}: ${size} entries, root ${mark.root}`,
  )
