import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { useId } from 'react'
import { useCalledModels } from '../../../called-models'
import {
  AllowList,
  Button,
  cx,
  type DraftForm,
  Field,
  IconButton,
  Input,
  SelectField,
  TextField,
} from '../../../components'
import { toLocalInput } from '../../../time/zone'
import { ToolListField } from '../../../tool-list'
import { useNames } from '../use-keys'
import type { KeyDraft } from './key-draft'

interface KeyFieldsProps {
  form: DraftForm<KeyDraft>
}

const roles = [
  { value: 'member', label: 'member' },
  { value: 'auditor', label: 'auditor' },
  { value: 'manager', label: 'manager' },
] as const
const roleHints: Record<KeyDraft['role'], string> = {
  member: 'Makes calls and sees its own data',
  auditor: 'Makes calls and reads everything in the tenant',
  manager: 'Makes calls, and reads and changes everything in the tenant',
}

/** The fields of the key form. */
export function KeyFields({ form }: KeyFieldsProps) {
  const { teams, people } = useNames()
  const peopleId = useId()
  const { draft, field } = form
  return (
    <>
      <div className="sm:col-span-2">
        <TextField label="Name" {...field('name')} placeholder="nightly job" autoFocus />
      </div>
      <TextField
        label="Owner"
        {...field('userId')}
        list={peopleId}
        placeholder="none"
        hint="A user ID. An unknown ID creates a member"
      />
      <datalist id={peopleId}>
        {people.map(({ userId, name }) => (
          <option key={userId} value={userId}>
            {name}
          </option>
        ))}
      </datalist>
      <SelectField
        label="Team"
        {...field('teamId')}
        hint="The team that its spend counts towards"
        choices={[
          { value: '', label: draft.userId.trim() === '' ? 'None' : 'The owner’s team' },
          ...teams.map((team) => ({ value: team.id, label: team.name })),
        ]}
      />
      <TextField
        label="Requests per minute"
        {...field('rpmLimit')}
        inputMode="numeric"
        placeholder="no limit"
        hint="Typical: 60 for people, 20 for jobs"
      />
      <TextField
        label="Tokens per minute"
        {...field('tpmLimit')}
        inputMode="numeric"
        placeholder="no limit"
        hint="Typical: 200,000 for people, 500,000 for jobs"
      />
      <SelectField label="Role" {...field('role')} hint={roleHints[draft.role]} choices={roles} />
      <Expiry form={form} />
      <div className="sm:col-span-2">
        <AllowList
          label="Models"
          {...field('models')}
          allLabel="All models"
          listLabel="Allowed models"
          hint="One per line. gpt-4o* allows every model whose name begins with gpt-4o"
          emptyWarning="The list is empty: the key can call no model."
          suggestions={useCalledModels()}
        />
      </div>
      <div className="sm:col-span-2">
        <ToolListField {...field('tools')} />
      </div>
      <Tags form={form} />
    </>
  )
}

const dayMs = 86_400_000

function Expiry({ form }: KeyFieldsProps) {
  const { value, onValue, error } = form.field('expiresAt')
  return (
    <Field
      label="Expires"
      error={error}
      hint={
        <span className="flex gap-1.5 whitespace-nowrap">
          {value === '' ? 'Never, or in' : 'In'}
          {[30, 90, 365].map((days) => (
            <button
              key={days}
              type="button"
              aria-label={`In ${days} days`}
              className="text-accent hover:underline"
              onClick={() => onValue(toLocalInput(new Date(Date.now() + days * dayMs)))}
            >
              {days}
            </button>
          ))}
          days
          {value !== '' && (
            <>
              , or
              <button type="button" className="text-accent hover:underline" onClick={() => onValue('')}>
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
          value={value}
          onChange={(event) => onValue(event.target.value)}
          className={cx('num', value === '' && 'text-ink-3')}
        />
      )}
    </Field>
  )
}

function Tags({ form }: KeyFieldsProps) {
  const { value: tags, onValue, error } = form.field('tags')
  const change = (at: number, part: Partial<KeyDraft['tags'][number]>) =>
    onValue(tags.map((tag, n) => (n === at ? { ...tag, ...part } : tag)))
  return (
    <fieldset className="m-0 flex flex-col gap-2 border-0 p-0 sm:col-span-2">
      <legend className="mb-1 p-0 text-xs font-medium text-ink-2">Tags</legend>
      {tags.map((tag, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: tags are identified by their position
        <div key={n} className="flex items-center gap-2">
          <Input
            aria-label={`Name of tag ${n + 1}`}
            placeholder="project"
            value={tag.name}
            onChange={(event) => change(n, { name: event.target.value })}
          />
          <span className="text-ink-3">=</span>
          <Input
            aria-label={`Value of tag ${n + 1}`}
            placeholder="alpha"
            value={tag.value}
            onChange={(event) => change(n, { value: event.target.value })}
          />
          <IconButton label={`Remove tag ${n + 1}`} onClick={() => onValue(tags.filter((_, at) => at !== n))}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          icon={<Plus size={13} aria-hidden />}
          onClick={() => onValue([...tags, { name: '', value: '' }])}
        >
          Add a tag
        </Button>
        <span className={cx('text-xs', error ? 'text-bad' : 'text-ink-3')}>
          {error ?? 'Added to every call made with the key'}
        </span>
      </div>
    </fieldset>
  )
}
