import { emptyRoot } from '@tallystick/record/format'
import { type Db, inSnapshot } from '../../db/index.js'
import { hasRoot } from '../read/has-root.js'
import { RecordDamageError, type Seal, sealedRoot } from '../read/seals.js'
import { type AnchorRow, findAnchorOver } from './store.js'
import { readTokenTime } from './time-stamp.js'

export interface AnchorStatement {
  type: 'none' | 'file' | 'rfc3161'
  /** Hex. */
  root: string
  note: string
  /** The record is not the one that was anchored: it was truncated or rewritten since. */
  isContradicted: boolean
}

/** Describes what evidence outside this service exists for the record up to an entry, without promising more. */
export async function describeAnchor(db: Db, tenantId: string, toSeq: number): Promise<AnchorStatement> {
  return await inSnapshot(db, async (tx) => {
    const anchor = await findAnchorOver(tx, tenantId, toSeq)
    if (!anchor) return await describeNone(tx, tenantId)
    const root = readRoot(anchor)
    const isContradicted = root === null || !(await hasRoot(tx, tenantId, anchor.size, root))
    const sentences = [
      isContradicted ? contradiction : '',
      describeTarget(anchor),
      anchor.size < toSeq ? `Entries after ${anchor.size} are newer than that and self-attested.` : '',
    ]
    return {
      type: anchor.type,
      root: (root ?? emptyRoot()).toString('hex'),
      note: sentences.filter(Boolean).join(' '),
      isContradicted,
    }
  })
}

/** Null when the stored note is damaged. */
function readRoot(seal: Seal): Buffer | null {
  try {
    return sealedRoot(seal)
  } catch (error) {
    if (error instanceof RecordDamageError) return null
    throw error
  }
}

const selfAttested =
  'Self-attested: the root is signed with a key of this service and kept by this service alone. Nobody outside holds a copy, ' +
  'so a record that was rewritten as a whole and signed again would not show.'

const contradiction =
  'The record is not the one that was anchored: it has been cut off or rewritten since, or its stored hashes were damaged.'

function describeTarget({ type, day, size, token, anchored_at }: AnchorRow): string {
  const what = `The checkpoint of ${day} over ${size} entries`
  if (type === 'file' || token === null)
    return `${what} was appended to a file of the operator's at ${anchored_at.toISOString()}. It binds this service as far as that file is kept where it cannot be rewritten.`
  return `${what} was stamped by a time-stamp authority (RFC 3161) at ${readTokenTime(token).toISOString()}. GET /v1/compliance/anchors has the token; its signature is for the reader to check.`
}

async function describeNone(db: Db, tenantId: string): Promise<AnchorStatement> {
  const seal = await db
    .selectFrom('seals')
    .select(['size', 'note'])
    .where('tenant_id', '=', tenantId)
    .orderBy('size', 'desc')
    .limit(1)
    .executeTakeFirst()
  const root = seal ? readRoot(seal) : emptyRoot()
  const note = root ? selfAttested : `${selfAttested} The newest seal cannot be read.`
  return { type: 'none', root: (root ?? emptyRoot()).toString('hex'), note, isContradicted: false }
}
