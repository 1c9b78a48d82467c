import { ById, defineResource, each, type ManagementApi } from '../../http/index.js'
import { createPrompt, deletePrompt, updatePrompt } from './manage.js'
import { presentPrompt } from './present.js'
import { CreatePrompt, Prompt, UpdatePrompt } from './schema.js'
import { findPrompt, listPrompts } from './store.js'

export interface PromptRoutesOptions {
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
}

export function registerPromptRoutes(api: ManagementApi, { onChange }: PromptRoutesOptions): void {
  const { db } = api
  defineResource(api, {
    path: '/v1/prompts',
    params: ById,
    tag: 'Prompts',
    one: 'a prompt',
    many: 'prompts',
    item: Prompt,
    present: each(presentPrompt),
    find: ({ tenantId, params }) => findPrompt(db, tenantId, params.id),
    onChange,
    listAll: {
      access: 'member',
      description:
        'Every prompt of the tenant, newest first, each with the versions that its labels point at.',
      rows: ({ tenantId }) => listPrompts(db, tenantId),
    },
    create: {
      description:
        'With `content`, the prompt starts with version 1; without, it has no version until one is appended.',
      errors: ['conflict'],
      body: CreatePrompt,
      answer: Prompt,
      run:
        ({ principal, body }) =>
        (db) =>
          createPrompt(db, principal, body),
    },
    read: { access: 'member' },
    update: {
      summary: 'Rename or describe a prompt',
      description: 'Omitted fields stay as they are. To change the text, append a version.',
      errors: ['not_found', 'conflict'],
      body: UpdatePrompt,
      run: ({ principal, params, body }) => updatePrompt(db, principal, params.id, body),
    },
    remove: {
      description: `A prompt that has labels is in use and is not deleted: 409, which lists them. With \`cascade\` they are deleted first, with
an entry in the audit log for each. Its versions are deleted with it, its name is free again, and calls that refer to it are
refused on every replica within a second. Deleting again is fine.`,
      errors: ['not_found', 'conflict'],
      cascades: true,
      run: ({ principal, params, cascade }) => deletePrompt(db, principal, params.id, { cascade }),
    },
  })
}
