import { useMutation } from '@tanstack/react-query'
import { api, expectSuccess } from '../../../api'
import { Confirm, ErrorState, notify } from '../../../components'
import { keepFocus } from '../../../components/overlay/keep-focus'
import { formatInteger, plural } from '../../../format'
import { type LastDay, type Provider, useRefresh } from '../use-providers'

/** Counts the calls of the last day, which would fail without the provider. */
export function CallsOfLastDay({ name, lastDay }: { name: string; lastDay: LastDay }) {
  const calls = lastDay.of(name)?.calls
  if (calls === undefined) return 'Counting the calls of the last day …'
  if (calls === 0) return 'It received no calls in the last day.'
  return (
    <>
      <b className="num font-semibold">{formatInteger(calls)}</b> {calls === 1 ? 'call' : 'calls'} in the last
      day used it; such calls will start to fail within a second.
    </>
  )
}

interface DeleteProviderProps {
  provider: Provider
  lastDay: LastDay
  onClose(): void
  onDeleted(): void
}

export function DeleteProvider({ provider, lastDay, onClose, onDeleted }: DeleteProviderProps) {
  const refresh = useRefresh()
  const { id, name, credentials } = provider
  const remove = useMutation({
    mutationFn: async () =>
      await expectSuccess(api.DELETE('/v1/providers/{id}', { params: { path: { id } } })),
    async onSuccess() {
      onDeleted()
      await refresh()
      keepFocus()
      notify(`Provider “${name}” deleted`)
    },
  })
  const calls = lastDay.of(name)?.calls ?? 0
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete “${name}”?`}
      action={calls === 0 ? 'Delete provider' : `Delete: ${plural(calls, 'call')} a day will fail`}
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending || lastDay.isLoading}
    >
      <p className="m-0">
        <CallsOfLastDay name={name} lastDay={lastDay} />
      </p>
      <p className="m-0 mt-2 text-ink-2">
        {credentials.length > 0 &&
          `${plural(credentials.length, 'credential is', 'credentials are')} erased, and so are your own prices for its models. `}
        Routes skip it. Its calls and receipts stay.
      </p>
      {remove.error && <ErrorState error={remove.error} className="mt-3" />}
    </Confirm>
  )
}
