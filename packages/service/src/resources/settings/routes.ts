import { defineResource, each, type ManagementApi } from '../../http/index.js'
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
    present: each((settings: ContentCaptureRecord) => settings),
    find: ({ tenantId }) => readContentCapture(db, tenantId),
    onChange,
    read: {
      summary: 'Get content capture',
      description: 'Off until it is set. The record has an entry for each change.',
      errors: [],
    },
    update: {
      method: 'PUT',
      operationId: 'setContentCapture',
      summary: 'Set content capture',
      description:
        'Acts on every replica within a second, for calls that begin then; a call that runs while the mode changes leaves no content. Adds a `control` entry to the record. Switching it off keeps what is there until it is due. `retentionDays` stays as it is where it is left out.',
      errors: [],
      body: ContentCaptureChange,
      run: ({ principal, body }) => updateContentCapture({ db, recordEvent }, principal, body),
    },
  })
}
