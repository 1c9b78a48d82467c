import {
  answerFormat,
  EndpointShape,
  items,
  maxOutput,
  object,
  parts,
  setting,
  settings,
  text,
  word,
} from '../../shapes/index.js'
import { completionSettings } from '../settings.js'

const content = parts({ type: word, text, refusal: text })

export const chatShape = new EndpointShape({
  request: {
    ...completionSettings,
    messages: {
      ...items({
        role: word,
        name: word,
        content,
        refusal: text,
        reasoning_content: text,
        tool_call_id: word,
        tool_calls: object({
          id: word,
          type: word,
          function: object({ name: word, arguments: text }),
          custom: object({ name: word, input: text }),
        }),
        function_call: object({ name: word, arguments: text }),
      }),
      isConversation: true,
    },
    // Predicted text that is not used is billed as output, and no maximum limits it.
    prediction: { ...object({ type: word, content }), addsOutput: true },
    max_completion_tokens: { ...setting, ...maxOutput },
    max_tokens: { ...setting, ...maxOutput },
    // OpenAI-compatible servers also honour these members.
    max_output_tokens: maxOutput,
    max_new_tokens: maxOutput,
    n_predict: maxOutput,
    num_predict: maxOutput,
    n: { ...setting, limits: 'choices' },
    // Some servers generate this many answers and return the best of them.
    best_of: { limits: 'choices' },
    modalities: settings,
    audio: settings,
    response_format: answerFormat(),
    web_search_options: { enablesTool: 'web_search' },
  },
  parts: {
    image_url: { kind: 'image', in: 'image_url', url: 'url', detail: 'detail', mayBeString: true },
    input_audio: { kind: 'audio', in: 'input_audio' },
    file: { kind: 'file', in: 'file' },
  },
  answer: { json: 'content', emptyLogprobs: 'null' },
  output: 'limited',
  isCacheable: true,
  price: { modes: ['chat', 'responses', 'completion'] },
})
