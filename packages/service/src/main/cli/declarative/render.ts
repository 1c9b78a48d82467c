import { type Action, describeStep, type FieldChange } from './plan.js'

const marks: Partial<Record<Action['action'], string>> = { create: '+', update: '~', adopt: '~', delete: '-' }
const maxValueChars = 120

export const isChange = ({ action }: Action): boolean => action in marks

/** Describes a plan for people. */
export function renderPlan(actions: readonly Action[]): string {
  const shown = actions.filter((action) => isChange(action) || action.action === 'refuse')
  const lines = shown.flatMap((action) => [renderAction(action), ...renderChanges(action)])
  return [...lines, ...(lines.length > 0 ? [''] : []), renderSummary(actions)].join('\n')
}

export function renderAction(action: Action): string {
  if (action.action === 'refuse') return `! ${describeStep(action)} ${action.reason}`
  const note = action.action === 'adopt' ? ' (take over)' : ''
  return `${marks[action.action] ?? ' '} ${describeStep(action)}${note}`
}

const renderChanges = ({ action, changes }: Action): string[] =>
  changes.map((change) => `    ${renderChange(change, action === 'create')}`)

function renderChange({ field, from, to, isHidden }: FieldChange, isNew: boolean): string {
  if (isHidden) return `${field}: ${isNew ? 'set' : 'changed'}`
  return isNew ? `${field}: ${renderValue(to)}` : `${field}: ${renderValue(from)} → ${renderValue(to)}`
}

function renderValue(value: unknown): string {
  const text = JSON.stringify(value ?? null)
  return text.length > maxValueChars ? `${text.slice(0, maxValueChars)}… (${text.length} characters)` : text
}

function renderSummary(actions: readonly Action[]): string {
  const count = (name: Action['action']) => actions.filter(({ action }) => action === name).length
  const parts = [
    [count('create'), 'to create'],
    [count('update'), 'to update'],
    [count('adopt'), 'to take over'],
    [count('delete'), 'to delete'],
    [count('refuse'), 'refused'],
  ] as const
  const text = parts
    .filter(([number]) => number > 0)
    .map(([number, what]) => `${number} ${what}`)
    .join(', ')
  return text === '' ? 'No changes.' : `Plan: ${text}.`
}

/** Describes a plan for programs. */
export const describePlan = (actions: readonly Action[]) => ({
  changes: actions.filter(isChange).map(describeAction),
  refused: actions.filter(({ action }) => action === 'refuse').map(describeAction),
  unchanged: actions.filter(({ action }) => action === 'unchanged' || action === 'refresh').length,
})

const describeAction = (action: Action) => ({
  action: action.action,
  kind: action.kind.kind,
  name: action.name,
  ...(action.action === 'refuse' && { reason: action.reason }),
  fields: action.changes.map(({ field, from, to, isHidden }) =>
    isHidden ? { field, secret: true } : { field, from: from ?? null, to: to ?? null },
  ),
})
