import type { Measure } from '../../charts'
import { formatCompact, formatInteger, formatUsd, formatUsdShort } from '../../format'
import type { UsageMeasure } from './search'

export const measureFields: Record<UsageMeasure, Measure> = {
  spend: 'spendUsd',
  calls: 'requests',
  tokens: 'totalTokens',
}

export const measureFormats: Record<
  UsageMeasure,
  { format(value: number): string; formatAxis(value: number): string }
> = {
  spend: { format: formatUsd, formatAxis: formatUsdShort },
  calls: { format: formatInteger, formatAxis: formatCompact },
  tokens: { format: formatInteger, formatAxis: formatCompact },
}

export const measureTitles: Record<UsageMeasure, string> = {
  spend: 'Spend',
  calls: 'Calls',
  tokens: 'Tokens',
}
