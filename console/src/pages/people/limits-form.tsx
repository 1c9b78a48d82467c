import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../api'
import { useCalledModels } from '../../called-models'
import {
  AllowList,
  Button,
  Dialog,
  ErrorState,
  faultsOf,
  isBesideFields,
  readNames,
  say,
  TextField,
} from '../../parts'

import { ToolListField } from '../../tool-list'
import { readUsd } from './team-form'
import { type Limit, useRefreshPeople } from './use-people'

/** What somebody may spend and call, over all of their keys. */
export function LimitsForm({ limit, name, onClose }: { limit: Limit; name: string; onClose(): void }) {
  const formId = useId()
  const [cap, setCap] = useState(limit.budgetCapUsd === null ? '' : String(limit.budgetCapUsd))
  const [models, setModels] = useState(limit.allowedModels === null ? null : limit.allowedModels.join('\n'))
  const [tools, setTools] = useState(limit.allowedTools === null ? null : limit.allowedTools.join('\n'))
  const refresh = useRefreshPeople()
  // An empty cap is none; anything else that is no number must not become none.
  const isCapReadable = cap.trim() === '' || !Number.isNaN(readUsd(cap))
  const save = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.PATCH('/v1/user-limits/{userId}', {
          params: { path: { userId: limit.userId } },
          body: {
            budgetCapUsd: cap.trim() === '' ? null : readUsd(cap),
            allowedModels: models === null ? null : readNames(models),
            allowedTools: tools === null ? null : readNames(tools),
          },
        }),
      ),
    async onSuccess() {
      await refresh()
      say(`The limits of ${name} are set`)
      onClose()
    },
  })
  const faultOf = faultsOf(save.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isCapReadable) save.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Limits of ${name}`}
      description="They hold for all keys of the person, from the next call."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="flex flex-col gap-3">
        <TextField
          label="Cap, USD a month"
          value={cap}
          onValue={setCap}
          inputMode="decimal"
          placeholder="no cap"
          fault={
            isCapReadable ? faultOf('budgetCapUsd') : 'must be an amount such as 100, or empty for no cap'
          }
          hint={
            isCapReadable && cap.trim() !== '' && readUsd(cap) <= limit.spentUsd
              ? 'Already spent: the next call will be refused'
              : 'A calendar month, UTC. Empty for no cap.'
          }
          autoFocus
        />
        <AllowList
          label="Models"
          value={models}
          onValue={setModels}
          all="All models"
          which="Which"
          hint="One per line; gpt-4o* allows all that begin so."
          none="None as it stands: no model can be called."
          fault={faultOf('allowedModels')}
          offers={useCalledModels()}
        />
        <ToolListField value={tools} onValue={setTools} fault={faultOf('allowedTools')} />
        {save.error && !isBesideFields(save.error, ['budgetCapUsd', 'allowedModels', 'allowedTools']) && (
          <ErrorState error={save.error} />
        )}
      </form>
    </Dialog>
  )
}
