import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readFileTimes } from './file-times.js'

// Workers take files from one queue, and keep their modules as long as the next file belongs to the same project, so projects
// run one after another. The project whose tests mostly wait comes first.
const projects = ['process', 'console', 'service', 'unit']

/** Sorts the files of a project by duration, longest first, so that no long file is still running when all others are done. */
export class QueueOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const times = readFileTimes()
    const secondsOf = ({ moduleId }: TestSpecification) =>
      times.get(relative(this.ctx.config.root, moduleId)) ?? 0
    const turn = ({ project }: TestSpecification) => projects.indexOf(project.name)
    return (await super.sort(files)).toSorted((a, b) => turn(a) - turn(b) || secondsOf(b) - secondsOf(a))
  }
}
