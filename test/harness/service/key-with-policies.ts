import type { TestGateway } from './gateway.js'

/** A key with policies that apply to no other test's calls. */
export interface KeyWithPolicies {
  key: string
  keyId: string
  /** The policies as they were created, in order. */
  policies: { id: string; version: number; reference: string; secret?: string }[]
}

let count = 0

/** Creates a key, and policies that apply to it alone. */
export async function createKeyWithPolicies(
  { service }: Pick<TestGateway, 'service'>,
  policies: Record<string, unknown>[],
  fields: Record<string, unknown> = {},
): Promise<KeyWithPolicies> {
  const { body: made } = await service.api.post('/v1/keys', { name: 'governed', ...fields })
  const created: KeyWithPolicies['policies'] = []
  for (const policy of policies) {
    const { status, body } = await service.api.post('/v1/policies', {
      name: `Policy ${++count}`,
      scope: { type: 'key', id: made.id },
      ...policy,
    })
    if (status !== 201) throw new Error(`the policy was refused: ${JSON.stringify(body)}`)
    created.push({ ...body, reference: `${body.id}@${body.version}` })
  }
  return { key: made.key, keyId: made.id, policies: created }
}
