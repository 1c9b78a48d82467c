import { asArray, asObject, asText, type JsonObject, readCount, stringsIn } from '../../../json/index.js'
import { knownAudioSeconds } from '../../input/index.js'
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
export const transcriptAnswer: Pick<
  Dialect,
  'answerForm' | 'answerIdOf' | 'usageOf' | 'outputOf' | 'errorBody'
> = {
  answerForm({ response_format }) {
    if (!textFormats.has(asText(response_format))) return null
    return response_format === 'vtt' ? asVtt : asText8
  },
  answerIdOf: () => null,
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

// The least that MP3 allows: what one expects of a recording whose length is not known.
const bytesPerSecond = 1_000

/** How long the recordings last, by their own bytes. */
export async function measureRecordings(
  _: JsonObject,
  { files, facts: { audioTokensPerSecond, maxOutputTokens }, isPaidByUnit }: UseContext,
): Promise<FurtherUse> {
  let seconds = 0
  const unbounded: { path: string; message: string }[] = []
  for (const { field, bytes } of files) {
    const known = knownAudioSeconds(bytes)
    seconds += known ?? bytes.length / bytesPerSecond
    if (known === null)
      unbounded.push({
        path: field,
        message: 'is a recording whose length its bytes do not tell: send WAV with plain samples, or MP3',
      })
  }
  if (!isPaidByUnit && audioTokensPerSecond === null)
    unbounded.push({ path: 'model', message: 'has a price by tokens, and how it counts audio is not known' })
  if (!isPaidByUnit && maxOutputTokens === null)
    unbounded.push({ path: 'model', message: 'has a price by tokens, and how much it says is not bounded' })
  return {
    units: [{ names: ['second'], count: Math.ceil(seconds) }],
    inputTokens: 0,
    audioTokens: isPaidByUnit ? 0 : Math.ceil(seconds * (audioTokensPerSecond ?? 0)),
    unbounded,
  }
}

export const hasFile = (body: JsonObject, name: string): boolean =>
  asText(asObject(body[name]).filename) !== '' || asArray(body[`${name}[]`]).length > 0
