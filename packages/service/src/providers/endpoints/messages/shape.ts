import {
  type Annotations,
  answerFormat,
  EndpointShape,
  maxOutput,
  object,
  parts,
  setting,
  settings,
  text,
  word,
} from '../../shapes/index.js'
import { samplingSettings } from '../settings.js'

const blockText: Annotations = { type: word, text }
const block: Annotations = {
  ...blockText,
  thinking: text,
  title: text,
  context: text,
  id: word,
  tool_use_id: word,
  name: word,
  source: object({ type: word, media_type: word, data: text, content: parts(blockText) }),
}

export const messagesShape = new EndpointShape({
  request: {
    ...samplingSettings,
    system: parts(blockText),
    messages: {
      ...object({ role: word, content: parts({ ...block, content: parts(block) }) }),
      isConversation: true,
    },
    max_tokens: { ...setting, ...maxOutput },
    top_k: setting,
    stop_sequences: settings,
    inference_geo: setting,
    speed: setting,
    output_format: answerFormat(),
    output_config: answerFormat('format'),
  },
  parts: {
    image: { kind: 'image source', in: 'source' },
    document: { kind: 'document source', in: 'source' },
    container_upload: { kind: 'stored file' },
  },
  answer: { json: 'text' },
  output: 'limited',
  callerTools: /^(?:bash|text_editor|computer|memory)(?:_\d+)?$/,
  isCacheable: true,
  price: { modes: ['chat', 'responses', 'completion'] },
})
