import { Headline } from '../../components'
import { type Session, useSession } from '../../session'

const rights: Record<Session['role'], string> = {
  manager: 'You can see and change everything in the tenant.',
  auditor: 'You can see everything in the tenant and change nothing.',
  member: 'You see your own keys, calls, spend and requests.',
}

/** The signed-in user and their permissions. */
export function WhoYouAre() {
  const { name, email, userId, keyName, role, tenant } = useSession()
  const displayName = name ?? email ?? userId
  return (
    <Headline>
      You are signed in as{' '}
      {displayName === null ? (
        <>
          the key <b>{keyName ?? 'without a name'}</b>
        </>
      ) : (
        <b>{displayName}</b>
      )}
      , {role === 'auditor' ? 'an' : 'a'} {role} of <b>{tenant.name}</b>.{' '}
      <span className="text-ink-3">{rights[role]}</span>
    </Headline>
  )
}
