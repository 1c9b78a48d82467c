import type { Provider } from '../../../../providers/index.js'
import { ApiError } from '../../../../shared/errors.js'

/** Returns the error for an answer that is larger than the provider's limit. Null when it is not. */
export function findSizeError({ name, limits }: Provider, bytes: number, isStream: boolean): ApiError | null {
  const maxBytes = isStream ? limits.maxStreamBytes : limits.maxAnswerBytes
  if (bytes <= maxBytes) return null
  const what = isStream ? 'stream' : 'answer'
  const message = `Provider ${name} sent more than ${formatBytes(maxBytes)}, the limit of its ${what}s: the answer ends here`
  return new ApiError('upstream_error', message)
}

const formatBytes = (bytes: number): string =>
  bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MiB` : `${bytes} bytes`
