import { api, expectSuccess } from '../../../api'
import { FormDialog, SelectField, TextField, useDraftForm } from '../../../components'
import { dataKinds, destinationNames, formatNames, type Sink, type SinkData, sinkPaths } from '../use-sinks'
import { DestinationFields } from './destination-fields'
import { missingFields, paths, toBody, toDraft, withData } from './sink-draft'

interface SinkFormProps {
  /** Null creates a new sink. */
  sink: Sink | null
  onClose(): void
  onCreated?(sink: Sink): void
}

const dataNames = Object.keys(dataKinds) as SinkData[]

export function SinkForm({ sink, onClose, onCreated }: SinkFormProps) {
  const form = useDraftForm({
    record: sink,
    toDraft,
    toBody,
    paths,
    validate: missingFields,
    create: async (body): Promise<Sink> => await expectSuccess(api.POST('/v1/sinks', { body })),
    // Data and format belong to a sink for good.
    update: async ({ data: _data, format: _format, ...body }, { id }) =>
      await expectSuccess(api.PATCH('/v1/sinks/{id}', { params: { path: { id } }, body })),
    invalidates: sinkPaths,
    message: ({ name }) => `Sink “${name}” ${sink === null ? 'created' : 'saved'}`,
    onSaved: (saved) => sink === null && onCreated?.(saved),
    onClose,
  })
  const { draft, field, set } = form
  const kind = dataKinds[draft.data]
  return (
    <FormDialog
      form={form}
      width="lg"
      columns={2}
      title={sink === null ? 'New sink' : `Edit ${sink.name}`}
      {...(sink !== null && { description: 'Applies to every batch that is not sent yet.' })}
      action={sink === null ? 'Create sink' : 'Save'}
    >
      <TextField label="Name" {...field('name')} placeholder="data-lake" autoFocus />
      <TextField
        label="Interval (seconds)"
        {...field('interval')}
        inputMode="numeric"
        hint="A full batch of 5,000 rows does not wait"
      />
      {sink === null && (
        <SelectField
          label="Data"
          {...field('data')}
          onValue={(data: SinkData) => set(withData(draft, data))}
          hint={kind.description}
          choices={dataNames.map((value) => ({ value, label: dataKinds[value].name }))}
        />
      )}
      {sink === null && kind.formats.length > 1 && (
        <SelectField
          label="Format"
          {...field('format')}
          choices={kind.formats.map((value) => ({ value, label: formatNames[value] }))}
        />
      )}
      <SelectField
        label="Destination"
        {...field('type')}
        choices={kind.destinations.map((value) => ({ value, label: destinationNames[value] }))}
      />
      <DestinationFields form={form} sink={sink} />
    </FormDialog>
  )
}
