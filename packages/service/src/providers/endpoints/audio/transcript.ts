import { asArray, asObject, asText, type JsonObject, readCount, stringsIn } from '@tallystick/record/json'
import { boundAudioSeconds, expectedAudioSeconds } from '../../input/index.js'
import type { AnswerCodec, Endpoint } from '../endpoint.js'
import type { AdditionalUsage, UsageContext } from '../endpoint-request.js'
import type { ReportedUsage } from '../usage.js'

const textFormats = new Set(['text', 'srt', 'vtt'])

/** Converts plain text, which policies judge as one text. */
const createTextCodec = (contentType: string): AnswerCodec => ({
  // Some servers label plain text as JSON or HTML, so the request decides.
  accepts: () => true,
  isReadable: true,
  toJson: (body) => JSON.stringify({ text: body.toString() }),
  fromJson: (json) => Buffer.from(asText(asObject(JSON.parse(json)).text)),
  contentTypeOf: () => contentType,
})

const plainTextCodec = createTextCodec('text/plain; charset=utf-8')
const vttCodec = createTextCodec('text/vtt; charset=utf-8')

/** The answers of transcriptions and translations. */
export const transcriptAnswer: Pick<Endpoint, 'answerCodec' | 'usageOf' | 'outputOf'> = {
  answerCodec({ response_format }) {
    if (!textFormats.has(asText(response_format))) return null
    return response_format === 'vtt' ? vttCodec : plainTextCodec
  },
  usageOf: readTranscriptUsage,
  // All texts are counted, including the segments, which repeat the transcript. Additional texts of a model, such as the
  // names of speakers, have no more tokens than that.
  outputOf: ({ usage: _, ...answer }) => stringsIn(answer),
}

/**
 * Returns usage in tokens, or by the length of the recording. When nothing is reported, the reserved amount is
 * charged.
 */
export function readTranscriptUsage(answer: JsonObject): ReportedUsage | null {
  const usage = asObject(answer.usage)
  const input = readCount(usage.input_tokens)
  const seconds = [usage.seconds, answer.duration].find((each) => typeof each === 'number')
  const duration = readCount(typeof seconds === 'number' ? Math.ceil(seconds) : null)
  if (input === null && duration === null) return null
  const details = asObject(usage.input_token_details)
  const output = readCount(usage.output_tokens)
  return {
    counts: {
      ...(input !== null && { input, audioIn: Math.min(input, readCount(details.audio_tokens) ?? input) }),
      ...(output !== null && { output }),
    },
    hasOutput: input !== null && output !== null,
    tier: null,
    ...(duration !== null && { units: [{ names: ['second'], count: duration }] }),
  }
}

/**
 * Returns the maximum duration of the recordings. For models billed by tokens, a recording of unknown length counts
 * as the longest that the model accepts.
 */
export async function measureRecordings(
  body: JsonObject,
  { files, properties: { audioTokensPerSecond, maxOutputTokens, contextWindow }, isPaidByUnit }: UsageContext,
): Promise<AdditionalUsage> {
  const tokensOf = (seconds: number) => Math.ceil(seconds * (audioTokensPerSecond ?? 0))
  let seconds = 0
  const audio = { estimate: 0, bound: 0 }
  const unbounded: { path: string; message: string }[] = []
  for (const { field, bytes } of files) {
    const bound = await boundAudioSeconds(bytes, extensionOf(body[field]))
    const expected = bound ?? expectedAudioSeconds(bytes)
    seconds += expected
    audio.estimate += tokensOf(expected)
    audio.bound += bound === null ? (contextWindow ?? 0) : tokensOf(bound)
    if (bound === null && (isPaidByUnit || contextWindow === null))
      unbounded.push({ path: field, message: unverifiable })
  }
  if (!isPaidByUnit && audioTokensPerSecond === null)
    unbounded.push({
      path: 'model',
      message: 'is priced by tokens, but how many tokens it counts for audio is unknown',
    })
  if (!isPaidByUnit && maxOutputTokens === null)
    unbounded.push({ path: 'model', message: 'is priced by tokens, but its maximum output is unknown' })
  return {
    units: [{ names: ['second'], count: Math.ceil(seconds) }],
    inputTokens: 0,
    ...(!isPaidByUnit && { audio }),
    unbounded,
  }
}

const unverifiable =
  'is a recording whose length cannot be verified from its bytes: send WAV with plain samples, MP3, FLAC, Ogg with Opus or Vorbis, ' +
  'or WebM with Opus, with the extension of its format'

const extensionOf = (file: unknown): string => /\.([^.]+)$/.exec(asText(asObject(file).filename))?.[1] ?? ''

export const hasFile = (body: JsonObject, name: string): boolean =>
  asText(asObject(body[name]).filename) !== '' || asArray(body[`${name}[]`]).length > 0
