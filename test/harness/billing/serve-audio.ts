import { realSeconds } from '../media/real-sizes.js'
import { inPieces, produce, type Served, type StreamEvent, type VendorCall } from './call.js'
import { textAt } from './json.js'
import { mp3FrameLength, mp3Rates } from './make-files.js'
import { Refusal } from './media.js'
import { countText, makeText } from './text-tokens.js'
import { nothing } from './usage.js'

// developers.openai.com/api/docs/pricing, "Transcription and speech". Picodollars for a character, and for a second.
const perCharacter: Readonly<Record<string, number>> = { 'tts-1': 15_000_000, 'tts-1-hd': 30_000_000 }
const perSecond: Readonly<Record<string, number>> = { 'whisper-1': 100_000_000 }

// guides/audio: a token for each 100 ms of input.
const tokensPerSecond = 10

/** API reference, "Create speech": paid by the characters of `input`, 4,096 at most; these models do not read `instructions`. */
export function serveSpeech({ name, body }: VendorCall): Served {
  const characters = [...textAt(body, 'input')].length
  if (characters > 4_096) throw new Refusal('String should have at most 4096 characters')
  const fee = perCharacter[name]
  if (fee === undefined) throw new Refusal(`${name} does not speak`)
  return {
    used: { ...nothing, feesPico: characters * fee },
    at: {},
    besidesPico: 0n,
    answer: null,
    bytes: { contentType: 'audio/mpeg', body: Buffer.alloc(1_000, 0xff) },
    events: [],
  }
}

/** API reference, "Create transcription" and "Create translation". */
export function serveTranscript(call: VendorCall): Served {
  const { name, body, model, files } = call
  const [file] = files
  if (!file) throw new Refusal('file: Field required')
  const seconds = secondsOf(file)
  const format = textAt(body, 'response_format') || 'json'
  const said = produce(call, Math.min(model.maxOutput ?? 2_000, 30 + Math.ceil(seconds * 4)), false)
  const text = makeText(said.shown, model.encoding)
  const fee = perSecond[name]
  const bytes = /^(text|srt|vtt)$/.test(format)
    ? { contentType: 'text/plain; charset=utf-8', body: Buffer.from(text) }
    : undefined
  if (fee !== undefined) {
    // Guide "Speech to text": by the minute, rounded to the second.
    const billed = Math.ceil(seconds)
    const details = format === 'verbose_json' ? { task: 'transcribe', duration: seconds, segments: [] } : {}
    const answer = { ...details, text, usage: { type: 'duration', seconds: billed } }
    const used = { ...nothing, feesPico: billed * fee }
    return { used, at: {}, besidesPico: 0n, answer, ...(bytes && { bytes }), events: [] }
  }
  const audioIn = Math.ceil(seconds * tokensPerSecond)
  const prompt = countText(textAt(body, 'prompt'), model.encoding)
  const used = { ...nothing, input: audioIn + prompt, audioIn, output: said.shown }
  const usage = {
    type: 'tokens',
    input_tokens: used.input,
    input_token_details: { audio_tokens: audioIn, text_tokens: prompt },
    output_tokens: used.output,
    total_tokens: used.input + used.output,
  }
  const events: StreamEvent[] = [
    ...inPieces(text, 16).map((delta) => ({ data: { type: 'transcript.text.delta', delta } })),
    { data: { type: 'transcript.text.done', text, usage } },
  ]
  return { used, at: {}, besidesPico: 0n, answer: { text, usage }, ...(bytes && { bytes }), events }
}

/** As decoders play it: what it was made to be, where that is known; the samples of a WAV to the end of the file, where its header says that they are more; the frames of an MP3. */
function secondsOf(bytes: Buffer): number {
  const made = realSeconds(bytes)
  if (made !== undefined) return made
  if (bytes.toString('latin1', 0, 4) === 'RIFF') return wavSeconds(bytes)
  const seconds = mp3Seconds(bytes)
  if (seconds === 0) throw new Refusal('Invalid file format')
  return seconds
}

function wavSeconds(bytes: Buffer): number {
  let bytesPerSecond = 0
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', offset, offset + 4)
    const length = bytes.readUInt32LE(offset + 4)
    if (name === 'fmt ') bytesPerSecond = bytes.readUInt32LE(offset + 16)
    if (name === 'data') {
      const rest = bytes.length - offset - 8
      return (length === 0 ? rest : Math.min(length, rest)) / bytesPerSecond
    }
    offset += 8 + length + (length % 2)
  }
  throw new Refusal('Invalid file format')
}

function mp3Seconds(bytes: Buffer): number {
  let frames = 0
  for (let offset = 0; offset + 4 <= bytes.length; ) {
    const isFrame = bytes.readUInt16BE(offset) === 0xfff3
    const kbits = isFrame ? (mp3Rates[bytes.readUInt8(offset + 2) >> 4] ?? 0) : 0
    if (kbits > 0) frames++
    offset += kbits > 0 ? mp3FrameLength(kbits) : 1
  }
  return (frames * 576) / 16_000
}
