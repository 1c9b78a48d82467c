import { EndpointShape, setting, settings, text } from '../../shapes/index.js'

/** Billed by the character. */
export const speechShape = new EndpointShape({
  request: {
    input: text,
    instructions: text,
    model: setting,
    voice: settings,
    response_format: setting,
    speed: setting,
    stream_format: setting,
  },
  output: 'none',
  price: { modes: [], unit: 'character' },
})

/** Transcriptions and translations: forms with a recording, billed by the second or by tokens. */
export const recordingShape = new EndpointShape({
  request: {
    prompt: text,
    model: setting,
    file: { ...settings, field: 'file' },
    language: setting,
    response_format: setting,
    temperature: setting,
    stream: { ...setting, field: 'flag' },
    'timestamp_granularities[]': { field: 'list' },
    'include[]': { field: 'list' },
    'known_speaker_names[]': { field: 'list' },
    'known_speaker_references[]': { field: 'list' },
  },
  answer: { emptyLogprobs: '[]' },
  output: 'unlimited',
  isSimple: true,
  isForm: true,
  hasNoToolsOrReferences: true,
  price: { modes: ['transcription'], unit: 'second' },
})
