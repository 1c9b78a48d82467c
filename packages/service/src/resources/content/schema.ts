import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../http/index.js'

const Side = (what: string) =>
  Nullable(
    Type.Object({
      body: Nullable(
        Type.Object({}, { additionalProperties: true }),
        `${what}, as JSON. Null if only text is stored`,
      ),
      text: Nullable(
        Type.String(),
        'The stored text, if it is not JSON or was truncated. Null if `body` is set',
      ),
      bytes: Type.Integer({ description: 'The full size in bytes of UTF-8' }),
      truncated: Type.Boolean({
        description: 'True if the text was longer than the 256 KiB that are stored',
      }),
      note: Nullable(
        Type.String(),
        'A remark, such as that the caller received only the beginning, or what was left out. Null without one',
      ),
    }),
    `${what}. Null if none of it may be stored, or if there was none`,
  )

export const CallContentRecord = Type.Object(
  {
    state: Type.Enum(['off', 'pending', 'captured', 'lost', 'expired', 'erased', 'undecryptable'], {
      description:
        'The state of the content. `off`: capture was off when the call was made. `pending`: the call has just ended. `captured`: the content is in `attempts`. `lost`: the content could not be stored, or the mode was changed during the call. `expired`: the retention period is over. `erased`: the content was erased together with the person’s data. `undecryptable`: none of the available keys decrypts the content',
    }),
    mode: Nullable(
      Type.Enum(['redacted', 'full']),
      'The mode when the call was made. Null if capture was off',
    ),
    expiresAt: Nullable(
      DateTime,
      'When the content is deleted under the current setting. Null if there is no content',
    ),
    attempts: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        request: Side('The request'),
        answer: Side('The answer. A stream is stored as the equivalent single answer'),
      }),
    ),
  },
  {
    title: 'CallContent',
    examples: [
      {
        state: 'captured',
        mode: 'redacted',
        expiresAt: '2026-12-15T09:30:00.000Z',
        attempts: [
          {
            attempt: 1,
            request: {
              body: { model: 'gpt-4o', messages: [{ role: 'user', content: 'Write to [EMAIL_1].' }] },
              text: null,
              bytes: 76,
              truncated: false,
              note: null,
            },
            answer: {
              body: { choices: [{ index: 0, message: { role: 'assistant', content: 'Dear …' } }] },
              text: null,
              bytes: 70,
              truncated: false,
              note: null,
            },
          },
        ],
      },
    ],
  },
)

export type CallContentRecord = Static<typeof CallContentRecord>
export type ContentSide = CallContentRecord['attempts'][number]['request']
