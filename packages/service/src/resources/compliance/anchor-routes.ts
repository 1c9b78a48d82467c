import { Type } from 'typebox'
import { DateTime, defineResource, type ManagementApi, Nullable, presentEach } from '../../http/index.js'
import { listAnchors } from '../../record/index.js'

const Anchor = Type.Object(
  {
    type: Type.Enum(['file', 'rfc3161']),
    day: Type.String({
      format: 'date',
      description: 'The day in UTC. The anchored checkpoint is the last one of this day',
    }),
    size: Type.Integer({ description: 'The number of entries that the checkpoint covers' }),
    checkpoint: Type.String({ description: 'The signed note that was anchored' }),
    token: Nullable(
      Type.String(),
      'The time-stamp token over the SHA-256 of the checkpoint, as DER in base64. Null for a file',
    ),
    anchoredAt: DateTime,
  },
  {
    title: 'Anchor',
    examples: [
      {
        type: 'file',
        day: '2026-11-14',
        size: 2405,
        checkpoint: 'tallystick/tenant_01k9…\n2405\nS6lcPc…\n\n— tallystick/tenant_01k9… 8fJ0…\n',
        token: null,
        anchoredAt: '2026-11-15T00:05:12.000Z',
      },
    ],
  },
)

export function registerAnchorRoutes(api: ManagementApi): void {
  defineResource(api, {
    path: '/v1/compliance/anchors',
    tag: 'Compliance',
    one: 'an anchor',
    many: 'anchors',
    item: Anchor,
    present: presentEach(presentAnchor),
    list: {
      access: 'member',
      description:
        'Lists checkpoints that were given to a third party, newest first. They are the last checkpoints of each day on which the record grew.',
      rows: ({ tenantId, filter }) => listAnchors(api.db, tenantId, filter),
      position: (row) => `${row.day} ${row.type}`,
    },
  })
}

const presentAnchor = ({
  type,
  day,
  size,
  note,
  token,
  anchored_at,
}: Awaited<ReturnType<typeof listAnchors>>[number]) => ({
  type,
  day,
  size,
  checkpoint: note,
  token: token?.toString('base64') ?? null,
  anchoredAt: anchored_at.toISOString(),
})
