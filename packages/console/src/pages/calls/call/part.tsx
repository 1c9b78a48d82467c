import type { ReactNode } from 'react'

/** A titled section of the call panel. */
export const Part = ({
  title,
  aside,
  children,
}: {
  title: ReactNode
  aside?: ReactNode
  children: ReactNode
}) => (
  <section>
    <header className="mb-2 flex items-baseline justify-between gap-3">
      <h2 className="m-0 text-sm font-semibold text-ink">{title}</h2>
      {aside && <div className="text-xs text-ink-3">{aside}</div>}
    </header>
    {children}
  </section>
)
