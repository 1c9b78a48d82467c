import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { api, type components, expectSuccess, queryKeyOf, type ResponseOf, useInvalidate } from '../../api'
import { notify, notifyError } from '../../components'

export type Prompt = ResponseOf<'/v1/prompts/{id}'>
export type Version = components['schemas']['PromptVersion']

/** The versions of a prompt, newest first, as an infinite query. */
export const useVersions = (id: string) =>
  useInfiniteQuery({
    queryKey: queryKeyOf('/v1/prompts/{id}/versions', id),
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

export const promptPaths = ['/v1/prompts'] as const

export interface LabelMove {
  label: string
  version: Version
}

/** Points a label to a version; returns what was set, because the API returns no body. */
export async function setLabel(promptId: string, move: LabelMove): Promise<LabelMove> {
  const { response, error } = await api.POST('/v1/prompts/labels', {
    body: { promptId, label: move.label, versionId: move.version.id },
  })
  expectSuccess({ response, error, data: true })
  return move
}

export function useSetLabel(promptId: string) {
  const invalidate = useInvalidate(promptPaths)
  return useMutation({
    mutationFn: (move: LabelMove) => setLabel(promptId, move),
    onSuccess: (_, { label, version }) => {
      void invalidate()
      notify(`Label ${label} now points to version ${version.version}`)
    },
  })
}

export function useDeleteLabel(id: string) {
  const invalidate = useInvalidate(promptPaths)
  return useMutation({
    mutationFn: async (label: string) => {
      const { response, error } = await api.DELETE('/v1/prompts/{id}/label/{label}', {
        params: { path: { id, label } },
      })
      expectSuccess({ response, error, data: true })
    },
    onSuccess: (_, label) => {
      void invalidate()
      notify(`Label ${label} deleted`)
    },
    onError: (error) => notifyError('Label not deleted', error),
  })
}

export function useDeletePrompt(id: string) {
  const invalidate = useInvalidate(promptPaths)
  return useMutation({
    mutationFn: async () => {
      const { response, error } = await api.DELETE('/v1/prompts/{id}', {
        params: { path: { id }, query: { cascade: true } },
      })
      expectSuccess({ response, error, data: true })
    },
    onSuccess: () => {
      void invalidate()
      notify('Prompt deleted')
    },
    onError: (error) => notifyError('Prompt not deleted', error),
  })
}
