import type { ReactNode } from 'react'
import { cx } from './class-names'

/** The summary at the top of a page. Its figures are `<b>`. */
export const Headline = ({ children }: { children: ReactNode }) => (
  <p className="m-0 mb-6 max-w-[42rem] text-xl leading-8 font-normal tracking-[-0.01em] text-ink text-balance md:text-2xl md:leading-9 [&_b]:font-semibold">
    {children}
  </p>
)

export interface SectionProps {
  title?: ReactNode
  /** A short note beside the title. */
  note?: ReactNode
  /** Links or buttons at the right of the title. */
  aside?: ReactNode
  children: ReactNode
  className?: string
}

/** A titled section, set apart by rules and space instead of a box. */
export function Section({ title, note, aside, children, className }: SectionProps) {
  return (
    <section className={cx('mb-10', className)}>
      {(title || aside) && (
        <header className="mb-2 flex min-h-7 flex-wrap items-baseline gap-x-3 gap-y-1">
          {title && <h2 className="m-0 text-sm font-semibold text-ink">{title}</h2>}
          {note && <span className="text-xs text-ink-3">{note}</span>}
          {aside && <div className="ml-auto flex flex-wrap items-center gap-3 text-sm">{aside}</div>}
        </header>
      )}
      {children}
    </section>
  )
}

/** Filters (left) and actions (right) above a list. */
export const Toolbar = ({ children, actions }: { children?: ReactNode; actions?: ReactNode }) => (
  <div className="mb-4 flex flex-wrap items-center gap-2">
    {children}
    {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
  </div>
)

/** A description list in two columns. */
export const DescriptionList = ({ children }: { children: ReactNode }) => (
  <dl className="m-0 grid grid-cols-[minmax(6rem,max-content)_1fr] gap-x-6 gap-y-1.5 text-sm">{children}</dl>
)

export const DescriptionItem = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <>
    <dt className="text-ink-3">{name}</dt>
    <dd className="m-0 min-w-0 break-words">{children}</dd>
  </>
)
