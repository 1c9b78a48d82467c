import { createHash } from 'node:crypto'

/**
 * Returns the hash under which an id is stored and compared, in hex. It includes the kind, because a self-hosted
 * server may number every kind from one.
 */
export const hashReference = ({ kind, id }: { kind: string; id: string }): string =>
  createHash('sha256').update(`${kind}\n${id}`).digest('hex')
