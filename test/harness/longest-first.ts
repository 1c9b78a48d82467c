import { BaseSequencer, type TestSpecification } from 'vitest/node'

// The longest first, so that none of them is still running when all others are done. They take half a minute or more, most of
// it waiting: for a minute to pass, or for processes that are killed and started again.
const longest = [
  'test/crash.test.ts',
  'test/limits-window.test.ts',
  'test/outage-hang.test.ts',
  'test/interrupted.test.ts',
  'test/limits-under-attack.test.ts',
  'src/db/embedded/index.test.ts',
  'test/signing-keys.test.ts',
  'test/shutdown.test.ts',
  'test/operator.test.ts',
  'test/record-drop.test.ts',
  'test/webhook-attack.test.ts',
  'test/replicas.test.ts',
  'test/crash-embedded.test.ts',
]

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
