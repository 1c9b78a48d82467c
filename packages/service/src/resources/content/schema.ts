import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../http/index.js'

const Side = (what: string) =>
  Nullable(
    Type.Object({
      body: Nullable(
        Type.Object({}, { additionalProperties: true }),
        `${what}, as JSON; null where only a text is kept`,
      ),
      text: Nullable(
        Type.String(),
        'Where it is not JSON or was cut: as much of the text as is kept. Null beside a body',
      ),
      bytes: Type.Integer({ description: 'Its full length in UTF-8' }),
      truncated: Type.Boolean({ description: 'It was longer than what is kept (256 KiB)' }),
      note: Nullable(
        Type.String(),
        'What else there is to know: that the caller saw only the beginning, or what was left out',
      ),
    }),
    `${what}; null where nothing of it may be kept, or there was none`,
  )

export const CallContentRecord = Type.Object(
  {
    state: Type.Enum(['off', 'pending', 'captured', 'lost', 'expired', 'erased', 'undecryptable'], {
      description:
        '`off`: nothing was captured when the call was made. `pending`: it ended a moment ago. `captured`: see `attempts`. `lost`: it could not be stored, or the mode was changed while the call ran. `expired`: it was kept for as long as is set. `erased`: with the person. `undecryptable`: the keys that are here do not open it',
    }),
    mode: Nullable(
      Type.Enum(['redacted', 'full']),
      'As it was when the call was made; null where it was off',
    ),
    expiresAt: Nullable(DateTime, 'When it is deleted, as set now; null where there is nothing'),
    attempts: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        request: Side('The request'),
        answer: Side('The answer; a stream put together to what it would be in one piece'),
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
