import { Status, Tag, type Tone } from '../../../components'
import { plural } from '../../../format'
import type { Credential, Provider } from '../use-providers'

const credentialStates: Record<Credential['status'], { tone: Tone; words: string }> = {
  active: { tone: 'ok', words: 'in use' },
  resting: { tone: 'warn', words: 'resting' },
  undecryptable: { tone: 'bad', words: 'cannot be decrypted' },
}

/** A refused credential needs action; a rate-limited one recovers by itself. */
export const isRefused = ({ status, lastError }: Credential) =>
  status === 'resting' && lastError !== null && lastError.status !== 429

export function CredentialState({ credential }: { credential: Credential }) {
  if (isRefused(credential)) return <Status tone="bad">refused</Status>
  const { tone, words } = credentialStates[credential.status]
  return <Status tone={tone}>{words}</Status>
}

/** The availability of a provider. */
export function stateOf({ enabled, secretStatus, credentials, auth }: Provider): {
  tone: Tone
  words: string
} {
  if (!enabled) return { tone: 'neutral', words: 'disabled' }
  if (secretStatus === 'undecryptable') return { tone: 'bad', words: 'headers cannot be decrypted' }
  if (auth === 'caller') return { tone: 'ok', words: 'enabled' }
  const idle = credentials.filter(({ status }) => status !== 'active')
  if (idle.length === 0) return { tone: 'ok', words: 'enabled' }
  if (idle.length === credentials.length) return { tone: 'bad', words: 'no credential works' }
  return { tone: 'warn', words: `${plural(idle.length, 'credential')} out of use` }
}

export function ProviderState({ provider }: { provider: Provider }) {
  const { tone, words } = stateOf(provider)
  return <Status tone={tone}>{words}</Status>
}

/** Whether it is the mock of a local trial. */
export const isBuiltIn = ({ source, type }: Provider) => source === 'config' && type === 'mock'

/** Marks a provider that was not created in the console. */
export function SourceTag({ provider }: { provider: Provider }) {
  if (provider.source === 'api') return null
  return <Tag>{isBuiltIn(provider) ? 'built in' : 'read-only'}</Tag>
}
