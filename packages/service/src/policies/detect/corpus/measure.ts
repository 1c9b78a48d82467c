import { findPii, findSecrets, type PiiEntity } from '../index.js'
import type { Sample } from './read-corpus.js'

/** The number of findings of one entity: right, wrong (which includes a different span), and missed. */
export interface Score {
  entity: string
  right: number
  wrong: number
  missed: number
  precision: number
  recall: number
}

/** A text whose findings differ from its labels. */
export interface Fault {
  text: string
  wrong: string[]
  missed: string[]
}

export interface Measurement {
  scores: Score[]
  overall: Score
  faults: Fault[]
}

const everyEntity: ReadonlySet<PiiEntity> = new Set([
  'email',
  'phone',
  'credit_card',
  'iban',
  'us_ssn',
  'ip_address',
])

/** Compares findings with labels by exact span. All secrets count as one entity, but their kind must be right. */
export function measure(samples: readonly Sample[]): Measurement {
  const counts = new Map<string, { right: number; wrong: number; missed: number }>()
  const countsOf = (name: string) => {
    const entity = name.startsWith('secret:') ? 'secret' : name
    const counted = counts.get(entity) ?? { right: 0, wrong: 0, missed: 0 }
    counts.set(entity, counted)
    return counted
  }
  const faults: Fault[] = []
  for (const { text, expected } of samples) {
    const found = [...findPii(text, everyEntity), ...findSecrets(text)]
    const wrong = found.filter((finding) => !expected.some((label) => isSame(label, finding)))
    const missed = expected.filter((label) => !found.some((finding) => isSame(label, finding)))
    for (const finding of found) countsOf(finding.entity)[wrong.includes(finding) ? 'wrong' : 'right'] += 1
    for (const label of missed) countsOf(label.entity).missed += 1
    if (wrong.length + missed.length > 0) {
      const show = ({ start, end, entity }: Span) => `${entity} ${text.slice(start, end)}`
      faults.push({ text, wrong: wrong.map(show), missed: missed.map(show) })
    }
  }
  const scores = [...counts].map(([entity, counted]) => score(entity, counted))
  return {
    scores: scores.sort((a, b) => a.entity.localeCompare(b.entity)),
    overall: score('all', {
      right: sum(scores, 'right'),
      wrong: sum(scores, 'wrong'),
      missed: sum(scores, 'missed'),
    }),
    faults,
  }
}

type Span = Sample['expected'][number]

const isSame = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end && a.entity === b.entity

const sum = (scores: Score[], of: 'right' | 'wrong' | 'missed'): number =>
  scores.reduce((total, each) => total + each[of], 0)

function score(
  entity: string,
  { right, wrong, missed }: { right: number; wrong: number; missed: number },
): Score {
  return { entity, right, wrong, missed, precision: share(right, wrong), recall: share(right, missed) }
}

const share = (part: number, rest: number): number => (part + rest === 0 ? 1 : part / (part + rest))
