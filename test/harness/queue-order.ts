import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Each worker takes the next file of one queue, and keeps its modules as long as the next file is of the same project: so the
// projects come one after the other. The first is the one whose tests mostly wait.
const projects = ['process', 'console', 'service', 'unit']

// The longest of a project first, so that none of them is still running when all others are done.
const longest = [
  'test/process/docs-snippets.test.ts',
  'src/db/embedded/index.process.test.ts',
  'test/process/start-command.test.ts',
  'test/process/interrupted.test.ts',
  'test/process/limits-under-attack.test.ts',
  'test/process/operator.test.ts',
  'test/process/master-key.test.ts',
  'test/process/hostile-bodies.test.ts',
  'test/process/stops-under-load.test.ts',
  'test/process/budget-killed-replica.test.ts',
  'test/process/mcp-killed.test.ts',
  'test/process/batches-killed.test.ts',
  'test/process/crash.test.ts',
  'test/console/pages-full.test.ts',
  'test/console/pages-empty.test.ts',
  'test/console/tools.test.ts',
  'test/console/arrivals.test.ts',
  'test/service/routes-table.test.ts',
  'test/service/outage-hang.test.ts',
  'src/mcp/upstream/hostile.test.ts',
  'test/unit/policies-pieces.test.ts',
  'src/ledger/format/proof.test.ts',
  'test/unit/browser-verifier.test.ts',
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
