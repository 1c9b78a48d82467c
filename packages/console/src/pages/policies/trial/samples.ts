import type { Kind } from '../policy'

export interface Sample {
  name: string
  text: string
}

const people =
  'Please write to jane.doe@example.com or call +1 415 555 2671.\nShe paid with 4111 1111 1111 1111, from the account DE89 3704 0044 0532 0130 00.'
const plain = {
  name: 'Nothing special',
  text: 'What is a good name for a friendly robot that waters plants?',
}
const answer = {
  name: 'A response',
  text: 'Sure. Jane’s address is jane.doe@example.com, and her desk is 10.20.30.40.',
}
// In two halves, so that no scanner takes this file for a leak.
const secret = `Why does this fail?\n\nexport GITHUB_TOKEN=${'ghp_'}${'16C7e42F292c6912E7710c838347Ae178B4a'}\npsql postgres://app:${'tr0ub4dor'}@db.internal/orders`

const personal = { name: 'Personal data', text: people }
const leaked = { name: 'A secret', text: secret }

const byKind: Partial<Record<Kind, readonly Sample[]>> = {
  pii: [personal, answer, plain],
  secrets: [leaked, plain],
  keywords: [
    { name: 'A code name', text: 'Summarise what we know of Project Nightfall for the board.' },
    plain,
  ],
  pattern: [{ name: 'A badge', text: 'Let EMP-123456 in, but not EMP-12.' }, personal, plain],
}

export const samplesFor = (kind: Kind | null): readonly Sample[] =>
  (kind === null ? undefined : byKind[kind]) ?? [personal, leaked, plain]

/** What a policy that is just begun is tried on. */
export const firstText = (kind: Kind | null) => samplesFor(kind)[0]?.text ?? ''
