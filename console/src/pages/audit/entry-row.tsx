import { ChevronRight } from 'lucide-react'
import { formatClock, formatMoment } from '../../format'
import { Button, cx, Fact, Facts, Id } from '../../parts'
import { useTimeZone } from '../../time/use-span'
import { changedFields } from './changed-fields'
import { FieldDiff } from './field-diff'
import type { AuditSearch } from './search'
import { SubjectLink } from './subject-link'
import { type AuditEntry, actorOf, kindOf, verbOf } from './words'

interface EntryRowProps {
  entry: AuditEntry
  isOpen: boolean
  onToggle(): void
  onSearch(change: AuditSearch): void
}

/** One change as a sentence; what changed in it opens below. */
export function EntryRow({ entry, isOpen, onToggle, onSearch }: EntryRowProps) {
  const timeZone = useTimeZone()
  const at = new Date(entry.at)
  const sentence = `${actorOf(entry)} ${verbOf(entry)} ${kindOf(entry)}`
  return (
    <li className="border-b border-rule">
      <div className={cx('flex items-baseline gap-3 py-2', isOpen && 'font-normal')}>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`What changed: ${sentence}`}
          onClick={onToggle}
          className="inline-flex items-center gap-1.5 self-start rounded-sm text-ink-3 hover:text-ink"
        >
          <ChevronRight size={14} aria-hidden className={cx('transition-transform', isOpen && 'rotate-90')} />
          <time dateTime={entry.at} title={formatMoment(at, timeZone)} className="num text-xs">
            {formatClock(at, timeZone)}
          </time>
        </button>
        <div className="min-w-0 flex-1 md:flex md:items-baseline md:gap-3">
          <span className="min-w-0">
            <span className="font-medium">{actorOf(entry)}</span>{' '}
            <span className="text-ink-2">
              {verbOf(entry)} {kindOf(entry)}
            </span>{' '}
            <SubjectLink entry={entry} />
          </span>
          <Summary entry={entry} />
        </div>
      </div>
      {isOpen && (
        <div className="pt-1 pb-5 md:pl-[5.4rem]">
          <FieldDiff entry={entry} />
          <div className="mt-4 flex flex-wrap items-start gap-x-10 gap-y-3 text-xs">
            <Facts>
              <Fact name="Action">
                <code>{entry.action}</code>
              </Fact>
              <Fact name="Of">
                <Id id={entry.subject.id} />
              </Fact>
              <Fact name="With">
                {entry.actor.type === 'operator' ? (
                  'a command on the machine itself'
                ) : (
                  <>
                    {entry.actor.type === 'session' ? 'a session of ' : ''}key {entry.actor.keyName ?? ''}{' '}
                    {entry.actor.keyId !== null && <Id id={entry.actor.keyId} />}
                  </>
                )}
              </Fact>
            </Facts>
            <Button size="sm" onClick={() => onSearch({ subjectId: entry.subject.id, entry: undefined })}>
              All changes of this
            </Button>
          </div>
        </div>
      )}
    </li>
  )
}

/** Which fields, in a few words: enough to know whether it is worth opening. */
function Summary({ entry }: { entry: AuditEntry }) {
  if (entry.before === null || entry.after === null) return null
  const fields = changedFields(entry.before, entry.after)
  if (fields.length === 0) return null
  const [first] = fields
  const isShort =
    fields.length === 1 && first && [first.before, first.after].every((value) => String(value).length <= 24)
  return (
    <span className="block min-w-0 truncate text-xs text-ink-3 max-md:mt-0.5">
      {isShort ? (
        <>
          {first.path}: {short(first.before)} → {short(first.after)}
        </>
      ) : (
        fields
          .slice(0, 4)
          .map(({ path }) => path)
          .join(', ') + (fields.length > 4 ? ` and ${fields.length - 4} more` : '')
      )}
    </span>
  )
}

const short = (value: unknown) => (value === null || value === undefined ? 'none' : String(value))
