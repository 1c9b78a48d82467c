import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../api'
import {
  Count,
  DescriptionItem,
  DescriptionList,
  ErrorState,
  Id,
  Section,
  Skeleton,
  Status,
  Tag,
  Time,
} from '../../components'
import { plural } from '../../format'

const anchors = {
  none: 'in the database only',
  file: 'appended to a file each day',
  rfc3161: 'stamped by a time-stamp authority each day',
}

/** Version, dependencies and retention of the service. */
export function AboutService() {
  const { data, error, refetch } = useQuery(apiQuery('/v1/about'))
  return (
    <Section title="About">
      {error !== null && data === undefined ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-72" />
      ) : (
        <DescriptionList>
          <DescriptionItem name="Version">
            <span className="num">{data.version}</span>{' '}
            <span className="text-ink-3">on Node {data.node}</span>
          </DescriptionItem>
          <DescriptionItem name="Tenant">
            {data.tenant.name} {data.tenant.isDemo && <Tag tone="warn">demo data</Tag>}{' '}
            <Id id={data.tenant.id} />
          </DescriptionItem>
          <DescriptionItem name="Mode">
            {data.mode === 'trial' ? (
              <>
                local trial<span className="text-ink-3">: relaxed rules for URLs, and a mock provider</span>
              </>
            ) : (
              <>strict{data.modeReason !== null && <span className="text-ink-3">: {data.modeReason}</span>}</>
            )}
          </DescriptionItem>
          <DescriptionItem name="Database">
            <Status tone={data.database.status === 'ok' ? 'ok' : 'bad'}>
              PostgreSQL {data.database.version}, {data.database.type}
              {data.database.status !== 'ok' && ': receipts cannot be written'}
            </Status>
          </DescriptionItem>
          <DescriptionItem name="Redis">
            {data.redis.status === 'unused' ? (
              <span className="text-ink-2">not used: limits are kept in one process</span>
            ) : (
              <Status tone={data.redis.status === 'ok' ? 'ok' : 'bad'}>
                {data.redis.message ?? 'responding'}
              </Status>
            )}
          </DescriptionItem>
          <DescriptionItem name="Record">
            <Count value={data.record.size} /> entries
            {data.record.lastEntryAt !== null && (
              <span className="text-ink-3">
                , the newest <Time at={data.record.lastEntryAt} />
              </span>
            )}
          </DescriptionItem>
          <DescriptionItem name="Checkpoints">{anchors[data.features.anchors]}</DescriptionItem>
          <DescriptionItem name="Providers">
            {data.features.providers.length === 0 ? 'none' : data.features.providers.join(', ')}
          </DescriptionItem>
          <DescriptionItem name="Retention">
            calls for {plural(data.retention.callsDays, 'day')}, finished deliveries for{' '}
            {plural(data.retention.webhookDeliveriesDays, 'day')}
          </DescriptionItem>
          <DescriptionItem name="Started">
            <Time at={data.startedAt} />
          </DescriptionItem>
          <DescriptionItem name="Instance">
            <Id id={data.instanceId} />
          </DescriptionItem>
        </DescriptionList>
      )}
    </Section>
  )
}
