import ChevronRight from 'lucide-react/icons/chevron-right'
import { cx, Id } from '../../components'
import { formatClock, formatMoment } from '../../format'
import { useTimeZone } from '../../time/use-span'
import { type AuditEntry, actorOf, describeAction, kindOf } from './action-names'
import { changedFields } from './changed-fields'
import { FieldDiff } from './field-diff'
import type { AuditSearch } from './search'
import { SubjectLink } from './subject-link'

interface EntryRowProps {
  entry: AuditEntry
  isOpen: boolean
  onToggle(): void
  onSearch(change: AuditSearch): void
}

/** A change as a sentence; opening it shows the changed fields. */
export function EntryRow({ entry, isOpen, onToggle, onSearch }: EntryRowProps) {
  const timeZone = useTimeZone()
  const at = new Date(entry.at)
  const sentence = `${actorOf(entry)} ${describeAction(entry)} ${kindOf(entry)}`
  return (
    <li className="border-b border-rule">
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the whole row is a larger click target; the button inside handles keys */}
      <div
        className="flex cursor-pointer items-start gap-3 py-2 hover:bg-sunken"
        onClick={(event) => isPlainText(event.target) && onToggle()}
      >
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={`${formatClock(at, timeZone)}, what changed: ${sentence}`}
          onClick={onToggle}
          className="inline-flex h-5 shrink-0 items-center gap-1.5 rounded-sm text-ink-3 hover:text-ink"
        >
          <ChevronRight size={14} aria-hidden className={cx('transition-transform', isOpen && 'rotate-90')} />
          <time dateTime={entry.at} title={formatMoment(at, timeZone)} className="num text-xs">
            {formatClock(at, timeZone)}
          </time>
        </button>
        <div className="min-w-0 flex-1 md:flex md:items-baseline md:gap-3">
          <span className="min-w-0 break-words">
            <Actor entry={entry} />{' '}
            <span className="text-ink-2">
              {describeAction(entry)} {kindOf(entry)}
            </span>{' '}
            <SubjectLink entry={entry} />
          </span>
          <Summary entry={entry} />
        </div>
      </div>
      {isOpen && <ChangedFields entry={entry} onSearch={onSearch} />}
    </li>
  )
}

const isPlainText = (target: EventTarget) => target instanceof Element && target.closest('a, button') === null

/** The actor of a change. A key without an owner acts in its own name. */
function Actor({ entry }: { entry: AuditEntry }) {
  const { type, userId } = entry.actor
  return (
    <>
      {type !== 'operator' && userId === null && <span className="text-ink-2">Key </span>}
      <span className="font-medium">{actorOf(entry)}</span>
    </>
  )
}

function ChangedFields({ entry, onSearch }: { entry: AuditEntry; onSearch(change: AuditSearch): void }) {
  const { actor, action, subject } = entry
  return (
    <div className="pt-1 pb-5 md:pl-[5.4rem]">
      <FieldDiff entry={entry} />
      <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-2 text-xs text-ink-3">
        <code>{action}</code>
        <Id id={subject.id} />
        {actor.type === 'operator' ? (
          <span>by a command on the server</span>
        ) : (
          <span>
            {actor.type === 'session' ? 'in a session opened with key ' : 'with key '}
            {actor.keyName} {actor.keyId !== null && <Id id={actor.keyId} />}
          </span>
        )}
        <button
          type="button"
          className="text-accent hover:underline"
          onClick={() => onSearch({ subjectId: subject.id, entry: undefined })}
        >
          all changes to this object
        </button>
        {(actor.userId ?? actor.keyId) !== null && (
          <button
            type="button"
            className="text-accent hover:underline"
            onClick={() =>
              onSearch({
                entry: undefined,
                ...(actor.userId === null
                  ? { actorId: actor.id, userId: undefined }
                  : { userId: actor.userId, actorId: undefined }),
              })
            }
          >
            all changes by {actorOf(entry)}
          </button>
        )}
      </div>
    </div>
  )
}

/** The names of the changed fields. */
function Summary({ entry }: { entry: AuditEntry }) {
  if (entry.before === null || entry.after === null || entry.action.endsWith('.test')) return null
  const fields = changedFields(entry.before, entry.after)
  if (fields.length === 0) return null
  const [first] = fields
  const isShort =
    fields.length === 1 && first && [first.before, first.after].every((value) => String(value).length < 24)
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
