import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Each worker takes the next file of one queue, and keeps its modules as long as the next file is of the same project: so the
// projects come one after the other. The first is the one whose tests mostly wait.
const projects = ['process', 'console', 'service', 'unit']

// The longest of a project first, so that none of them is still running when all others are done.
const longest = [
  'test/process/crash.test.ts',
  'test/process/interrupted.test.ts',
  'test/process/limits-under-attack.test.ts',
  'src/db/embedded/index.process.test.ts',
  'test/process/signing-keys.test.ts',
  'test/process/shutdown.test.ts',
  'test/process/start-command.test.ts',
  'test/process/operator.test.ts',
  'test/process/record-drop.test.ts',
  'test/process/webhook-attack.test.ts',
  'test/process/replicas.test.ts',
  'test/process/crash-embedded.test.ts',
  'test/service/outage-hang.test.ts',
]

export class QueueOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name))
      return place === -1 ? longest.length : place
    }
    const turn = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return (await super.sort(files)).toSorted((a, b) => turn(a) - turn(b) || rank(a) - rank(b))
  }
}
