import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Choice, Select } from '../../components'
import { type ComplianceSearch, defaultDays } from './search'

const spans = [7, 30, 90, 365]
const monthsBack = 12

/** Chooses the period of an attestation: the last days up to now, or a month in UTC. */
export function PeriodPicker() {
  const { days = defaultDays, period }: ComplianceSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const choices: Choice<string>[] = [
    ...withChosen(spans, days).map((count) => ({ value: String(count), label: `Last ${count} days` })),
    ...withChosen(recentMonths(new Date()), period).map((month) => ({ value: month, label: nameOf(month) })),
  ]
  return (
    <Select
      label="Period"
      value={period ?? String(days)}
      choices={choices}
      onValue={(value) =>
        void navigate({
          to: '/compliance',
          search: (before) => ({
            ...before,
            days: value.includes('-') ? undefined : Number(value),
            period: value.includes('-') ? value : undefined,
          }),
        })
      }
    />
  )
}

/** A link may select a period that is not offered, so it is added to the choices. */
const withChosen = <T,>(offered: readonly T[], chosen: T | undefined): readonly T[] =>
  chosen === undefined || offered.includes(chosen) ? offered : [...offered, chosen]

const recentMonths = (now: Date): string[] =>
  Array.from({ length: monthsBack }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back)).toISOString().slice(0, 7),
  )

const nameOf = (month: string) =>
  `${new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })}, UTC`
