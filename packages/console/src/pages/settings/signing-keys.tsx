import { useQuery } from '@tanstack/react-query'
import type { ColumnDef } from '@tanstack/react-table'
import { apiQuery, baseUrl } from '../../api'
import { CopyButton, DataTable, EmptyState, Section } from '../../components'

const path = '/.well-known/tallystick/jwks.json'

interface SigningKey {
  kid: string
  alg: string
  isNewest: boolean
}

const columns: ColumnDef<SigningKey>[] = [
  {
    id: 'kid',
    header: 'Key',
    cell: ({ row }) => <span className="mono break-all text-ink">{row.original.kid}</span>,
  },
  {
    id: 'state',
    header: 'Use',
    meta: { className: 'whitespace-nowrap' },
    cell: ({ row }) => (row.original.isNewest ? 'newest' : <span className="text-ink-3">earlier</span>),
  },
  {
    id: 'copy',
    header: () => <span className="sr-only">Copy</span>,
    meta: { align: 'right' },
    cell: ({ row }) => <CopyButton text={row.original.kid} />,
  },
]

/** The public keys that sign the record. A verifier trusts one of them. */
export function SigningKeys() {
  const { data, error, refetch } = useQuery(apiQuery(path))
  const rows = data?.keys
    .map(({ kid, alg }, index, all) => ({
      kid: String(kid),
      alg: String(alg),
      isNewest: index === all.length - 1,
    }))
    .toReversed()
  return (
    <Section
      title="Signing keys"
      note="Ed25519 public keys"
      aside={
        <a href={`${baseUrl}${path}`} target="_blank" rel="noreferrer">
          View as JWKS
        </a>
      }
    >
      <DataTable
        label="Signing keys"
        columns={columns}
        rows={rows}
        idOf={(row) => row.kid}
        error={error}
        retry={() => void refetch()}
        skeletonRows={1}
        empty={<EmptyState title="No signing keys yet">The first call starts the record.</EmptyState>}
      />
      <p className="m-0 mt-3 max-w-prose text-xs leading-5 text-ink-3">
        Store the newest key elsewhere: <code>tallystick verify --key</code> then detects a forged record that
        was signed with another key. Operators rotate keys with <code>tallystick signing-key rotate</code>.
      </p>
    </Section>
  )
}
