import { ApiError } from '../errors.js'
import { parseObject } from '../json/index.js'
import { writeTokenCount } from './dialects/count-tokens/index.js'
import { boundInput } from './input/index.js'
import type { ModelFacts } from './model-facts.js'
import type { TokenCounter } from './tokens.js'
import type { Provider, Transport, UpstreamRequest, UpstreamSink } from './transport.js'

/** The same provider for requests that ask how many tokens they have: it is not asked, they are counted here. */
export function countHere(
  provider: Provider,
  facts: ModelFacts,
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
      dialect: 'messages',
      facts,
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
