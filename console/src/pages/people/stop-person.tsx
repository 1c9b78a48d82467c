import { useMutation } from '@tanstack/react-query'
import { api, expectSuccess } from '../../api'
import { Confirm, ErrorState, Skeleton, say } from '../../parts'
import { keepFocus } from '../../parts/keep-focus'
import { Consequences } from './consequences'
import { type Member, useDependents, useRefreshPeople } from './use-people'

interface StopProps {
  member: Member
  onClose(): void
}

/** Suspends somebody, or lets them in again. */
export function SuspendPerson({ member, onClose }: StopProps) {
  const { userId } = member
  const name = member.name ?? userId
  const isActive = member.status === 'active'
  const found = useDependents({ type: 'user', id: userId })
  const refresh = useRefreshPeople()
  const change = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.PATCH('/v1/user-limits/{userId}', {
          params: { path: { userId } },
          body: { status: isActive ? 'suspended' : 'active' },
        }),
      ),
    async onSuccess() {
      await refresh()
      say(isActive ? `${name} is suspended` : `${name} is active again`)
      onClose()
    },
  })
  const calls = [found.callsLastDay, 'call', 'calls', 'in the last day; the next ones are refused'] as const
  return (
    <Confirm
      open
      onClose={onClose}
      title={`${isActive ? 'Suspend' : 'Reactivate'} ${name}?`}
      action={isActive ? 'Suspend' : 'Reactivate'}
      kind={isActive ? 'danger' : 'primary'}
      onConfirm={() => change.mutate()}
      isBusy={change.isPending || !found.isKnown}
    >
      {found.isKnown ? (
        <Consequences
          facts={[
            [
              found.keys,
              'active key',
              'active keys',
              isActive ? 'will be refused, on every replica within a second' : 'will work again',
            ],
            ...(isActive ? [calls] : []),
          ]}
        >
          {isActive
            ? 'They are signed out and refused everywhere. Nothing is deleted; reactivating gives all of it back.'
            : 'They can sign in again, with the role, the limits and the keys that they had.'}
        </Consequences>
      ) : (
        <Skeleton className="h-16" />
      )}
      {(change.error ?? found.error) && <ErrorState error={change.error ?? found.error} className="mt-3" />}
    </Confirm>
  )
}

export function RemovePerson({ member, onClose, onRemoved }: StopProps & { onRemoved(): void }) {
  const { userId } = member
  const name = member.name ?? userId
  const found = useDependents({ type: 'user', id: userId })
  const refresh = useRefreshPeople()
  const isInUse = found.keys + found.budgets + found.policies > 0
  const remove = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.DELETE('/v1/team/members/{userId}', {
          params: { path: { userId }, query: isInUse ? { cascade: true } : {} },
        }),
      ),
    async onSuccess() {
      onRemoved()
      await refresh()
      keepFocus()
      say(`${name} is removed`)
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Remove ${name}?`}
      action="Remove"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending || !found.isKnown}
    >
      {found.isKnown ? (
        <Consequences
          facts={[
            [found.keys, 'active key', 'active keys', 'revoked, for good'],
            [found.callsLastDay, 'call', 'calls', 'in the last day; the next ones are refused'],
            [found.budgets, 'budget', 'budgets', 'of the person deleted'],
            [found.policies, 'policy', 'policies', 'of the person deleted'],
          ]}
        >
          Their role and limits end. Their calls stay in the record, with their name. To stop somebody for a
          while, suspend them instead.
        </Consequences>
      ) : (
        <Skeleton className="h-16" />
      )}
      {(remove.error ?? found.error) && <ErrorState error={remove.error ?? found.error} className="mt-3" />}
    </Confirm>
  )
}
