/** A model that a key may call, with the paths at which it can be called. */
export interface CallableModel {
  id: string
  endpoints: readonly string[]
}

export const chatPath = '/v1/chat/completions'
export const messagesPath = '/v1/messages'
export const responsesPath = '/v1/responses'

/**
 * Returns the model for an example of an endpoint: the chosen one if it serves the endpoint, otherwise the first that does. Null if the
 * key may call none.
 */
export function modelFor(
  path: string,
  models: readonly CallableModel[],
  chosen: string | null = null,
): string | null {
  const fitting = models.filter(({ endpoints }) => endpoints.includes(path))
  return (fitting.find(({ id }) => id === chosen) ?? fitting[0])?.id ?? null
}
