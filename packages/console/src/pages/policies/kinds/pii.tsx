import { cx } from '../../../components'
import { answerText, personalData, plainText } from '../trial/samples'
import { readList } from './fields'
import { type ConfigFormProps, defineKind, findsInTexts } from './kind'

const entityNames = {
  email: 'Email addresses',
  phone: 'Phone numbers',
  credit_card: 'Card numbers',
  iban: 'IBANs',
  us_ssn: 'US social security numbers',
  ip_address: 'IP addresses',
}

interface Fields {
  entities: readonly string[]
}

export const pii = defineKind<Fields>({
  name: 'Personal data',
  description: 'finds email addresses, phone and card numbers, IBANs and the like',
  ...findsInTexts,
  samples: [personalData, answerText, plainText],
  read: ({ entities }) => ({
    entities: entities === undefined ? ['email', 'phone', 'credit_card'] : readList(entities),
  }),
  write: ({ entities }) => ({ entities }),
  isFilledIn: ({ entities }) => entities.length > 0,
  Form: Entities,
})

function Entities({ fields, onChange, errorOf, disabled }: ConfigFormProps<Fields>) {
  const error = errorOf('config.entities')
  return (
    <fieldset className="m-0 border-0 p-0" disabled={disabled}>
      <legend className="mb-1 p-0 text-xs font-medium text-ink-2">Entities</legend>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {Object.entries(entityNames).map(([entity, name]) => (
          <label key={entity} className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="accent-accent"
              checked={fields.entities.includes(entity)}
              onChange={({ target }) =>
                onChange({
                  entities: Object.keys(entityNames).filter((each) =>
                    each === entity ? target.checked : fields.entities.includes(each),
                  ),
                })
              }
            />
            {name}
          </label>
        ))}
      </div>
      <p className={cx('m-0 mt-1 text-xs', error ? 'text-bad' : 'text-ink-3')}>
        {error ?? 'Card numbers and IBANs are verified by their check digits.'}
      </p>
    </fieldset>
  )
}
