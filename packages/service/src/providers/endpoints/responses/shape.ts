import {
  answerFormat,
  EndpointShape,
  maxOutput,
  parts,
  setting,
  settings,
  text,
  word,
} from '../../shapes/index.js'
import { openAiSettings } from '../settings.js'

const content = parts({ type: word, text, refusal: text, detail: word, filename: word })

/** Members in which a response repeats its request; they are not model output. */
export const echoes = [
  ...['instructions', 'input', 'metadata', 'prompt', 'prompt_cache_key', 'reasoning', 'safety_identifier'],
  ...['text', 'tool_choice', 'tools', 'user'],
]

export const responsesShape = new EndpointShape({
  request: {
    ...openAiSettings,
    instructions: content,
    input: {
      ...parts({
        type: word,
        role: word,
        id: word,
        status: word,
        call_id: word,
        name: word,
        content,
        summary: content,
        output: content,
        arguments: text,
        input: text,
        text,
        detail: word,
      }),
      isConversation: true,
      hasStoredItems: true,
    },
    max_output_tokens: { ...setting, ...maxOutput },
    max_tool_calls: setting,
    truncation: setting,
    background: setting,
    include: settings,
    previous_response_id: setting,
    conversation: settings,
    text: answerFormat('format'),
    store: { ...setting, isOnByDefault: true },
  },
  parts: {
    input_image: { kind: 'image', url: 'image_url', detail: 'detail' },
    computer_screenshot: { kind: 'image', url: 'image_url', detail: 'detail' },
    image_generation_call: { kind: 'image bytes', member: 'result' },
    input_file: { kind: 'file' },
    input_audio: { kind: 'audio', in: 'input_audio' },
  },
  answer: { echoes, json: 'text', emptyLogprobs: '[]' },
  output: 'limited',
  callerTools: /^(?:local_shell|apply_patch|computer(?:_use_preview)?)$/,
  isCacheable: true,
  price: { modes: ['chat', 'responses', 'completion'] },
})
