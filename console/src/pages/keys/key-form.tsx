import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { useCalledModels } from '../../called-models'
import { AllowList, Button, cx, Field, IconButton, Input, Select, TextField } from '../../parts'
import { ToolListField } from '../../tool-list'
import { type DraftFaults, type KeyDraft, toLocalInput } from './key-draft'
import { useNames } from './use-keys'

export interface KeyFormProps {
  draft: KeyDraft
  onDraft(draft: KeyDraft): void
  faults: DraftFaults
}

const roles = [
  { value: 'member', label: 'member' },
  { value: 'auditor', label: 'auditor' },
  { value: 'manager', label: 'manager' },
] as const
const roleHints: Record<KeyDraft['role'], string> = {
  member: 'Calls models, sees what is its own',
  auditor: 'Also reads everything of the tenant',
  manager: 'Also changes everything of the tenant',
}

/** The settings of a key. Whoever shows it sends it. */
export function KeyForm({ draft, onDraft, faults }: KeyFormProps) {
  const { teams, people } = useNames()
  const peopleId = useId()
  const set = <F extends keyof KeyDraft>(field: F) => ({
    value: draft[field],
    onValue: (value: KeyDraft[F]) => onDraft({ ...draft, [field]: value }),
    fault: faults[field],
  })
  return (
    <div className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
      <div className="sm:col-span-2">
        <TextField label="Name" {...set('name')} placeholder="nightly job" autoFocus />
      </div>
      <TextField
        label="Owner"
        {...set('userId')}
        list={peopleId}
        placeholder="nobody"
        hint="A user id; a new one makes that member"
      />
      <datalist id={peopleId}>
        {people.map(({ userId, name }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
      </datalist>
      <Field label="Team" fault={faults.teamId} hint="Whom its spend counts for">
        {({ id }) => (
          <Select
            id={id}
            {...set('teamId')}
            choices={[
              { value: '', label: draft.userId.trim() === '' ? 'None' : 'That of its owner' },
              ...teams.map((team) => ({ value: team.id, label: team.name })),
            ]}
            className="w-full"
          />
        )}
      </Field>
      <TextField
        label="Requests per minute"
        {...set('rpmLimit')}
        inputMode="numeric"
        placeholder="no limit"
        hint="People: 60, jobs: 20"
      />
      <TextField
        label="Tokens per minute"
        {...set('tpmLimit')}
        inputMode="numeric"
        placeholder="no limit"
        hint="People: 200,000, jobs: 500,000"
      />
      <Field label="Role" fault={faults.role} hint={roleHints[draft.role]}>
        {({ id }) => <Select id={id} {...set('role')} choices={roles} className="w-full" />}
      </Field>
      <Expiry draft={draft} onDraft={onDraft} faults={faults} />
      <Models draft={draft} onDraft={onDraft} faults={faults} />
      <div className="sm:col-span-2">
        <ToolListField {...set('tools')} />
      </div>
      <Tags draft={draft} onDraft={onDraft} faults={faults} />
    </div>
  )
}

const dayMs = 86_400_000

function Expiry({ draft, onDraft, faults }: KeyFormProps) {
  const after = (days: number) =>
    onDraft({ ...draft, expiresAt: toLocalInput(new Date(Date.now() + days * dayMs)) })
  return (
    <Field
      label="Expires"
      fault={faults.expiresAt}
      hint={
        <span className="flex gap-1.5 whitespace-nowrap">
          {draft.expiresAt === '' ? 'Never, or in' : 'In'}
          {[30, 90, 365].map((days) => (
            <button
              key={days}
              type="button"
              aria-label={`In ${days} days`}
              className="text-accent hover:underline"
              onClick={() => after(days)}
            >
              {days}
            </button>
          ))}
          days
          {draft.expiresAt !== '' && (
            <>
              , or
              <button
                type="button"
                className="text-accent hover:underline"
                onClick={() => onDraft({ ...draft, expiresAt: '' })}
              >
                never
              </button>
            </>
          )}
        </span>
      }
    >
      {(ids) => (
        <Input
          {...ids}
          type="datetime-local"
          value={draft.expiresAt}
          onChange={(event) => onDraft({ ...draft, expiresAt: event.target.value })}
          className={cx('num', draft.expiresAt === '' && 'text-ink-3')}
        />
      )}
    </Field>
  )
}

function Models({ draft, onDraft, faults }: KeyFormProps) {
  return (
    <div className="sm:col-span-2">
      <AllowList
        label="Models"
        value={draft.models}
        onValue={(models) => onDraft({ ...draft, models })}
        all="All models"
        which="Which"
        hint="One per line; gpt-4o* allows all that begin so"
        none="None as it stands: the key can call no model."
        fault={faults.models}
        offers={useCalledModels()}
      />
    </div>
  )
}

function Tags({ draft, onDraft, faults }: KeyFormProps) {
  const { tags } = draft
  const put = (at: number, change: Partial<{ name: string; value: string }>) =>
    onDraft({ ...draft, tags: tags.map((tag, n) => (n === at ? { ...tag, ...change } : tag)) })
  return (
    <fieldset className="m-0 flex flex-col gap-2 border-0 p-0 sm:col-span-2">
      <legend className="mb-1 p-0 text-xs font-medium text-ink-2">Tags</legend>
      {tags.map((tag, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tag has no identity but its place
        <div key={n} className="flex items-center gap-2">
          <Input
            aria-label={`Name of tag ${n + 1}`}
            placeholder="project"
            value={tag.name}
            onChange={(event) => put(n, { name: event.target.value })}
          />
          <span className="text-ink-3">=</span>
          <Input
            aria-label={`Value of tag ${n + 1}`}
            placeholder="alpha"
            value={tag.value}
            onChange={(event) => put(n, { value: event.target.value })}
          />
          <IconButton
            label={`Remove tag ${n + 1}`}
            onClick={() => onDraft({ ...draft, tags: tags.filter((_, each) => each !== n) })}
          >
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          icon={<Plus size={13} aria-hidden />}
          onClick={() => onDraft({ ...draft, tags: [...tags, { name: '', value: '' }] })}
        >
          Add a tag
        </Button>
        <span className={cx('text-xs', faults.tags ? 'text-bad' : 'text-ink-3')}>
          {faults.tags ?? 'Every call with the key is filed under them'}
        </span>
      </div>
    </fieldset>
  )
}
