import { asArray, asObject, asText, type JsonObject, readCount, stringsIn } from '../../../json/index.js'
import { boundAudioSeconds, expectedAudioSeconds } from '../../input/index.js'
import type { AnswerForm, Dialect, FurtherUse, UseContext } from '../dialect.js'
import type { ReportedUsage } from '../usage.js'

const textFormats = new Set(['text', 'srt', 'vtt'])

/** Lines of text, which are judged as one. */
const plainText = (contentType: string): AnswerForm => ({
  // Some servers say that it is JSON, or HTML, whatever it is: what was asked for is plain text.
  isExpected: () => true,
  isReadable: true,
  toJson: (body) => JSON.stringify({ text: body.toString() }),
  fromJson: (json) => Buffer.from(asText(asObject(JSON.parse(json)).text)),
  contentTypeOf: () => contentType,
})

const asText8 = plainText('text/plain; charset=utf-8')
const asVtt = plainText('text/vtt; charset=utf-8')

/** What transcriptions and translations answer. */
export const transcriptAnswer: Pick<Dialect, 'answerForm' | 'usageOf' | 'outputOf' | 'errorBody'> = {
  answerForm({ response_format }) {
    if (!textFormats.has(asText(response_format))) return null
    return response_format === 'vtt' ? asVtt : asText8
  },
  usageOf: readTranscriptUsage,
  // With segments, all of them once more: what a model writes beside the text, such as who speaks, has no more tokens than that.
  outputOf: ({ usage: _, ...said }) => stringsIn(said),
  errorBody: (body) => body,
}

/** By tokens, or by the length of the recording: where nothing is reported, what was reserved stands. */
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

/** How long the recordings play at most. By tokens, one of unknown length is as long as the model hears. */
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
