import { parseObject } from '@tallystick/record/json'
import { ApiError } from '../../../shared/errors.js'
import type { ModelProperties } from '../../catalogue/model-properties.js'
import { boundInput } from '../../input/index.js'
import type { Provider, Transport, UpstreamRequest, UpstreamSink } from '../../provider.js'
import type { TokenCounter } from '../../tokenizer/token-counter.js'
import { writeTokenCount } from './answer.js'
import { countTokensShape } from './shape.js'

/** Wraps a provider so that token-count requests are answered locally, without calling the provider. */
export function countLocally(
  provider: Provider,
  properties: ModelProperties,
  counter: Pick<TokenCounter, 'measure'>,
): Provider {
  const send: Transport['send'] = (request, sink) => {
    let isOver = false
    const finish = (report: () => void) => {
      if (!isOver) report()
      isOver = true
    }
    count(request).then(
      (body) => finish(() => answer(sink, body)),
      (cause) =>
        finish(() =>
          sink.fail(
            new ApiError('internal_error', 'The tokens could not be counted', {}, { cause }),
            'refused',
          ),
        ),
    )
    return {
      resume: () => undefined,
      abort: () => {
        isOver = true
      },
    }
  }

  async function count({ body }: UpstreamRequest): Promise<Buffer> {
    const read = parseObject(body.toString()) ?? {}
    const { estimateTokens, audio } = await boundInput({
      body: read,
      shape: countTokensShape,
      properties,
      counter,
    })
    return Buffer.from(JSON.stringify(writeTokenCount(estimateTokens + audio.estimate)))
  }

  return { ...provider, transport: { send, retire: () => undefined, close: async () => undefined } }
}

function answer(sink: UpstreamSink, body: Buffer): void {
  sink.head(200, { 'content-type': 'application/json' })
  sink.data(body)
  sink.end()
}
