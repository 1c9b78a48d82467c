import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../api'
import { formatUsd } from '../../format'
import {
  Button,
  Confirm,
  Dialog,
  ErrorState,
  faultsOf,
  isBesideFields,
  readNames,
  Skeleton,
  say,
  TextField,
} from '../../parts'

import { keepFocus } from '../../parts/keep-focus'
import { ToolListField } from '../../tool-list'
import { Consequences } from './consequences'
import { type SpendingTeam, type Team, useDependents, useRefreshPeople } from './use-people'

/** A new team, or one that is changed. */
export function TeamForm({ team, onClose }: { team: Team | null; onClose(): void }) {
  const formId = useId()
  const [name, setName] = useState(team?.name ?? '')
  const [pool, setPool] = useState(team === null ? '' : String(team.budgetPoolUsd))
  const [tools, setTools] = useState(team?.allowedTools?.join('\n') ?? null)
  const refresh = useRefreshPeople()
  const save = useMutation({
    mutationFn: async () => {
      const allowedTools = tools === null ? null : readNames(tools)
      const body = { name, budgetPoolUsd: readUsd(pool), allowedTools }
      return team === null
        ? await expectSuccess(api.POST('/v1/team/teams', { body }))
        : await expectSuccess(api.PATCH('/v1/team/teams/{id}', { params: { path: { id: team.id } }, body }))
    },
    async onSuccess(saved) {
      await refresh()
      say(team === null ? `Team ${saved.name} is there` : `Team ${saved.name} is changed`)
      onClose()
    },
  })
  const faultOf = faultsOf(save.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={team === null ? 'New team' : `Team ${team.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            {team === null ? 'Create team' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="flex flex-col gap-3">
        <TextField label="Name" value={name} onValue={setName} fault={faultOf('name')} autoFocus />
        <TextField
          label="Pool, USD a month"
          value={pool}
          onValue={setPool}
          inputMode="decimal"
          placeholder="500"
          fault={faultOf('budgetPoolUsd')}
          hint="What the keys of the team may spend together in a calendar month (UTC). A new pool counts from the next call."
        />
        <ToolListField value={tools} onValue={setTools} fault={faultOf('allowedTools')} />
        {save.error && !isBesideFields(save.error, ['name', 'budgetPoolUsd', 'allowedTools']) && (
          <ErrorState error={save.error} />
        )}
      </form>
    </Dialog>
  )
}

/** What was typed as a number. What is none goes to the service as it is, which says so beside the field. */
export function readUsd(text: string): number {
  const value = Number(text.trim().replaceAll(/[$,\s]/g, ''))
  return text.trim() === '' ? Number.NaN : value
}

export function DeleteTeam({ team, onClose }: { team: SpendingTeam; onClose(): void }) {
  const spent = team.spentUsd
  const found = useDependents({ type: 'team', id: team.id })
  const refresh = useRefreshPeople()
  const isInUse = found.keys + found.members + found.budgets + found.policies > 0
  const remove = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.DELETE('/v1/team/teams/{id}', {
          params: { path: { id: team.id }, query: isInUse ? { cascade: true } : {} },
        }),
      ),
    async onSuccess() {
      await refresh()
      say(`Team ${team.name} is deleted`)
      onClose()
      keepFocus()
    },
  })
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete team “${team.name}”?`}
      action="Delete team"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending || !found.isKnown}
    >
      {found.isKnown ? (
        <Consequences
          facts={[
            [found.members, 'person', 'people', 'stay, without a team'],
            [found.keys, 'key', 'keys', 'of the team stay, without a team'],
            [found.budgets, 'budget', 'budgets', 'of the team deleted'],
            [found.policies, 'policy', 'policies', 'of the team deleted'],
          ]}
        >
          Its pool of {formatUsd(team.budgetPoolUsd)} a month no longer limits anybody
          {spent !== undefined &&
            spent > 0 &&
            `; what it has spent, ${formatUsd(spent)} this month, stays in the record`}
          .
        </Consequences>
      ) : (
        <Skeleton className="h-16" />
      )}
      {(remove.error ?? found.error) && <ErrorState error={remove.error ?? found.error} className="mt-3" />}
    </Confirm>
  )
}
