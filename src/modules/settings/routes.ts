import { type App, principalOf } from '../../http/index.js'
import { type SettingsDependencies, updateContentCapture } from './manage.js'
import { ContentCaptureChange, ContentCaptureRecord } from './schema.js'
import { readContentCapture } from './store.js'

const tags = ['Settings']

export function registerSettingsRoutes(
  app: App,
  { onChange, ...dependencies }: SettingsDependencies & { onChange(tenantId: string): void },
): void {
  app.get(
    '/v1/settings/content-capture',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        operationId: 'getContentCapture',
        summary: 'What is kept of what calls say',
        description: 'Off until it is set. The record has an entry for each change.',
        response: { 200: ContentCaptureRecord },
      },
    },
    async (request) => await readContentCapture(dependencies.db, principalOf(request).tenantId),
  )

  app.put(
    '/v1/settings/content-capture',
    {
      config: { access: 'manager' },
      schema: {
        tags,
        operationId: 'setContentCapture',
        summary: 'Set what is kept of what calls say',
        description:
          'Acts on every replica within a second, for calls that begin then; a call that runs while the mode changes leaves no content. Adds a `control` entry to the record. Switching it off keeps what is there until it is due. `retentionDays` stays as it is where it is left out.',
        body: ContentCaptureChange,
        response: { 200: ContentCaptureRecord },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const settings = await updateContentCapture(dependencies, principal, request.body)
      onChange(principal.tenantId)
      return settings
    },
  )
}
