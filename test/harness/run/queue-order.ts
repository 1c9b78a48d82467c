import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readFileTimes } from './file-times.js'

// Each worker takes the next file of one queue, and keeps its modules as long as the next file is of the same project: so the
// projects come one after the other. The first is the one whose tests mostly wait.
const projects = ['process', 'console', 'service', 'unit']

/** The longest file of a project first, so that none of them is still running when all others are done. */
export class QueueOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readFileTimes()
    const secondsOf = ({ moduleId }: TestSpecification) =>
      times.get(relative(this.ctx.config.root, moduleId)) ?? 0
    const turn = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return (await super.sort(files)).toSorted((a, b) => turn(a) - turn(b) || secondsOf(b) - secondsOf(a))
  }
}
