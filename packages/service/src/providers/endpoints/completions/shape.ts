import { EndpointShape, maxOutput, setting, text } from '../../shapes/index.js'
import { completionSettings } from '../settings.js'

export const completionsShape = new EndpointShape({
  request: {
    ...completionSettings,
    prompt: { ...text, numbers: 'tokens', isConversation: true, isReadSeparately: true },
    suffix: text,
    echo: setting,
    max_tokens: { ...setting, ...maxOutput },
    // Compatible servers also honour these members.
    max_output_tokens: maxOutput,
    max_new_tokens: maxOutput,
    n_predict: maxOutput,
    num_predict: maxOutput,
    n: { ...setting, limits: 'choices' },
    best_of: { ...setting, limits: 'choices' },
  },
  answer: { emptyLogprobs: 'null' },
  output: 'limited',
  hasNoToolsOrReferences: true,
  isCacheable: true,
  price: { modes: ['chat', 'responses', 'completion'] },
})
