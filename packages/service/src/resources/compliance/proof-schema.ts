import { Type } from 'typebox'

const Hash = Type.String({ description: 'A SHA-256 hash, in hex' })
const Path = Type.Array(Hash, { description: 'The hashes of the proof, in the order of RFC 6962' })
export const Size = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
export const Seq = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const InclusionProof = Type.Object(
  {
    seq: Type.Integer(),
    index: Type.Integer({ description: 'The index of the leaf: `seq` − 1' }),
    leafHash: Hash,
    size: Type.Integer({ description: 'The number of entries in the tree' }),
    root: Hash,
    path: Path,
    checkpoint: Type.String({ description: 'The signed note over this size and root' }),
  },
  {
    title: 'InclusionProof',
    examples: [
      {
        seq: 2,
        index: 1,
        leafHash: 'fac5…c125',
        size: 2,
        root: 'd37e…14b7',
        path: ['6e34…a01d'],
        checkpoint: 'tallystick/tenant_01k9…\n2\n037uQYl2…=\n\n— tallystick/tenant_01k9… Uw2QOk…\n',
      },
    ],
  },
)

export const ConsistencyProof = Type.Object(
  { from: Type.Integer(), to: Type.Integer(), fromRoot: Hash, toRoot: Hash, path: Path },
  {
    title: 'ConsistencyProof',
    examples: [{ from: 1, to: 2, fromRoot: '6e34…a01d', toRoot: 'fac5…c125', path: ['96a2…cfc7'] }],
  },
)
