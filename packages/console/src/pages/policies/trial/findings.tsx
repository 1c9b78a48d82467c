import { Status, type Tone } from '../../../components'
import { plural } from '../../../format'
import { isKind, kinds } from '../kinds'
import { marksOf } from './marks'
import type { TrialResult } from './use-trial'

const shownFindings = 12

/** The matches, and the result of each policy. */
export function Findings({
  result,
  text,
  nameOf,
  showsChecks,
}: {
  result: TrialResult
  text: string
  /** The name of a policy; null if the user may not read it. */
  nameOf(reference: string): string | null
  showsChecks: boolean
}) {
  const marks = marksOf(result.findings)
  const checks = result.checks.filter(({ policy }) => policy !== undefined)
  return (
    <>
      {marks.length > 0 && (
        <table className="w-full border-collapse text-sm" aria-label="Findings">
          <thead className="sr-only">
            <tr>
              <th scope="col">Entity</th>
              <th scope="col">Where</th>
              <th scope="col">Replacement</th>
            </tr>
          </thead>
          <tbody>
            {marks.slice(0, shownFindings).map(({ start, end, finding }) => (
              <tr key={start} className="border-b border-rule align-top">
                <td className="py-1.5 pr-3 whitespace-nowrap text-ink-2">{nameOfEntity(finding.entity)}</td>
                <td className="w-full max-w-0 truncate py-1.5 pr-3" title={text.slice(start, end)}>
                  {text.slice(start, end)}
                </td>
                <td className="mono py-1.5 text-right whitespace-nowrap text-ink-3">
                  {finding.replacement ?? `line ${text.slice(0, start).split('\n').length}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {marks.length > shownFindings && (
        <p className="m-0 text-xs text-ink-3">
          and {plural(marks.length - shownFindings, 'more match', 'more matches')}
        </p>
      )}
      {showsChecks && checks.length > 0 && (
        <ul aria-label="Result of each policy" className="m-0 list-none p-0 text-sm">
          {checks.map(({ policy = '', name, result, action }) => (
            <li
              key={policy}
              className="flex items-baseline justify-between gap-3 border-b border-rule py-1.5"
            >
              <span className="min-w-0 truncate">
                {nameOf(policy) ?? nameOfKind(name)}{' '}
                {nameOf(policy) !== null && <span className="text-xs text-ink-3">{nameOfKind(name)}</span>}
              </span>
              <Status tone={toneOf(result, action)}>{labelOf(result, action)}</Status>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

const nameOfKind = (name: string) => (isKind(name) ? kinds[name].name : name)

/** The readable name of an entity: `secret:github_token` is `github token`. */
const nameOfEntity = (entity: string) => entity.replace(/^[a-z]+:/, '').replaceAll('_', ' ')

function toneOf(result: string, action: string | undefined): Tone {
  if (result === 'error') return 'bad'
  if (result !== 'fail') return result === 'pass' ? 'ok' : 'neutral'
  return action === 'redact' ? 'accent' : action === 'flag' ? 'neutral' : 'warn'
}

const acted: Record<string, string> = { block: 'blocks', redact: 'redacts', flag: 'flags' }

function labelOf(result: string, action: string | undefined): string {
  if (result === 'pass') return 'passes'
  if (result === 'skip') return 'not run'
  if (result === 'error') return 'error'
  return acted[action ?? 'block'] ?? 'fails'
}
