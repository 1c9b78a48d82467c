import type { TestGateway } from './gateway.js'

/** A key that policies apply to, which no other test's calls meet. */
export interface GovernedKey {
  key: string
  keyId: string
  /** The policies as they were created, in order. */
  policies: { id: string; version: number; reference: string; secret?: string }[]
}

let count = 0

/** Makes a key, and the given policies for it alone. */
export async function makeGovernedKey(
  { service }: Pick<TestGateway, 'service'>,
  policies: Record<string, unknown>[],
  fields: Record<string, unknown> = {},
): Promise<GovernedKey> {
  const { body: made } = await service.api.post('/v1/keys', { name: 'governed', ...fields })
  const created: GovernedKey['policies'] = []
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
