import type { ReactNode } from 'react'
import { cx } from './class-names'

/** Colours carry meaning only: fine, needs attention, failing, highlighted or neutral. */
export type Tone = 'ok' | 'warn' | 'bad' | 'accent' | 'neutral'

const dots: Record<Tone, string> = {
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
  accent: 'bg-accent',
  neutral: 'bg-ink-3',
}
const texts: Record<Tone, string> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  accent: 'text-accent',
  neutral: 'text-ink-2',
}

export const Dot = ({ tone }: { tone: Tone }) => (
  <span aria-hidden className={cx('inline-block size-2 shrink-0 rounded-full', dots[tone])} />
)

/** A status label with a coloured dot; the label is readable without the colour. */
export const Status = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
    <Dot tone={tone} />
    <span className={texts[tone]}>{children}</span>
  </span>
)

/** A short label beside a name. */
export const Tag = ({ children, tone = 'neutral' }: { children: ReactNode; tone?: Tone }) => (
  <span
    className={cx(
      'inline-flex shrink-0 items-center rounded-sm border border-rule px-1.5 text-2xs font-medium whitespace-nowrap',
      texts[tone],
    )}
  >
    {children}
  </span>
)

const outcomes: Record<string, Tone> = {
  ok: 'ok',
  redacted: 'accent',
  blocked: 'warn',
  upstream_error: 'bad',
  interrupted: 'bad',
  failed: 'bad',
  aborted: 'neutral',
}
export const toneOfOutcome = (outcome: string | null): Tone => outcomes[outcome ?? ''] ?? 'neutral'

const outcomeNames: Record<string, string> = {
  upstream_error: 'provider failed',
  aborted: 'cancelled',
  failed: 'service failed',
}
/** Outcomes that usage counts as errors. */
export const errorOutcomes = ['upstream_error', 'failed', 'interrupted'] as const

/** The display name of an outcome. */
export const nameOfOutcome = (outcome: string | null) => outcomeNames[outcome ?? ''] ?? outcome ?? 'unknown'
