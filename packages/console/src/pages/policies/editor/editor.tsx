import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, expectSuccess } from '../../../api'
import {
  Button,
  Section,
  SelectField,
  Status,
  Switch,
  TextAreaField,
  TextField,
  useDraftForm,
} from '../../../components'
import { useIsManager } from '../../../session'
import { Hits } from '../hits'
import { BackToList } from '../kind-picker'
import { kinds } from '../kinds'
import { actionDescriptions, actionNames, type Kind, type Policy, phaseNames } from '../policy'
import { TrialPanel } from '../trial/trial-panel'
import type { DraftBody } from '../trial/use-trial'
import { policyPaths } from '../use-changes'
import { EditorActions } from './editor-actions'
import { fieldErrorsOf } from './field-errors'
import { HttpTrial } from './http-trial'
import { canRestore, toBody, toDraft } from './policy-draft'
import { RestoreSwitch } from './restore-switch'
import { ScopeField } from './scope-field'

export interface EditorProps {
  kind: Kind
  /** Null creates a new policy. */
  policy: Policy | null
  policies: readonly Policy[]
  /** Receives a new signing secret, which is shown once. */
  onSecret(secret: string): void
}

/** The form of a policy, beside a panel that tests it before it is saved. */
export function Editor({ kind, policy, policies, onSecret }: EditorProps) {
  const isManager = useIsManager()
  const navigate = useNavigate({ from: '/policies' })
  const [trialError, setTrialError] = useState<unknown>(null)
  const form = useDraftForm({
    record: policy,
    toDraft: (saved) => toDraft(kind, saved),
    toBody: (edited) => toBody(kind, edited),
    create: async (body): Promise<Policy & { secret?: string }> =>
      await expectSuccess(api.POST('/v1/policies', { body })),
    update: async (changes, { id }): Promise<Policy & { secret?: string }> =>
      await expectSuccess(api.PATCH('/v1/policies/{id}', { params: { path: { id } }, body: changes })),
    invalidates: policyPaths,
    message: ({ name, enabled }) =>
      `Policy “${name}” ${policy ? 'saved' : enabled ? 'created and enabled' : 'created, disabled'}`,
    errorTitle: 'Policy not saved',
    onSaved({ id, secret }) {
      if (policy) return
      if (secret !== undefined) onSecret(secret)
      void navigate({ search: ({ kind: _, ...now }) => ({ ...now, policy: id }), replace: true })
    },
  })
  const { draft, set } = form
  const errorOf = fieldErrorsOf(trialError, form.error)
  const { name, config, phase, action } = toBody(kind, draft)
  const saved = policy && toBody(kind, toDraft(kind, policy))
  const isChanged = JSON.stringify(toBody(kind, draft)) !== JSON.stringify(saved)
  const trial: DraftBody | undefined = draft.config.isFilledIn
    ? { kind, config, phase, action, name: name || 'This policy', ...(policy && { id: policy.id }) }
    : undefined
  const { phases, actions, callsService } = kinds[kind]
  return (
    <>
      <BackToList />
      <EditorHeader kind={kind} policy={policy} />
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <form {...form.props} className="flex flex-col gap-4">
          <TextField
            label="Name"
            {...form.field('name')}
            error={errorOf('name')}
            disabled={!isManager}
            maxLength={200}
            autoFocus={policy === null}
          />
          {draft.config.form({ onChange: (config) => set({ config }), errorOf, disabled: !isManager })}
          {canRestore(kind, draft) && (
            <RestoreSwitch
              checked={draft.restore}
              onChecked={(restore) => set({ restore })}
              error={errorOf('config.restore')}
              disabled={!isManager}
            />
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label="Checks"
              {...form.field('phase')}
              error={errorOf('phase')}
              hint={phases.length === 1 && 'This kind checks requests only.'}
              choices={phases.map((value) => ({ value, label: phaseNames[value] }))}
              disabled={!isManager || phases.length === 1}
            />
            <SelectField
              label="Action"
              {...form.field('action')}
              error={errorOf('action')}
              hint={actionDescriptions[draft.action]}
              choices={actions.map((value) => ({ value, label: actionNames[value] }))}
              disabled={!isManager}
            />
          </div>
          <ScopeField
            scope={draft.scope}
            onChange={(scope) => set({ scope })}
            errorOf={errorOf}
            disabled={!isManager}
          />
          <TextAreaField
            label="Description"
            {...form.field('description')}
            hint="Why the policy exists, for others who read it later"
            error={errorOf('description')}
            rows={2}
            disabled={!isManager}
          />
          {isManager && (
            <div className="flex flex-wrap items-center gap-3 border-t border-rule pt-4">
              <Button
                kind="primary"
                type="submit"
                isBusy={form.isSaving}
                disabled={draft.name.trim() === '' || trial === undefined || !isChanged}
              >
                {policy ? 'Save' : 'Create policy'}
              </Button>
              {policy ? (
                <EditorActions policy={policy} onSecret={onSecret} />
              ) : (
                <Switch
                  label="Enabled"
                  checked={draft.isEnabled}
                  onChecked={(isEnabled) => set({ isEnabled })}
                />
              )}
            </div>
          )}
        </form>
        <Section
          title="Test"
          note="evaluated as you type; nothing is sent or recorded"
          className="!mb-0 lg:sticky lg:top-16 lg:self-start"
        >
          {callsService ? (
            <HttpTrial policy={policy} isChanged={isChanged} policies={policies} />
          ) : (
            <TrialPanel draft={trial} policies={policies} onError={setTrialError} />
          )}
        </Section>
      </div>
    </>
  )
}

function EditorHeader({ kind, policy }: Pick<EditorProps, 'kind' | 'policy'>) {
  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
      <div className="min-w-0">
        <h2 className="m-0 text-xl leading-8 font-semibold break-words">{policy?.name ?? 'New policy'}</h2>
        <p className="m-0 flex flex-wrap items-center gap-x-3 text-sm text-ink-2">
          {kinds[kind].name}: {kinds[kind].description}
          {policy && (
            <Status tone={policy.enabled ? 'ok' : 'neutral'}>
              {policy.enabled ? `enabled, version ${policy.version}` : 'disabled'}
            </Status>
          )}
        </p>
      </div>
      {policy && (
        <div className="sm:text-right">
          <p className="m-0 mb-1 text-xs text-ink-3">Calls acted on, last 7 days</p>
          <Hits policyId={policy.id} isWide />
        </div>
      )}
    </header>
  )
}
