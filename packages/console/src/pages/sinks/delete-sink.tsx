import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, expectSuccess } from '../../api'
import { Confirm, ErrorState, notify } from '../../components'
import { keepFocus } from '../../components/overlay/keep-focus'
import { plural } from '../../format'
import type { Sink } from './use-sinks'

interface DeleteSinkProps {
  sink: Sink
  onClose(): void
  onDeleted(): void
}

export function DeleteSink({ sink: { id, name, state }, onClose, onDeleted }: DeleteSinkProps) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => await expectSuccess(api.DELETE('/v1/sinks/{id}', { params: { path: { id } } })),
    async onSuccess() {
      onDeleted()
      // The list alone: the panel is still open for a moment, and would ask for a sink that is gone.
      await queries.invalidateQueries({ queryKey: ['/v1/sinks'] })
      keepFocus()
      notify(`Sink “${name}” deleted`)
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete “${name}”?`}
      action="Delete sink"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
    >
      <p className="m-0">
        Nothing more will be exported. The {plural(state.exported, 'row')} that it exported stay where they
        are. Its secrets are deleted. A new sink would export everything again.
      </p>
      {remove.error && <ErrorState error={remove.error} className="mt-3" />}
    </Confirm>
  )
}
