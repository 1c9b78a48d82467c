import { Status, Tag, type Tone } from '../../../components'
import { plural } from '../../../format'
import type { Credential, Provider } from '../use-providers'

const credentialStates: Record<Credential['status'], { tone: Tone; label: string }> = {
  active: { tone: 'ok', label: 'active' },
  resting: { tone: 'warn', label: 'paused' },
  undecryptable: { tone: 'bad', label: 'cannot be decrypted' },
}

/** A rejected credential needs action; a rate-limited one recovers by itself. */
export const isRejected = ({ status, lastError }: Credential) =>
  status === 'resting' && lastError !== null && lastError.status !== 429

export function CredentialState({ credential }: { credential: Credential }) {
  if (isRejected(credential)) return <Status tone="bad">rejected</Status>
  const { tone, label } = credentialStates[credential.status]
  return <Status tone={tone}>{label}</Status>
}

/** The availability of a provider. */
export function stateOf({ enabled, secretStatus, credentials, auth }: Provider): {
  tone: Tone
  label: string
} {
  if (!enabled) return { tone: 'neutral', label: 'disabled' }
  if (secretStatus === 'undecryptable') return { tone: 'bad', label: 'headers cannot be decrypted' }
  if (auth === 'caller') return { tone: 'ok', label: 'enabled' }
  const unusable = credentials.filter(({ status }) => status !== 'active')
  if (unusable.length === 0) return { tone: 'ok', label: 'enabled' }
  if (unusable.length === credentials.length) return { tone: 'bad', label: 'no usable credential' }
  return { tone: 'warn', label: `${plural(unusable.length, 'credential')} unavailable` }
}

export function ProviderState({ provider }: { provider: Provider }) {
  const { tone, label } = stateOf(provider)
  return <Status tone={tone}>{label}</Status>
}

/** Whether it is the mock of a local trial. */
export const isBuiltIn = ({ source, type }: Provider) => source === 'config' && type === 'mock'

/** Marks a provider that was not created in the console. */
export function SourceTag({ provider }: { provider: Provider }) {
  if (provider.source === 'api') return null
  return <Tag>{isBuiltIn(provider) ? 'built in' : 'read-only'}</Tag>
}
