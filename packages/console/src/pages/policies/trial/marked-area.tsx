import { type UIEvent, useRef } from 'react'
import { cx } from '../../../components'
import { cutAtMarks, type Mark } from './marks'

export type MarkTone = 'block' | 'redact' | 'flag'

const tones: Record<MarkTone, string> = {
  block: 'bg-warn-soft decoration-warn decoration-2 underline underline-offset-4',
  redact: 'bg-accent-soft decoration-accent decoration-2 underline underline-offset-4',
  flag: 'decoration-ink-3 decoration-dotted decoration-2 underline underline-offset-4',
}

/** The field and the layer of marks below it share these classes, so that their text aligns. */
const shape = 'block w-full border px-3 py-2.5 text-sm leading-6 whitespace-pre-wrap break-words font-sans'

/** A text area whose matches are highlighted in a copy of the text below it. */
export function MarkedArea({
  id,
  label,
  value,
  onValue,
  marks,
  toneOf,
  placeholder,
  rows,
}: {
  id?: string
  label: string
  value: string
  onValue(value: string): void
  marks: readonly Mark[]
  toneOf(mark: Mark): MarkTone
  placeholder: string
  rows: number
}) {
  const under = useRef<HTMLDivElement>(null)
  const follow = ({ currentTarget }: UIEvent<HTMLTextAreaElement>) => {
    if (under.current) under.current.scrollTop = currentTarget.scrollTop
  }
  return (
    <div className="relative rounded-md bg-raised">
      <div
        ref={under}
        aria-hidden
        className={cx(
          shape,
          'absolute inset-0 overflow-hidden rounded-md border-transparent text-transparent',
        )}
        style={{ scrollbarGutter: 'stable' }}
      >
        {cutAtMarks(value, marks).map(({ at, text, mark }) =>
          mark ? (
            <mark key={at} className={cx('rounded-xs text-transparent', tones[toneOf(mark)])}>
              {text}
            </mark>
          ) : (
            <span key={at}>{text}</span>
          ),
        )}
        {/* An empty last line has no height of its own. */}
        {'\n'}
      </div>
      <textarea
        id={id}
        aria-label={label}
        rows={rows}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onScroll={follow}
        placeholder={placeholder}
        spellCheck={false}
        className={cx(
          shape,
          'relative resize-none overflow-y-auto rounded-md border-rule-2 bg-transparent text-ink placeholder:text-ink-3 focus-visible:outline-offset-0',
        )}
        style={{ scrollbarGutter: 'stable' }}
      />
    </div>
  )
}
