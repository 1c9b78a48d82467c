import { randomUUID } from 'node:crypto'
import { type CloudAnswer, type CloudRequest, type CloudServer, serveCloud } from './loopback.js'

interface VaultState {
  isSealed: boolean
  namespace: string | null
  /** The versions of each secret, by `mount/path`. Null for a version that was deleted. */
  secrets: Record<string, (Record<string, string> | null)[]>
  appRole: { roleId: string; secretId: string } | null
  kubernetes: { role: string; jwts: string[] } | null
  leaseSeconds: number
  /** Valid tokens, with the paths that their policies allow. */
  tokens: Map<string, string[]>
  renewed: number
}

export interface FakeVault extends CloudServer {
  state: VaultState
}

const fail = (status: number, ...errors: string[]): CloudAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: { errors },
})

/**
 * HashiCorp Vault with the KV engine, version 2, as its API documentation describes it: no store can be installed where the tests run.
 * https://developer.hashicorp.com/vault/api-docs
 */
export async function serveVault(initial: Partial<VaultState> = {}): Promise<FakeVault> {
  const state: VaultState = {
    ...{ isSealed: false, namespace: null, secrets: {}, appRole: null, kubernetes: null },
    ...{ leaseSeconds: 3_600, tokens: new Map(), renewed: 0 },
    ...initial,
  }
  const logIn = (isRight: boolean | undefined): CloudAnswer => {
    if (!isRight) return fail(400, 'invalid role or secret ID')
    const client_token = `hvs.${randomUUID()}`
    state.tokens.set(client_token, Object.keys(state.secrets))
    return {
      body: {
        request_id: randomUUID(),
        auth: { client_token, lease_duration: state.leaseSeconds, renewable: true, policies: ['default'] },
      },
    }
  }
  function read(mount: string, path: string, version: string | null): CloudAnswer {
    const versions = state.secrets[`${mount}/${path}`]
    const number = version === null ? (versions?.length ?? 0) : Number(version)
    const data = versions?.[number - 1]
    if (data === undefined) return fail(404)
    const metadata = {
      version: number,
      destroyed: false,
      deletion_time: data === null ? '2026-01-01T00:00:00Z' : '',
    }
    return { status: data === null ? 404 : 200, body: { request_id: randomUUID(), data: { data, metadata } } }
  }
  const answer = ({ method, url, headers, body }: CloudRequest): CloudAnswer => {
    if (state.isSealed) return fail(503, 'Vault is sealed')
    if (headers['x-vault-request'] !== 'true') return fail(412, 'missing request header')
    if (state.namespace !== (headers['x-vault-namespace'] ?? null)) return fail(404, 'no handler for route')
    const sent = body === '' ? {} : JSON.parse(body)
    if (method === 'POST' && url.pathname === '/v1/auth/approle/login')
      return logIn(state.appRole?.roleId === sent.role_id && state.appRole?.secretId === sent.secret_id)
    if (method === 'POST' && url.pathname === '/v1/auth/kubernetes/login')
      return logIn(state.kubernetes?.role === sent.role && state.kubernetes?.jwts.includes(sent.jwt))
    const allowed = state.tokens.get(String(headers['x-vault-token']))
    if (!allowed) return fail(403, 'permission denied')
    if (method === 'POST' && url.pathname === '/v1/auth/token/renew-self') {
      state.renewed++
      return {
        body: { auth: { client_token: headers['x-vault-token'], lease_duration: state.leaseSeconds } },
      }
    }
    const [, mount = '', path = ''] = /^\/v1\/([^/]+)\/data\/(.+)$/.exec(url.pathname) ?? []
    if (method !== 'GET' || mount === '') return fail(404, 'no handler for route')
    if (!allowed.includes(`${mount}/${path}`)) return fail(403, '1 error occurred: permission denied')
    return read(mount, path, url.searchParams.get('version'))
  }
  return { ...(await serveCloud(answer)), state }
}
