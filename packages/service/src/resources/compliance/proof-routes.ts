import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, ownerFilter, principalOf, strict } from '../../http/index.js'
import { findNewestSeal, readConsistencyProof, readInclusionProof } from '../../record/index.js'
import { invalidField, notFound } from '../../shared/errors.js'
import { ConsistencyProof, InclusionProof, Seq, Size } from './proof-schema.js'
import { requireKept } from './require-kept.js'
import { requireReceipt } from './require-receipt.js'

const tags = ['Compliance']
const hex = (hash: Buffer) => hash.toString('hex')

/** Serves public proofs that an entry is in the record and that the record was only appended to. */
export function registerProofRoutes(app: App, { db }: { db: Db }): void {
  app.get(
    '/v1/compliance/receipts/:seq/proof',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getInclusionProof',
        summary: 'Prove that a receipt is in the record',
        description:
          'Returns an RFC 6962 inclusion proof for the newest checkpoint. `tallystick verify` checks it offline, with the receipt and the public keys. Members can prove only receipts of their own calls.',
        params: Type.Object({ seq: Seq }),
        response: { 200: InclusionProof },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { seq } = request.params
      const own = ownerFilter(principal)
      if (own !== null) await requireReceipt(db, principal.tenantId, seq, own)
      const proof = requireKept(await readInclusionProof(db, principal.tenantId, seq), `receipt ${seq}`)
      const { leafHash, root, path, ...rest } = proof
      return { ...rest, index: seq - 1, leafHash: hex(leafHash), root: hex(root), path: path.map(hex) }
    },
  )

  app.get(
    '/v1/compliance/checkpoint',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getCheckpoint',
        summary: 'Get the newest checkpoint',
        description:
          'Returns a C2SP signed note over the size and root of the record. Keep a copy: it reveals whether earlier entries were later changed or removed.',
        produces: ['text/plain'],
        response: {
          200: { description: 'The signed note', content: { 'text/plain': { schema: Type.String() } } },
        },
      },
    },
    async (request, reply) => {
      const seal = await findNewestSeal(db, principalOf(request).tenantId)
      if (!seal) throw notFound('checkpoint: the record is empty, so nothing was sealed yet')
      return reply.type('text/plain; charset=utf-8').send(seal.note)
    },
  )

  app.get(
    '/v1/compliance/consistency',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getConsistencyProof',
        summary: 'Prove that the record was only appended to',
        description:
          'Returns an RFC 6962 consistency proof that the record of `to` entries begins with the record of `from` entries. `to` defaults to the newest checkpoint.',
        querystring: Type.Object({ from: Size, to: Type.Optional(Size) }, strict),
        response: { 200: ConsistencyProof },
      },
    },
    async (request) => {
      const { from, to } = request.query
      if (to !== undefined && from > to) throw invalidField('from', 'must not be above to')
      const found = await readConsistencyProof(db, principalOf(request).tenantId, { from, to })
      const { fromRoot, toRoot, path, ...sizes } = requireKept(
        found,
        `size: the record ends before ${to ?? from}`,
      )
      return { ...sizes, fromRoot: hex(fromRoot), toRoot: hex(toRoot), path: path.map(hex) }
    },
  )
}
