import { ById, defineResource, type ManagementApi, presentEach } from '../../http/index.js'
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
    present: presentEach(presentPrompt),
    find: ({ tenantId, params }) => findPrompt(db, tenantId, params.id),
    onChange,
    listAll: {
      access: 'member',
      description:
        'Lists every prompt of the tenant, newest first, with the versions that its labels point at.',
      rows: ({ tenantId, page }) => listPrompts(db, tenantId, page),
      position: ({ id }) => id,
    },
    create: {
      description:
        'Creates a prompt. With `content`, the prompt starts with version 1. Without it, the prompt has no version until you append one.',
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
      summary: 'Update a prompt',
      description:
        'Updates the name or description that is sent and leaves the other as it is. To change the text, append a version.',
      errors: ['not_found', 'conflict'],
      body: UpdatePrompt,
      run: ({ principal, params, body }) => updatePrompt(db, principal, params.id, body),
    },
    remove: {
      description: `Deletes a prompt and its versions. The name can be used again, and every replica refuses calls that refer to the prompt
within a second.

If the prompt has labels, it is in use, and the request fails with 409 and a list of the labels. With \`cascade\`, the labels
are deleted first, each with an entry in the audit log. Deleting a deleted prompt also succeeds.`,
      errors: ['not_found', 'conflict'],
      cascades: true,
      run: ({ principal, params, cascade }) => deletePrompt(db, principal, params.id, { cascade }),
    },
  })
}
