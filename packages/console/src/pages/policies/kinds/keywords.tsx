import { Switch } from '../../../components'
import { plainText } from '../trial/samples'
import { Lines, linesOf, readLines } from './fields'
import { defineKind, findsInTexts } from './kind'

export const keywords = defineKind({
  name: 'Keywords',
  description: 'finds your words or phrases',
  ...findsInTexts,
  samples: [
    { name: 'A code name', text: 'Summarise what we know of Project Nightfall for the board.' },
    plainText,
  ],
  read: ({ words, caseSensitive }) => ({ words: readLines(words), caseSensitive: caseSensitive === true }),
  write: ({ words, caseSensitive }) => ({ words: linesOf(words), caseSensitive }),
  isFilledIn: ({ words }) => linesOf(words).length > 0,
  Form: ({ fields, onChange, errorOf, disabled }) => (
    <>
      <Lines
        label="Words or phrases"
        hint="One per line, matched as whole words: cat does not match concatenate."
        value={fields.words}
        onValue={(words) => onChange({ words })}
        error={errorOf('config.words')}
        disabled={disabled}
        placeholder="project nightfall"
      />
      <Switch
        label="Case-sensitive"
        checked={fields.caseSensitive}
        onChecked={(caseSensitive) => onChange({ caseSensitive })}
        disabled={disabled}
      />
    </>
  ),
})
