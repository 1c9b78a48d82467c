import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, Field, Section, Select, Status, Switch, TextArea, TextField } from '../../parts'
import { useIsManager } from '../../session'
import { Bench } from './bench'
import { isFilledIn, readFields, writeConfig } from './config'
import { ConfigForm } from './config-form'
import { EditorActions } from './editor-actions'
import { faultsOf } from './faults'
import { Hits } from './hits'
import { BackToList } from './kind-picker'
import {
  type Action,
  actionNames,
  actionWords,
  type Kind,
  kinds,
  type Phase,
  type Policy,
  phaseNames,
  type Scope,
} from './policy'
import { ScopeField } from './scope-field'
import { useChange, useCreate } from './use-changes'
import type { DraftBody } from './use-trial'

export interface EditorProps {
  kind: Kind
  /** Null for a new one. */
  policy: Policy | null
  policies: readonly Policy[]
  /** A secret that is shown this once. */
  onSecret(secret: string): void
}

/** A policy as a form, and beside it a bench on which it is tried before it is saved. */
export function Editor({ kind, policy, policies, onSecret }: EditorProps) {
  const isManager = useIsManager()
  const navigate = useNavigate({ from: '/policies' })
  const [name, setName] = useState(policy?.name ?? '')
  const [description, setDescription] = useState(policy?.description ?? '')
  const [scope, setScope] = useState<Scope>(policy?.scope ?? { type: 'tenant', id: '' })
  const [phase, setPhase] = useState<Phase>(policy?.phase ?? 'input')
  const [action, setAction] = useState<Action>(policy?.action ?? (kinds[kind].findsText ? 'redact' : 'block'))
  const [fields, setFields] = useState(() => readFields(policy?.config ?? {}))
  const [isEnabled, setEnabled] = useState(true)
  const [trialError, setTrialError] = useState<unknown>(null)
  const create = useCreate()
  const change = useChange(policy?.id ?? '')
  const saving = policy ? change : create
  const faultOf = faultsOf(trialError, saving.error)
  const isRedacting = action === 'redact' && phase !== 'output'
  const config = writeConfig(kind, fields, isRedacting)
  const written = {
    name: name.trim(),
    description: description.trim(),
    config,
    phase,
    action,
    scope: scope.type === 'tenant' ? { type: scope.type } : scope,
  }
  const isChanged = policy === null || JSON.stringify(written) !== JSON.stringify(writtenOf(policy))
  const save = () => {
    if (policy) return change.mutate(written)
    create.mutate(
      { ...written, kind, enabled: isEnabled },
      {
        onSuccess: ({ id, secret }) => {
          if (secret !== undefined) onSecret(secret)
          void navigate({ search: ({ kind: _, ...now }) => ({ ...now, policy: id }), replace: true })
        },
      },
    )
  }
  const draft: DraftBody | undefined = isFilledIn(kind, fields)
    ? { kind, config, phase, action, name: name.trim() || 'This policy', ...(policy && { id: policy.id }) }
    : undefined
  const { phases, actions } = kinds[kind]
  return (
    <>
      <BackToList />
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div className="min-w-0">
          <h2 className="m-0 text-xl leading-8 font-semibold break-words">{policy?.name ?? 'New policy'}</h2>
          <p className="m-0 flex flex-wrap items-center gap-x-3 text-sm text-ink-2">
            {kinds[kind].name}: {kinds[kind].does}
            {policy && (
              <Status tone={policy.enabled ? 'ok' : 'neutral'}>
                {policy.enabled ? `in force, version ${policy.version}` : 'not in force'}
              </Status>
            )}
          </p>
        </div>
        {policy && (
          <div className="sm:text-right">
            <p className="m-0 mb-1 text-xs text-ink-3">Acted on, last 7 days</p>
            <Hits policyId={policy.id} isWide />
          </div>
        )}
      </header>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <TextField
            label="Name"
            value={name}
            onValue={setName}
            fault={faultOf('name')}
            disabled={!isManager}
            maxLength={200}
            autoFocus={policy === null}
          />
          <ConfigForm
            kind={kind}
            fields={fields}
            onChange={(changed) => setFields((before) => ({ ...before, ...changed }))}
            faultOf={faultOf}
            disabled={!isManager}
            canRestore={isRedacting && kinds[kind].findsText}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label="Judges"
              fault={faultOf('phase')}
              hint={phases.length === 1 && 'This kind judges the request alone.'}
            >
              {({ id }) => (
                <Select
                  id={id}
                  className="w-full"
                  value={phase}
                  onValue={(value) => setPhase(value)}
                  choices={phases.map((value) => ({ value, label: phaseNames[value] }))}
                  disabled={!isManager || phases.length === 1}
                />
              )}
            </Field>
            <Field label="What happens then" fault={faultOf('action')} hint={actionWords[action]}>
              {({ id }) => (
                <Select
                  id={id}
                  className="w-full"
                  value={action}
                  onValue={(value) => setAction(value)}
                  choices={actions.map((value) => ({ value, label: actionNames[value] }))}
                  disabled={!isManager}
                />
              )}
            </Field>
          </div>
          <ScopeField scope={scope} onChange={setScope} faultOf={faultOf} disabled={!isManager} />
          <Field
            label="Description"
            hint="For those who meet it later: why it is there"
            fault={faultOf('description')}
          >
            {(ids) => (
              <TextArea
                {...ids}
                rows={2}
                value={description}
                onChange={({ target }) => setDescription(target.value)}
                disabled={!isManager}
              />
            )}
          </Field>
          {isManager && (
            <div className="flex flex-wrap items-center gap-3 border-t border-rule pt-4">
              <Button
                kind="primary"
                type="submit"
                isBusy={saving.isPending}
                disabled={name.trim() === '' || draft === undefined || !isChanged}
              >
                {policy ? 'Save' : 'Create'}
              </Button>
              {policy ? (
                <EditorActions policy={policy} onSecret={onSecret} />
              ) : (
                <Switch label="In force at once" checked={isEnabled} onChecked={setEnabled} />
              )}
            </div>
          )}
        </form>
        <Section
          title="Bench"
          note="judged as you type; nothing is sent or recorded"
          className="!mb-0 lg:sticky lg:top-16 lg:self-start"
        >
          {kind === 'http' ? (
            <HttpBench policy={policy} isChanged={isChanged} policies={policies} />
          ) : (
            <Bench draft={draft} policies={policies} onError={setTrialError} />
          )}
        </Section>
      </div>
    </>
  )
}

/** A service of one's own is not called with every letter: it is asked when it is saved, and when somebody says so. */
function HttpBench({
  policy,
  isChanged,
  policies,
}: {
  policy: Policy | null
  isChanged: boolean
  policies: readonly Policy[]
}) {
  const [isAsking, setAsking] = useState(false)
  const isReady = policy?.enabled === true && !isChanged
  return (
    <Bench
      draft={null}
      policies={policies}
      instead={
        isReady && isAsking ? undefined : (
          <div className="flex flex-col items-start gap-2 text-sm text-ink-2">
            {isReady
              ? 'Your service is called while you type, with dryRun: true, together with all that is in force.'
              : 'Your service can be tried once the policy is saved and in force.'}
            {isReady && <Button onClick={() => setAsking(true)}>Ask the service</Button>}
          </div>
        )
      }
    />
  )
}

/** What the form would send for the policy as it is saved. */
function writtenOf({ name, description, kind, config, phase, action, scope }: Policy) {
  return {
    name,
    description,
    config: writeConfig(kind, readFields(config), action === 'redact' && phase !== 'output'),
    phase,
    action,
    scope: scope.type === 'tenant' ? { type: scope.type } : scope,
  }
}
