import { defineResource, type ManagementApi, presentEach } from '../../http/index.js'
import { type SettingsDependencies, updateContentCapture } from './manage.js'
import { ContentCaptureChange, ContentCaptureRecord } from './schema.js'
import { readContentCapture } from './store.js'

export interface SettingsRoutesOptions extends Omit<SettingsDependencies, 'db'> {
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
}

export function registerSettingsRoutes(
  api: ManagementApi,
  { recordEvent, onChange }: SettingsRoutesOptions,
): void {
  const { db } = api
  defineResource(api, {
    path: '/v1/settings/content-capture',
    tag: 'Settings',
    one: 'a content capture',
    many: 'settings',
    item: ContentCaptureRecord,
    present: presentEach((settings: ContentCaptureRecord) => settings),
    find: ({ tenantId }) => readContentCapture(db, tenantId),
    onChange,
    read: {
      summary: 'Get content capture',
      description:
        'Returns the setting for content capture, which is off by default. The record has an entry for each change.',
      errors: [],
    },
    update: {
      method: 'PUT',
      operationId: 'setContentCapture',
      summary: 'Set content capture',
      description:
        'Sets content capture for later calls, on every replica within a second. A call that is in progress while the mode changes leaves no content. Turning capture off keeps stored content until it expires. If `retentionDays` is omitted, it does not change. The change adds a `control` entry to the record.',
      errors: [],
      body: ContentCaptureChange,
      run: ({ principal, body }) => updateContentCapture({ db, recordEvent }, principal, body),
    },
  })
}
