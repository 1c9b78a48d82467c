import { formatInteger } from '../../format'
import { Fact, Facts, Section } from '../../parts'
import type { Key } from './use-keys'

/** What the key may use in a minute. */
export function KeyLimits({ subject }: { subject: Key }) {
  return (
    <Section title="Limits">
      <Facts>
        <Fact name="Requests">
          {subject.rpmLimit === null ? 'no limit' : `${formatInteger(subject.rpmLimit)} a minute`}
        </Fact>
        <Fact name="Tokens">
          {subject.tpmLimit === null ? 'no limit' : `${formatInteger(subject.tpmLimit)} a minute`}
        </Fact>
      </Facts>
    </Section>
  )
}
