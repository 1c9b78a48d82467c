import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type components, expectSuccess, keyOf } from '../../api'
import { say, sayFailed } from '../../parts'

type Update = components['schemas']['UpdatePolicy']
type Create = components['schemas']['CreatePolicy']

/** All lists and records of policies are asked again. */
function useRefresh() {
  const queries = useQueryClient()
  return () => {
    void queries.invalidateQueries({ queryKey: [keyOf('/v1/policies')[0]] })
    void queries.invalidateQueries({ queryKey: [keyOf('/v1/policies/{id}')[0]] })
  }
}

/** A fault that has a field of its own stands beside it; the rest is said. */
export function useChange(id: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: Update) =>
      expectSuccess(api.PATCH('/v1/policies/{id}', { params: { path: { id } }, body })),
    onSuccess: ({ name, enabled }, body) => {
      refresh()
      if (Object.keys(body).join() === 'enabled') say(`“${name}” is ${enabled ? 'in force' : 'out of force'}`)
      else say(`“${name}” is saved`)
    },
    onError: (error) => sayFailed('The policy is as it was', error),
  })
}

export function useCreate() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: Create) => expectSuccess(api.POST('/v1/policies', { body })),
    onSuccess: ({ name, enabled }) => {
      refresh()
      say(`“${name}” is saved${enabled ? ' and in force' : ', not in force'}`)
    },
    onError: (error) => sayFailed('The policy was not saved', error),
  })
}

export function useDelete(id: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async () => {
      const { response, error } = await api.DELETE('/v1/policies/{id}', { params: { path: { id } } })
      expectSuccess({ response, error, data: true })
    },
    onSuccess: () => {
      refresh()
      say('The policy is deleted')
    },
    onError: (error) => sayFailed('The policy was not deleted', error),
  })
}

export function useRotate(id: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: () =>
      expectSuccess(api.POST('/v1/policies/{id}/rotate-secret', { params: { path: { id } } })),
    onSuccess: refresh,
    onError: (error) => sayFailed('The secret is as it was', error),
  })
}
