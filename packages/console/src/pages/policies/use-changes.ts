import { useMutation } from '@tanstack/react-query'
import { api, type components, expectSuccess, useInvalidate } from '../../api'
import { notify, notifyError } from '../../components'

export const policyPaths = ['/v1/policies'] as const

export function useSetEnabled(id: string) {
  const invalidate = useInvalidate(policyPaths)
  return useMutation({
    mutationFn: (body: Pick<components['schemas']['UpdatePolicy'], 'enabled'>) =>
      expectSuccess(api.PATCH('/v1/policies/{id}', { params: { path: { id } }, body })),
    onSuccess: ({ name, enabled }) => {
      void invalidate()
      notify(`Policy “${name}” ${enabled ? 'enabled' : 'disabled'}`)
    },
    onError: (error) => notifyError('Policy not changed', error),
  })
}

export function useDelete(id: string) {
  const invalidate = useInvalidate(policyPaths)
  return useMutation({
    mutationFn: async () => {
      const { response, error } = await api.DELETE('/v1/policies/{id}', { params: { path: { id } } })
      expectSuccess({ response, error, data: true })
    },
    onSuccess: () => {
      void invalidate()
      notify('Policy deleted')
    },
    onError: (error) => notifyError('Policy not deleted', error),
  })
}

export function useRotate(id: string) {
  const invalidate = useInvalidate(policyPaths)
  return useMutation({
    mutationFn: () =>
      expectSuccess(api.POST('/v1/policies/{id}/rotate-secret', { params: { path: { id } } })),
    onSuccess: () => void invalidate(),
    onError: (error) => notifyError('Secret not rotated', error),
  })
}
