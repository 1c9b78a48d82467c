import { createHash } from 'node:crypto'

/** How an id is kept and compared, in hex. The kind is part of it: servers of one's own may number everything from one. */
export const hashReference = ({ kind, id }: { kind: string; id: string }): string =>
  createHash('sha256').update(`${kind}\n${id}`).digest('hex')
