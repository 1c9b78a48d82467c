import { asArray, asObject, asText, type JsonObject, readCount, stringsIn } from '@tallystick/record/json'
import { boundAudioSeconds, expectedAudioSeconds } from '../../input/index.js'
import type { AnswerForm, Endpoint, FurtherUse, UseContext } from '../endpoint.js'
import type { ReportedUsage } from '../usage.js'

const textFormats = new Set(['text', 'srt', 'vtt'])

/** Plain text, which policies judge as one text. */
const plainText = (contentType: string): AnswerForm => ({
  // Some servers label plain text as JSON or HTML, so the request decides.
  isExpected: () => true,
  isReadable: true,
  toJson: (body) => JSON.stringify({ text: body.toString() }),
  fromJson: (json) => Buffer.from(asText(asObject(JSON.parse(json)).text)),
  contentTypeOf: () => contentType,
})

const asText8 = plainText('text/plain; charset=utf-8')
const asVtt = plainText('text/vtt; charset=utf-8')

/** The answers of transcriptions and translations. */
export const transcriptAnswer: Pick<Endpoint, 'answerForm' | 'usageOf' | 'outputOf'> = {
  answerForm({ response_format }) {
    if (!textFormats.has(asText(response_format))) return null
    return response_format === 'vtt' ? asVtt : asText8
  },
  usageOf: readTranscriptUsage,
  // Counts all texts, including the segments: additional texts of a model, such as who speaks, have no more tokens
  // than that.
  outputOf: ({ usage: _, ...said }) => stringsIn(said),
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
  { files, facts: { audioTokensPerSecond, maxOutputTokens, contextWindow }, isPaidByUnit }: UseContext,
): Promise<FurtherUse> {
  const tokensOf = (seconds: number) => Math.ceil(seconds * (audioTokensPerSecond ?? 0))
  let seconds = 0
  const audio = { estimate: 0, bound: 0 }
  const unbounded: { path: string; message: string }[] = []
  for (const { field, bytes } of files) {
    const known = await boundAudioSeconds(bytes, extensionOf(body[field]))
    const expected = known ?? expectedAudioSeconds(bytes)
    seconds += expected
    audio.estimate += tokensOf(expected)
    audio.bound += known === null ? (contextWindow ?? 0) : tokensOf(known)
    if (known === null && (isPaidByUnit || contextWindow === null))
      unbounded.push({ path: field, message: unproven })
  }
  if (!isPaidByUnit && audioTokensPerSecond === null)
    unbounded.push({ path: 'model', message: 'has a price by tokens, and how it counts audio is not known' })
  if (!isPaidByUnit && maxOutputTokens === null)
    unbounded.push({ path: 'model', message: 'has a price by tokens, and how much it says is not bounded' })
  return {
    units: [{ names: ['second'], count: Math.ceil(seconds) }],
    inputTokens: 0,
    ...(!isPaidByUnit && { audio }),
    unbounded,
  }
}

const unproven =
  'is a recording whose bytes do not prove how long it is: send WAV with plain samples, MP3, FLAC, Ogg with Opus or Vorbis, ' +
  'or WebM with Opus, with the extension of its format'

const extensionOf = (file: unknown): string => /\.([^.]+)$/.exec(asText(asObject(file).filename))?.[1] ?? ''

export const hasFile = (body: JsonObject, name: string): boolean =>
  asText(asObject(body[name]).filename) !== '' || asArray(body[`${name}[]`]).length > 0
