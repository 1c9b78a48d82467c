import { priceFromUsd } from '@tallystick/record/pricing'
import type { Provider, Target, UpstreamCall, UpstreamSink } from '../../../providers/index.js'
import type { StoredAnswer } from '../../../resources/response-cache/index.js'

const free = priceFromUsd({ inputUsdPerMTok: 0, outputUsdPerMTok: 0 })

// Answers are sent in pieces of this size, as a provider would, so that other calls proceed in between.
const pieceBytes = 16 * 1024

/** A stored answer. Its status is 200 unless it has another one. */
type KnownAnswer = StoredAnswer & { status?: number; contentEncoding?: string | undefined }

/** Returns the target with a transport that sends the stored answer. */
export const replayTarget = (target: Target, stored: KnownAnswer): Target => ({
  ...target,
  price: free,
  isCached: true,
  provider: withSend(target.provider, (_, sink) => replay(stored, sink)),
})

function replay(
  { status = 200, contentType, contentEncoding, body }: KnownAnswer,
  sink: UpstreamSink,
): UpstreamCall {
  let at = 0
  let isOver = false
  let isPaused = false
  const step = () => {
    if (isOver || isPaused) return
    if (at >= body.length) {
      isOver = true
      sink.end()
      return
    }
    isPaused = !sink.data(body.subarray(at, at + pieceBytes))
    at += pieceBytes
    if (!isPaused) setImmediate(step)
  }
  setImmediate(() => {
    if (isOver) return
    sink.head(status, {
      'content-type': contentType,
      ...(contentEncoding !== undefined && { 'content-encoding': contentEncoding }),
    })
    step()
  })
  return {
    resume() {
      if (!isPaused) return
      isPaused = false
      setImmediate(step)
    },
    abort() {
      isOver = true
    },
  }
}

/** A target that records its answer, up to a maximum size. */
export interface Recording {
  target: Target
  answer(): StoredAnswer | null
}

/** Returns the target with a transport that records the answer before policies judge it. */
export function recordingTarget(target: Target, maxBytes: number): Recording {
  const { provider } = target
  let pieces: Buffer[] = []
  let size = 0
  let contentType: string | null = null
  return {
    target: {
      ...target,
      provider: withSend(provider, (request, sink) =>
        provider.transport.send(request, {
          head(status, headers, retryAfterMs) {
            const { 'content-type': type = null, 'content-encoding': encoding = 'identity' } = headers
            contentType = status === 200 && encoding === 'identity' ? type : null
            sink.head(status, headers, retryAfterMs)
          },
          data(chunk) {
            size += chunk.length
            if (size <= maxBytes) pieces.push(chunk)
            else pieces = []
            return sink.data(chunk)
          },
          end: () => sink.end(),
          fail: (error, kind, limit) => sink.fail(error, kind, limit),
        }),
      ),
    },
    answer: () =>
      contentType === null || size > maxBytes ? null : { contentType, body: Buffer.concat(pieces) },
  }
}

const withSend = (provider: Provider, send: Provider['transport']['send']): Provider => ({
  ...provider,
  transport: { ...provider.transport, send },
})
