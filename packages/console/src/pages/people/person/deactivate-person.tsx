import { useMutation } from '@tanstack/react-query'
import { api, expectSuccess } from '../../../api'
import { Confirm, ErrorState, notify, Skeleton } from '../../../components'
import { keepFocus } from '../../../components/overlay/keep-focus'
import { Consequences } from '../consequences'
import { type Member, useDependents, useRefreshPeople } from '../use-people'

interface DeactivateProps {
  member: Member
  onClose(): void
}

/** Confirms suspending or reactivating a person. */
export function SuspendPerson({ member, onClose }: DeactivateProps) {
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
      notify(isActive ? `${name} suspended` : `${name} reactivated`)
      onClose()
    },
  })
  const calls = [found.callsLastDay, 'call', 'calls', 'in the last day; later ones are rejected'] as const
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
          effects={[
            [
              found.keys,
              'active key',
              'active keys',
              isActive ? 'will be rejected, on every replica within a second' : 'will work again',
            ],
            ...(isActive ? [calls] : []),
          ]}
        >
          {isActive
            ? 'They are signed out and their calls are rejected. Nothing is deleted; reactivating restores everything.'
            : 'They can sign in again, with their previous role, limits and keys.'}
        </Consequences>
      ) : (
        <Skeleton className="h-16" />
      )}
      {(change.error ?? found.error) && <ErrorState error={change.error ?? found.error} className="mt-3" />}
    </Confirm>
  )
}

export function RemovePerson({ member, onClose, onRemoved }: DeactivateProps & { onRemoved(): void }) {
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
      notify(`${name} removed`)
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
          effects={[
            [found.keys, 'active key', 'active keys', 'revoked permanently'],
            [found.callsLastDay, 'call', 'calls', 'in the last day; later ones are rejected'],
            [found.budgets, 'budget', 'budgets', 'of the person deleted'],
            [found.policies, 'policy', 'policies', 'of the person deleted'],
          ]}
        >
          Their role and limits are deleted. Their calls stay in the record, with their name. To block someone
          temporarily, suspend them instead.
        </Consequences>
      ) : (
        <Skeleton className="h-16" />
      )}
      {(remove.error ?? found.error) && <ErrorState error={remove.error ?? found.error} className="mt-3" />}
    </Confirm>
  )
}
