import { Type } from 'typebox'
import {
  DateTime,
  defineResource,
  type ManagementApi,
  Nullable,
  presentEach,
  principalOf,
} from '../../http/index.js'
import { listPublishedKeys, listSeals } from '../../record/index.js'

const tag = 'Compliance'

const Checkpoint = Type.Object(
  {
    size: Type.Integer({ description: 'The number of entries that the checkpoint covers' }),
    root: Type.String({ description: 'The root of the tree over these entries, in hex' }),
    keyId: Type.String({ description: 'The key that signed the checkpoint' }),
    checkpoint: Type.String({ description: 'The signed note' }),
    sealedAt: DateTime,
  },
  {
    title: 'Checkpoint',
    examples: [
      {
        size: 2405,
        root: '4ba95c3d…',
        keyId: 'f3c1d2aa90b1e7c4',
        checkpoint: 'tallystick/tenant_01k9…\n2405\nS6lcPc…\n\n— tallystick/tenant_01k9… 8fJ0…\n',
        sealedAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)

const SigningKey = Type.Object(
  {
    id: Type.String({
      description: 'The id of the key, as in the note of a checkpoint and as `kid` in the key set',
    }),
    createdAt: DateTime,
    retiredAt: Nullable(
      DateTime,
      'When the key was retired. It seals nothing from then on. Null if it is not retired',
    ),
    isCurrent: Type.Boolean({ description: 'True if the key signed the newest checkpoint of this record' }),
  },
  {
    title: 'SigningKey',
    examples: [
      { id: 'f3c1d2aa90b1e7c4', createdAt: '2026-11-01T09:30:00.000Z', retiredAt: null, isCurrent: true },
    ],
  },
)

/** The checkpoints of a record, and the keys that sign them. */
export function registerCheckpointRoutes(api: ManagementApi): void {
  const { app, db } = api
  defineResource(api, {
    path: '/v1/compliance/checkpoints',
    tag,
    one: 'a checkpoint',
    many: 'checkpoints',
    item: Checkpoint,
    present: presentEach(presentSeal),
    list: {
      access: 'member',
      description:
        'Lists the signed notes over the record, newest first. There is one for each group of entries that was committed together.',
      rows: ({ tenantId, filter: { after, limit } }) =>
        listSeals(db, tenantId, { before: after === null ? null : Number(after), limit }),
      position: ({ size }) => String(size),
    },
  })

  app.get(
    '/v1/compliance/signing-keys',
    {
      config: { access: 'member' },
      schema: {
        tags: [tag],
        operationId: 'listSigningKeys',
        summary: 'List signing keys',
        description:
          'Lists every key that can seal, or has sealed, records of this service, newest first. Their public keys are in `/.well-known/tallystick/jwks.json`. The operator rotates them with `tallystick signing-key`.',
        response: { 200: Type.Array(SigningKey) },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const [newest] = await listSeals(db, tenantId, { before: null, limit: 1 })
      const keys = await listPublishedKeys(db)
      return keys.reverse().map(({ id, createdAt, retiredAt }) => ({
        id,
        createdAt: createdAt.toISOString(),
        retiredAt: retiredAt?.toISOString() ?? null,
        isCurrent: id === newest?.keyId,
      }))
    },
  )
}

const presentSeal = ({
  size,
  root,
  keyId,
  note,
  createdAt,
}: Awaited<ReturnType<typeof listSeals>>[number]) => ({
  size,
  root: root.toString('hex'),
  keyId,
  checkpoint: note,
  sealedAt: createdAt.toISOString(),
})
