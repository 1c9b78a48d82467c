import { cx } from '../../../components'
import { type TextPart, visibleParts } from './visible-text'

/** Untrusted text, with invisible and misleading characters marked by name. */
export function ShownText({ text, whole, className }: { text: string; whole?: string; className?: string }) {
  return (
    <span
      dir="ltr"
      className={cx('isolate break-words whitespace-pre-wrap [unicode-bidi:isolate]', className)}
    >
      {visibleParts(text, whole).map((part, at) =>
        part.kind === 'plain' ? (
          part.text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by their position
          <HiddenMark key={at} part={part} />
        ),
      )}
    </span>
  )
}

function HiddenMark({ part: { kind, text, label, reads } }: { part: TextPart }) {
  return (
    <>
      <mark
        title={codesOf(text)}
        className="mx-px rounded-xs border border-warn bg-warn-soft px-1 text-2xs font-medium text-warn [box-decoration-break:clone]"
      >
        {kind === 'lookalike' && `${text} is `}
        {label}
        {reads !== null && `, reads “${reads}”`}
      </mark>
      {kind === 'gap' && text.includes('\n') && '\n'}
    </>
  )
}

const maxCodes = 40

function codesOf(text: string): string {
  const codes = [...text]
    .slice(0, maxCodes)
    .map((each) => `U+${(each.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`)
  return [...text].length > maxCodes ? `${codes.join(' ')} …` : codes.join(' ')
}
