import type { ReadVariable } from '../variables.js'
import { cloudVariables } from './cloud-variables.js'

export type CloudVariable = keyof typeof cloudVariables

/** What the platform tells this process about its identity. */
export type CloudEnvironment = Readonly<Partial<Record<CloudVariable, string>>>

/** Keys may also be in files. The other variables are set by the platform, and some of them end with `_FILE` themselves. */
const secretVariables: readonly string[] = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']

export const readCloudEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
  read: ReadVariable,
): CloudEnvironment =>
  Object.fromEntries(
    Object.keys(cloudVariables).flatMap((name) => {
      const value = secretVariables.includes(name) ? read(name) : env[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )
