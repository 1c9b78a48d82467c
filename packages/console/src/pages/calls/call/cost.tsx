import { Link } from '@tanstack/react-router'
import { Time } from '../../../components'
import { formatInteger, formatUsd, formatUsdExactly } from '../../../format'
import type { CallDetail } from './call-detail'
import { Part } from './part'

/** The cost by line at the recorded prices, and its corrections. */
export function Cost({ call }: { call: CallDetail }) {
  const { costLines: lines, corrections, costUsd } = call
  const corrected = corrections.reduce((sum, { differenceUsd }) => sum + differenceUsd, 0)
  const before = round(costUsd - corrected)
  if (lines?.length === 0 && corrections.length === 0 && costUsd === 0)
    return (
      <Part title="Cost">
        <p className="m-0 text-sm text-ink-2">None: the call used nothing.</p>
      </Part>
    )
  return (
    <Part title="Cost" aside={call.tier !== null && `tier ${call.tier}`}>
      <table className="w-full border-collapse text-sm">
        <tbody>
          {lines?.map(({ kind, count, usdPerMillion, usd }) => (
            <tr key={kind}>
              <td className="py-0.5">{describeLine(kind, count, call)}</td>
              <td className="py-0.5 pr-4 text-right text-ink-3">{rateOf(kind, usdPerMillion)}</td>
              <td className="py-0.5 text-right whitespace-nowrap">{formatAllDigits(usd)}</td>
            </tr>
          ))}
          {lines?.length === 0 && (
            <tr>
              <td className="py-0.5 text-ink-2" colSpan={3}>
                No usage.
              </td>
            </tr>
          )}
          {lines === null && (
            <tr>
              <td className="py-0.5 text-ink-2" colSpan={3}>
                {formatInteger(call.inputTokens)} tokens in, {formatInteger(call.outputTokens)} out. The price
                details are no longer available.
              </td>
            </tr>
          )}
          <tr className="border-t border-rule-2 font-semibold">
            <td className="pt-1.5" colSpan={2}>
              {(call.kind === 'tool' ? null : sources[call.usage ?? '']) ?? 'total'}
            </td>
            <td className="pt-1.5 text-right">{formatUsdExactly(before)}</td>
          </tr>
          {corrections.map(({ receiptSeq, differenceUsd, ts, reason }) => (
            <tr key={receiptSeq} className="text-ink-2">
              <td className="py-0.5" colSpan={2}>
                corrected {ts !== null && <Time at={ts} />}:{' '}
                {reason ?? 'the reason was removed from the record'}
                <span className="text-ink-3"> (receipt {formatInteger(receiptSeq)})</span>
              </td>
              <td className="py-0.5 text-right whitespace-nowrap">
                {differenceUsd < 0 ? '−' : '+'}
                {formatUsdExactly(Math.abs(differenceUsd))}
              </td>
            </tr>
          ))}
          {corrections.length > 0 && (
            <tr className="border-t border-rule-2 font-semibold">
              <td className="pt-1.5" colSpan={2}>
                corrected total
              </td>
              <td className="pt-1.5 text-right">{formatUsdExactly(costUsd)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {call.usage === 'reserved' && (
        <p className="m-0 mt-2 text-xs text-ink-3">
          The usage is unknown, so the reserved maximum is charged. A manager can correct it:{' '}
          <Link to="/compliance" className="link">
            Compliance
          </Link>
          .
        </p>
      )}
    </Part>
  )
}

const round = (usd: number) => Math.round(usd * 1e9) / 1e9

/** A line may be finer than a nano-dollar before rounding. Showing all digits makes the lines add up. */
const formatAllDigits = (usd: number) =>
  usd.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 12,
  })

const sources: Record<string, string> = {
  provider: 'total, as reported by the provider',
  counted: 'total, as counted by the gateway',
  reserved: 'total, the reserved maximum',
}

const names: Record<string, string> = {
  input: 'input',
  cached: 'cache read',
  written: 'cache write',
  writtenHour: 'cache write, 1 hour',
  audioIn: 'audio input',
  output: 'output',
  audioOut: 'audio output',
  images: 'images',
}

function describeLine(kind: string, count: number, { counts }: CallDetail): string {
  const number = formatInteger(count)
  if (kind === 'tools.tool_call') return `${number} × tool call`
  if (kind.startsWith('tools.')) return `${number} × ${kind.slice('tools.'.length)}`
  const thinking = kind === 'output' && typeof counts?.reasoning === 'number' ? counts.reasoning : 0
  const words = `${number} ${names[kind] ?? kind}`
  return thinking > 0 ? `${words}, ${formatInteger(thinking)} of which thinking` : words
}

const rateOf = (kind: string, usdPerMillion: number) =>
  kind.startsWith('tools.') || kind === 'images'
    ? `× ${formatUsd(usdPerMillion / 1_000_000)} each`
    : `× ${formatUsd(usdPerMillion)} / M`
