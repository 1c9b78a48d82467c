import { Status, Tag, type Tone } from '../../../components'
import { plural } from '../../../format'
import type { Credential, Provider } from '../use-providers'

const credentialStates: Record<Credential['status'], { tone: Tone; words: string }> = {
  active: { tone: 'ok', words: 'in use' },
  resting: { tone: 'warn', words: 'resting' },
  undecryptable: { tone: 'bad', words: 'cannot be decrypted' },
}

/** Refused stays so until somebody acts; over a rate limit passes by itself. */
export const isRefused = ({ status, lastError }: Credential) =>
  status === 'resting' && lastError !== null && lastError.status !== 429

export function CredentialState({ credential }: { credential: Credential }) {
  if (isRefused(credential)) return <Status tone="bad">refused</Status>
  const { tone, words } = credentialStates[credential.status]
  return <Status tone={tone}>{words}</Status>
}

/** Whether calls can reach it, in a word. */
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

/** The mock of a local trial. */
export const isBuiltIn = ({ source, type }: Provider) => source === 'config' && type === 'mock'

/** Who set it up, where that was not done here. */
export function SourceTag({ provider }: { provider: Provider }) {
  if (provider.source === 'api') return null
  return <Tag>{isBuiltIn(provider) ? 'built in' : 'read-only'}</Tag>
}
