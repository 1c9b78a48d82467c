import { nameOfPoint } from '../axis'
import { totalOf } from '../layout'
import type { ChartSeries, TimeSeriesProps } from '../types'

/** The values as a table for screen readers. */
export function ValuesTable({
  label,
  points,
  interval,
  timeZone,
  format,
  shown,
}: TimeSeriesProps & { shown: readonly ChartSeries[] }) {
  const known = points.filter(({ values }) => values !== null)
  return (
    // Tables do not shrink below their content, so the wrapper is hidden instead.
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {shown.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {known.map((point) => (
            <tr key={point.start.getTime()}>
              <th scope="row">{nameOfPoint(point, interval, timeZone)}</th>
              {shown.map(({ id }) => (
                <td key={id}>{format(point.values?.[id] ?? 0)}</td>
              ))}
              <td>{format(totalOf(point, shown) ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
