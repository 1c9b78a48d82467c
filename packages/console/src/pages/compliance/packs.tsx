import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ColumnDef } from '@tanstack/react-table'
import { useState } from 'react'
import { api, apiQuery, type components, expectSuccess } from '../../api'
import {
  Button,
  Confirm,
  DataTable,
  DescriptionItem,
  DescriptionList,
  EmptyState,
  Id,
  notify,
  notifyError,
  Section,
  SidePanel,
  Status,
  Tag,
  Time,
} from '../../components'
import { plural } from '../../format'
import { useIsManager } from '../../session'
import type { ComplianceSearch } from './search'
import { useAttestation } from './use-attestation'

type Pack = components['schemas']['Pack']

const columns: ColumnDef<Pack>[] = [
  {
    id: 'title',
    header: 'Pack',
    cell: ({ row: { original } }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{original.title}</span>
        <span className="mono text-ink-2">{original.version}</span>
        {original.source === 'custom' && <Tag>your own</Tag>}
        {hasUpdate(original) && <Tag tone="warn">{original.latestVersion} is there</Tag>}
      </span>
    ),
  },
  {
    id: 'about',
    header: 'About',
    meta: { wideOnly: true },
    cell: ({ row }) => <span className="text-ink-2">{row.original.summary}</span>,
  },
  {
    id: 'controls',
    header: 'Controls',
    meta: { align: 'right', wideOnly: true },
    cell: ({ row }) => row.original.controls.length,
  },
  { id: 'status', header: 'State', cell: ({ row }) => <PackState pack={row.original} /> },
  {
    id: 'since',
    header: 'Since',
    meta: { align: 'right', wideOnly: true },
    cell: ({ row }) => <Time at={row.original.activatedAt} className="text-ink-3" />,
  },
]

const hasUpdate = ({ status, version, latestVersion }: Pack) =>
  status === 'active' && latestVersion !== null && latestVersion !== version

const PackState = ({ pack }: { pack: Pack }) =>
  pack.status === 'active' ? <Status tone="ok">active</Status> : <Status tone="neutral">inactive</Status>

/** Compliance packs: what the record can and cannot show for the controls of a framework. */
export function Packs() {
  const { pack: openId }: ComplianceSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = (pack: string | undefined) =>
    void navigate({ to: '/compliance', search: (before) => ({ ...before, pack }), resetScroll: false })
  const { data, error, refetch } = useQuery(apiQuery('/v1/compliance/packs'))
  const chosen = data?.find(({ framework }) => framework === openId)
  return (
    <Section title="Packs" note="what the record can and cannot show for a compliance framework">
      <DataTable
        label="Packs"
        columns={columns}
        rows={data}
        idOf={(pack) => pack.framework}
        error={error}
        retry={() => void refetch()}
        onOpen={(pack) => open(pack.framework)}
        openId={openId}
        empty={<EmptyState title="No packs">The operator can add files to the packs folder.</EmptyState>}
      />
      <SidePanel
        open={chosen !== undefined}
        onClose={() => open(undefined)}
        title={chosen?.title ?? ''}
        label={`Pack ${chosen?.title ?? ''}`}
      >
        {chosen && <PackDetail pack={chosen} />}
      </SidePanel>
    </Section>
  )
}

function PackDetail({ pack }: { pack: Pack }) {
  const isManager = useIsManager()
  return (
    <div className="flex flex-col gap-5 text-sm">
      <div>
        <p className="m-0">{pack.summary}</p>
        <p className="m-0 mt-1 text-xs text-ink-3">{pack.reference}</p>
      </div>
      <DescriptionList>
        <DescriptionItem name="State">
          <PackState pack={pack} />
        </DescriptionItem>
        <DescriptionItem name="Version">
          {pack.version}
          {hasUpdate(pack) && (
            <span className="text-ink-3">; activating it again takes {pack.latestVersion}</span>
          )}
        </DescriptionItem>
        <DescriptionItem name="Hash">
          <Id id={pack.packHash} />
        </DescriptionItem>
      </DescriptionList>
      {isManager && <ChangeState pack={pack} />}
      <div>
        <h3 className="m-0 mb-1 text-sm font-semibold">Outside the record</h3>
        <Statements of={pack.limits} />
      </div>
      {pack.controls.map((control) => (
        <Control key={control.id} control={control} />
      ))}
    </div>
  )
}

function Control({ control }: { control: Pack['controls'][number] }) {
  const coverage = new Map(useAttestation().data?.checkCoverage.map(({ name, pct }) => [name, pct]))
  return (
    <section className="flex flex-col gap-2 border-t border-rule pt-4">
      <h3 className="m-0 text-sm font-semibold">
        <span className="mono mr-2 font-normal text-ink-3">{control.id}</span>
        {control.title}
      </h3>
      <p className="m-0 text-ink-2">{control.requirement}</p>
      <div>
        <h4 className="m-0 text-xs font-medium text-ok">The record shows</h4>
        <Statements of={control.shows} />
      </div>
      <div>
        <h4 className="m-0 text-xs font-medium text-warn">The record does not show</h4>
        <Statements of={control.doesNotShow} />
      </div>
      <div>
        <h4 className="m-0 text-xs font-medium text-ink-2">Evidence in this period</h4>
        <p className="m-0 flex flex-wrap gap-x-3 gap-y-0.5">
          {control.checks.map((name) => (
            <span key={name} className={coverage.has(name) ? undefined : 'text-ink-3'}>
              <span className="mono text-xs">{name}</span>{' '}
              <span className="num text-xs">{coverage.has(name) ? `${coverage.get(name)} %` : '–'}</span>
            </span>
          ))}
        </p>
      </div>
    </section>
  )
}

const Statements = ({ of }: { of: readonly string[] }) => (
  <ul className="m-0 flex list-disc flex-col gap-1 pl-4 marker:text-ink-3">
    {of.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
)

function ChangeState({ pack }: { pack: Pack }) {
  const [isConfirming, setConfirming] = useState(false)
  const queries = useQueryClient()
  const status = pack.status === 'active' && !hasUpdate(pack) ? 'inactive' : 'active'
  const action = status === 'inactive' ? 'Deactivate' : pack.status === 'active' ? 'Update' : 'Activate'
  const change = useMutation({
    mutationFn: () =>
      expectSuccess(
        api.PUT('/v1/compliance/packs/{framework}', {
          params: { path: { framework: pack.framework } },
          body: { status },
        }),
      ),
    onSuccess: () => {
      setConfirming(false)
      notify(`${pack.title} is ${status}`)
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('/v1/compliance'),
      })
    },
    onError: (error) => notifyError(`${pack.title} not changed`, error),
  })
  return (
    <div>
      <Button kind={status === 'inactive' ? 'plain' : 'primary'} onClick={() => setConfirming(true)}>
        {action}
      </Button>
      <Confirm
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={`${action} ${pack.title}?`}
        action={action}
        kind={status === 'inactive' ? 'danger' : 'primary'}
        isBusy={change.isPending}
        onConfirm={() => change.mutate()}
      >
        <p className="m-0 text-sm">
          The change becomes an entry of the record.{' '}
          {status === 'active'
            ? `Later receipts name ${pack.framework}@${pack.latestVersion ?? pack.version}, with its ${plural(pack.controls.length, 'control')}.`
            : `Later receipts no longer name ${pack.framework}@${pack.version}; earlier ones still do.`}
        </p>
      </Confirm>
    </div>
  )
}
