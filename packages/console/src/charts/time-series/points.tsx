import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { toCallsSearch } from '../../calls-link'
import type { ChartLayout } from '../layout'
import type { TimePoint } from '../types'

interface PointLinksProps {
  points: readonly TimePoint[]
  layout: ChartLayout
  active: number | null
  onActive(at: number | null): void
  nameOf(point: TimePoint): string
  label: string
}

export function PointLinks({ points, layout, active, onActive, nameOf, label }: PointLinksProps) {
  const list = useRef<HTMLDivElement>(null)
  const [stop, setStop] = useState<number | null>(null)
  const lastKnown = points.findLastIndex(({ values }) => values !== null)
  const tabAt = stop !== null && stop < points.length ? stop : Math.max(0, lastKnown)
  const onKeyDown = (event: KeyboardEvent) => {
    const by: Record<string, number> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      Home: -points.length,
      End: points.length,
    }
    const move = by[event.key]
    if (event.key === 'Escape') onActive(null)
    if (move === undefined) return
    event.preventDefault()
    const next = Math.min(points.length - 1, Math.max(0, tabAt + move))
    setStop(next)
    const element = list.current?.children[next]
    if (element instanceof HTMLElement) element.focus()
  }
  /** On touch screens the first tap shows the values and the second follows the link. */
  const tappedPoint = useRef<number | null>(null)
  return (
    <div
      ref={list}
      role="group"
      aria-label={label}
      onKeyDown={onKeyDown}
      onPointerLeave={() => onActive(null)}
    >
      {points.map((point, n) => {
        const shared = {
          'aria-label': nameOf(point),
          tabIndex: n === tabAt ? 0 : -1,
          className: 'absolute -outline-offset-1',
          style: {
            left: layout.x(n),
            width: Math.max(layout.step, 1),
            top: layout.top,
            height: layout.base - layout.top,
          },
          onFocus: () => {
            setStop(n)
            onActive(n)
          },
          onBlur: () => onActive(null),
          onPointerEnter: (event: PointerEvent) => {
            if (event.pointerType === 'mouse') onActive(n)
          },
          onPointerDown: (event: PointerEvent) => {
            if (event.pointerType === 'mouse') return
            tappedPoint.current = active === n ? null : n
            onActive(n)
          },
        }
        const { calls } = point
        const key = point.start.getTime()
        if (!calls) return <span key={key} role="img" {...shared} />
        return (
          <Link
            key={key}
            to="/calls"
            search={toCallsSearch(calls)}
            preload={false}
            {...shared}
            onClick={(event) => {
              if (tappedPoint.current === n) event.preventDefault()
              tappedPoint.current = null
            }}
          />
        )
      })}
    </div>
  )
}
