import { type DraftForm, TextAreaField, TextField } from '../../../components'
import type { Sink } from '../use-sinks'
import type { SinkDraft } from './sink-draft'

interface DestinationFieldsProps {
  form: DraftForm<SinkDraft>
  sink: Sink | null
}

/** The fields of the chosen type of destination. Secrets are typed in and never shown again. */
export function DestinationFields({ form, sink }: DestinationFieldsProps) {
  const { type } = form.draft
  const isStored = sink?.destination.type === type
  if (type === 's3') return <S3Fields form={form} isStored={isStored} />
  if (type === 'http') return <HttpFields form={form} stored={isStored ? sink.destination.headers : []} />
  return <SyslogFields form={form} />
}

const whole = 'sm:col-span-2'
const mono = 'mono !text-xs'

const S3Fields = ({ form: { field }, isStored }: { form: DraftForm<SinkDraft>; isStored: boolean }) => (
  <>
    <div className={whole}>
      <TextField
        label="Endpoint"
        {...field('url')}
        type="url"
        placeholder="https://s3.example.com"
        hint="Empty for Amazon S3"
      />
    </div>
    <TextField label="Region" {...field('region')} placeholder="eu-central-1" />
    <TextField label="Bucket" {...field('bucket')} placeholder="acme-ai-calls" />
    <div className={whole}>
      <TextField
        label="Prefix"
        {...field('prefix')}
        placeholder="tallystick"
        hint="The start of the names of all objects. The key needs s3:PutObject below it, and nothing else"
      />
    </div>
    <TextField
      label="Access key ID"
      {...field('accessKeyId')}
      placeholder="AKIA…"
      hint="Empty: the identity of the machine, for buckets that the operator allows"
    />
    <TextField
      label="Secret access key"
      {...field('secretAccessKey')}
      type="password"
      autoComplete="new-password"
      {...(isStored && { placeholder: 'stored' })}
      hint={
        isStored ? 'Empty keeps the stored one, at the same endpoint' : 'Stored encrypted, never shown again'
      }
    />
  </>
)

const HttpFields = ({
  form: { field },
  stored,
}: {
  form: DraftForm<SinkDraft>
  stored: readonly string[]
}) => (
  <>
    <div className={whole}>
      <TextField
        label="URL"
        {...field('url')}
        type="url"
        placeholder="https://collector.example.com/tallystick"
      />
    </div>
    <div className={whole}>
      <TextAreaField
        label="Headers"
        {...field('headers')}
        rows={3}
        className={mono}
        placeholder="authorization: Bearer …"
        hint={
          stored.length > 0
            ? `Stored: ${stored.join(', ')}. Empty keeps them, at the same host`
            : 'One per line. Stored encrypted, never shown again'
        }
      />
    </div>
  </>
)

const SyslogFields = ({ form: { field } }: { form: DraftForm<SinkDraft> }) => (
  <>
    <div className={whole}>
      <TextField label="Address" {...field('url')} placeholder="tls://siem.example.com:6514" />
    </div>
    <div className={whole}>
      <TextAreaField
        label="Certificate authority"
        {...field('ca')}
        rows={4}
        className={mono}
        placeholder="-----BEGIN CERTIFICATE-----"
        hint="Only for a server whose certificate is not from a public authority, in PEM"
      />
    </div>
  </>
)
