import type { ReactNode } from 'react'
import { formatInteger } from '../../format'

/** The number of affected records, their singular and plural, and what happens to them. */
type Consequence = readonly [count: number, one: string, many: string, effect: string]

/** The consequences of an action, with counts. Zero counts are left out. */
export function Consequences({
  effects,
  children,
}: {
  effects: readonly Consequence[]
  children: ReactNode
}) {
  const nonZero = effects.filter(([count]) => count > 0)
  return (
    <>
      <p className="m-0">{children}</p>
      {nonZero.length > 0 && (
        <ul className="m-0 mt-3 list-none border-t border-rule p-0">
          {nonZero.map(([count, one, many, effect]) => (
            <li key={`${many} ${effect}`} className="flex gap-3 border-b border-rule py-1.5">
              <b className="num w-12 shrink-0 text-right font-semibold">
                {count >= 200 && many !== 'calls' ? '200+' : formatInteger(count)}
              </b>
              <span>
                {count === 1 ? one : many} {effect}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
