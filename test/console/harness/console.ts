import { type ServiceProcess, startServiceProcess } from '../../harness/processes/process.js'
import { type Api, createApi } from '../../harness/service/api.js'
import { createTestDatabase, type TestDatabase } from '../../harness/service/database.js'

/** A service of one's own with its console, and nothing in it. */
export interface TestConsole {
  address: string
  managerKey: string
  database: TestDatabase
  api: Api
  /** The same with another key. */
  as(key: string): Api
  stop(): Promise<void>
}

export const managerKey = 'tallystick_sk_0123456789abcdefghijKLMNOPQRSTUVWXYZ'

/** `cwd`: where its tallystick.yaml is. */
export async function startConsole(env: Record<string, string> = {}, cwd?: string): Promise<TestConsole> {
  const database = await createTestDatabase()
  const settings = { DATABASE_URL: database.url, TALLYSTICK_BOOTSTRAP_KEY: managerKey, ...env }
  const service: ServiceProcess = await startServiceProcess(settings, [], cwd)
  const { address } = service
  return {
    address,
    managerKey,
    database,
    api: createApi(address, managerKey),
    as: (key) => createApi(address, key),
    async stop() {
      await service.end('SIGKILL')
      await database.drop()
    },
  }
}
