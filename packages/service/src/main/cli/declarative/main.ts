import { apply } from './apply.js'
import { readDeclarativeCommand, usage } from './arguments.js'
import { Refusal } from './client.js'
import { exportConfig } from './export-config.js'
import { CommandFailure } from './failure.js'
import { importLitellm } from './litellm/index.js'
import { createOutput } from './output.js'
import { openSession } from './session.js'

export interface Surroundings {
  env: NodeJS.ProcessEnv
  cwd: string
  out(text: string): void
  error(text: string): void
}

/** Runs a command about configuration as code. Returns the exit code. */
export async function runDeclarative(
  args: readonly string[],
  surroundings: Surroundings,
): Promise<0 | 1 | 2> {
  const output = createOutput(surroundings)
  try {
    const command = readDeclarativeCommand(args)
    if (command.name === 'help') {
      output.print(usage)
      return 0
    }
    if (command.name === 'import litellm') return importLitellm(command, output)
    const session = await openSession(command.service, { ...surroundings, output })
    if (command.name === 'export-config') return await exportConfig(command, session)
    return await apply(command.options, session)
  } catch (error) {
    if (!(error instanceof CommandFailure || error instanceof Refusal)) throw error
    output.warn(error.message)
    return 1
  }
}
