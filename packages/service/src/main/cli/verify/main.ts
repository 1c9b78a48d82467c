import { readFileSync } from 'node:fs'
import {
  checkFiles,
  describeFindings,
  exitCodes,
  findingsAsJson,
  UnusableInputError,
  verdictOf,
} from '@tallystick/record/verify'
import { errorCode } from '../../../shared/error-code.js'
import { readVerifyCommand, VerifyUsageError, verifyUsage } from './arguments.js'
import { openInput } from './input.js'
import { createProgress } from './progress.js'
import { readTrustedKeys } from './trusted-keys.js'

const hints = { key: 'with --key', checkpoint: 'with --checkpoint' }

/** Runs `tallystick verify` and returns its exit code. Needs Node and these files: no database, no server, no network. */
export async function verify(args: string[]): Promise<number> {
  let isJson = args.includes('--json')
  try {
    const command = readVerifyCommand(args)
    if (command.name === 'help') {
      console.log(verifyUsage)
      return exitCodes.verified
    }
    isJson = command.json
    const trusted = readTrustedKeys(command.keys)
    const checkpoints = command.checkpoints.map(readCheckpointFile)
    const findings = await checkFiles(command.files.map(openInput), {
      trusted,
      checkpoints,
      costs: command.costs,
      hints,
      showProgress: ({ shareRead }) => createProgress(process.stderr, shareRead),
    })
    const describe = isJson ? findingsAsJson : describeFindings
    console.log(describe(findings, trusted.areGiven))
    return exitCodes[verdictOf(findings, trusted.areGiven)]
  } catch (error) {
    if (!(error instanceof UnusableInputError) && !(error instanceof VerifyUsageError)) throw error
    if (isJson) console.log(JSON.stringify({ verdict: 'unusable', message: error.message }))
    else
      console.error(error instanceof VerifyUsageError ? `${error.message}\n\n${verifyUsage}` : error.message)
    return exitCodes.unusable
  }
}

function readCheckpointFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UnusableInputError(`--checkpoint ${path} cannot be read (${errorCode(error) ?? error})`)
  }
}
