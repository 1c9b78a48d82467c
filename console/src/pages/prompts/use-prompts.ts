import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type Answer, api, type components, expectSuccess, keyOf } from '../../api'
import { say, sayFailed } from '../../parts'

export type Prompt = Answer<'/v1/prompts/{id}'>
export type Version = components['schemas']['PromptVersion']

/** The versions of a prompt, newest first, page by page. */
export const useVersions = (id: string) =>
  useInfiniteQuery({
    queryKey: keyOf('/v1/prompts/{id}/versions', id),
    queryFn: ({ signal, pageParam }) =>
      expectSuccess(
        api.GET('/v1/prompts/{id}/versions', {
          params: { path: { id }, query: { limit: 100, ...(pageParam !== null && { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  })

function useRefresh() {
  const queries = useQueryClient()
  return () =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/v1/prompts'),
    })
}

export function useCreatePrompt() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: components['schemas']['CreatePrompt']) =>
      expectSuccess(api.POST('/v1/prompts', { body })),
    onSuccess: ({ name }) => {
      refresh()
      say(`“${name}” is there`)
    },
  })
}

export function useAppend(promptId: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (content: string) =>
      expectSuccess(api.POST('/v1/prompts/versions', { body: { promptId, content } })),
    onSuccess: ({ version }) => {
      refresh()
      say(`Version ${version} is there; no label points at it yet`)
    },
  })
}

export interface LabelMove {
  label: string
  version: Version
}

export function useSetLabel(promptId: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ label, version }: LabelMove) => {
      const { response, error } = await api.POST('/v1/prompts/labels', {
        body: { promptId, label, versionId: version.id },
      })
      expectSuccess({ response, error, data: true })
    },
    onSuccess: (_, { label, version }) => {
      refresh()
      say(`${label} is version ${version.version} now`)
    },
  })
}

export function useDeleteLabel(id: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (label: string) => {
      const { response, error } = await api.DELETE('/v1/prompts/{id}/label/{label}', {
        params: { path: { id, label } },
      })
      expectSuccess({ response, error, data: true })
    },
    onSuccess: (_, label) => {
      refresh()
      say(`The label ${label} is deleted`)
    },
    onError: (error) => sayFailed('The label is where it was', error),
  })
}

export function useDeletePrompt(id: string) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async () => {
      const { response, error } = await api.DELETE('/v1/prompts/{id}', {
        params: { path: { id }, query: { cascade: true } },
      })
      expectSuccess({ response, error, data: true })
    },
    onSuccess: () => {
      refresh()
      say('The prompt is deleted')
    },
    onError: (error) => sayFailed('The prompt was not deleted', error),
  })
}
