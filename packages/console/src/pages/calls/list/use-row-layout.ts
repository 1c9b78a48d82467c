import { useLayoutEffect, useState } from 'react'
import type { Layout } from './call-row'

/** The layout of the rows, and their distance from the top of the page. */
export function useRowLayout(element: HTMLElement | null): { layout: Layout; margin: number } {
  const [rowLayout, setRowLayout] = useState<{ layout: Layout; margin: number }>({
    layout: 'wide',
    margin: 0,
  })
  useLayoutEffect(() => {
    if (!element) return
    const measure = () => {
      const width = element.clientWidth
      const layout = width >= 860 ? 'wide' : width >= 540 ? 'medium' : 'narrow'
      const margin = Math.round(element.getBoundingClientRect().top + scrollY)
      setRowLayout((before) =>
        before.layout === layout && before.margin === margin ? before : { layout, margin },
      )
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return rowLayout
}

/** Scrolls a row between the sticky header and the bottom of the window. */
export function scrollIntoView(index: number, { margin, height }: { margin: number; height: number }): void {
  const stuck = 104
  const top = margin + index * height
  if (top - scrollY < stuck) scrollTo({ top: index === 0 ? 0 : top - stuck })
  else if (top + height - scrollY > innerHeight - 16) scrollTo({ top: top + height - innerHeight + 16 })
}
