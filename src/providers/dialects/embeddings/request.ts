import type { DialectRequest } from '../dialect.js'
import { withoutOutput } from '../without-output.js'

export const embeddingsRequest: DialectRequest = {
  ...withoutOutput,
  faultIn(body) {
    if (typeof body.input !== 'string' && !Array.isArray(body.input)) {
      return { path: 'input', message: 'must be a string, an array of strings, or token numbers' }
    }
    return body.stream === true ? { path: 'stream', message: 'embeddings are not streamed' } : null
  },
}
