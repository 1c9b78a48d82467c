import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/index.js'
import type { Principal } from '../../../http/index.js'
import { ApiError } from '../../../shared/errors.js'
import { userIdPattern } from '../../../shared/hidden-characters.js'
import { createMember, lockMember, updateMember, updateMemberRole } from '../../teams/index.js'
import { keepLastManager } from '../../tenants/index.js'
import { refuse, SignInProblem } from '../sign-in-problem.js'
import { decideRole, foldEmail, type OidcIdentity, type OidcRules } from './identity.js'

/**
 * Returns the member for a person: the one who signed in with this account before, or the one with this verified
 * email, or else a new one. The role follows the current configuration. The new session is recorded as the author
 * of the changes.
 */
export async function admitMember(
  db: Db,
  { tenantId, sessionId }: { tenantId: string; sessionId: string },
  identity: OidcIdentity,
  rules: OidcRules,
): Promise<Principal> {
  const role = decideRole(identity, rules)
  return await keepLastManager(db, tenantId, async (tx) => {
    const { userId, isLinked } = await findUser(tx, tenantId, identity)
    const actor = { tenantId, userId, keyId: null, sessionId }
    const { name } = identity
    const email = identity.emailVerified ? identity.email : null
    let member = await lockMember(tx, tenantId, userId)
    if (member?.removed_at) throw refuse('user_removed')
    if (member?.status === 'suspended') throw refuse('user_suspended')
    if (!member) member = await createMember(tx, actor, { userId, name, email, role: role ?? 'member' })
    if (!isLinked) await link(tx, tenantId, identity, userId)
    const missing = {
      ...(member.name === null && name !== null && { name }),
      ...(member.email === null && email !== null && { email }),
    }
    if (Object.keys(missing).length > 0) member = await updateMember(tx, actor, userId, missing)
    if (role !== null && role !== member.role) member = await updateMemberRole(tx, actor, userId, role)
    return { ...actor, role: member.role, suspended: false }
  }).catch((error: unknown) => {
    const isLastManager = error instanceof ApiError && error.type === 'conflict'
    throw isLastManager && !(error instanceof SignInProblem) ? refuse('last_manager', error) : error
  })
}

async function findUser(
  tx: Tx,
  tenantId: string,
  identity: OidcIdentity,
): Promise<{ userId: string; isLinked: boolean }> {
  const { issuer, subject } = identity
  const known = await tx
    .selectFrom('oidc_identities')
    .select('user_id')
    .where('tenant_id', '=', tenantId)
    .where('issuer', '=', issuer)
    .where('subject', '=', hashOf(subject))
    .executeTakeFirst()
  if (known) return { userId: known.user_id, isLinked: true }
  // The bare subject is not used, because a manager may have used it as another person's id.
  if (identity.email === null || !identity.emailVerified)
    return { userId: fitting(`oidc:${subject}`), isLinked: false }
  return { userId: await findByEmail(tx, tenantId, issuer, foldEmail(identity.email)), isLinked: false }
}

async function findByEmail(tx: Tx, tenantId: string, issuer: string, email: string): Promise<string> {
  const found = await tx
    .selectFrom('members')
    .leftJoin('oidc_identities as linked', (join) =>
      join
        .onRef('linked.tenant_id', '=', 'members.tenant_id')
        .onRef('linked.user_id', '=', 'members.user_id')
        .on('linked.issuer', '=', issuer),
    )
    .select(['members.user_id', 'members.removed_at', 'linked.subject'])
    .where('members.tenant_id', '=', tenantId)
    .where((eb) =>
      eb.or([
        eb(sql`lower(members.email collate "C")`, '=', email),
        eb(sql`lower(members.user_id collate "C")`, '=', email),
      ]),
    )
    .execute()
  const present = found.filter(({ removed_at }) => removed_at === null)
  const [one] = present
  if (one === undefined) {
    if (found.length > 0) throw refuse('user_removed')
    return fitting(email)
  }
  if (present.length > 1 || one.subject !== null) throw refuse('identity_taken')
  return one.user_id
}

async function link(
  tx: Tx,
  tenantId: string,
  { issuer, subject }: OidcIdentity,
  userId: string,
): Promise<void> {
  const row = { tenant_id: tenantId, issuer, subject: hashOf(subject), user_id: userId }
  const made = await tx
    .insertInto('oidc_identities')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!made) throw refuse('identity_taken')
}

/**
 * Only the hash is stored: it binds an account to its member, even after the person was erased, without naming the
 * account.
 */
const hashOf = (subject: string): string => createHash('sha256').update(subject).digest('hex')

const maxUserIdLength = 128
const userId = new RegExp(userIdPattern, 'u')

/** Returns a valid user id; an invalid text is converted to one that is as unique. */
function fitting(text: string): string {
  if (text.length <= maxUserIdLength && userId.test(text)) return text
  return `oidc:${createHash('sha256').update(text).digest('base64url')}`
}
