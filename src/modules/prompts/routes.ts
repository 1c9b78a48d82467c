import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, ById, CascadeQuery, type Cursors, principalOf } from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import { createPrompt, deletePrompt, readPrompt, updatePrompt } from './manage.js'
import { presentPrompt } from './present.js'
import { CreatePrompt, Prompt, UpdatePrompt } from './schema.js'
import { listPrompts } from './store.js'

export interface PromptRoutesOptions {
  db: Db
  cursors: Cursors
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  onChange(tenantId: string): void
}

const tags = ['Prompts']

export function registerPromptRoutes(app: App, { db, onChange }: PromptRoutesOptions): void {
  app.get(
    '/v1/prompts',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listPrompts',
        summary: 'List prompts',
        description:
          'Every prompt of the tenant, newest first, each with the versions that its labels point at.',
        response: { 200: Type.Array(Prompt) },
      },
    },
    async (request) => (await listPrompts(db, principalOf(request).tenantId)).map(presentPrompt),
  )

  app.post(
    '/v1/prompts',
    {
      config: { access: 'manager', idempotent: true, errors: ['conflict'] },
      schema: {
        tags,
        operationId: 'createPrompt',
        summary: 'Create a prompt',
        description:
          'With `content`, the prompt starts with version 1; without, it has no version until one is appended.',
        body: CreatePrompt,
        response: { 201: Prompt },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const prompt = await answerOnce(db, request, (db) => createPrompt(db, principal, request.body))
      onChange(principal.tenantId)
      return reply.code(201).send(prompt)
    },
  )

  app.get(
    '/v1/prompts/:id',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getPrompt',
        summary: 'Read a prompt',
        params: ById,
        response: { 200: Prompt },
      },
    },
    async (request) => await readPrompt(db, principalOf(request).tenantId, request.params.id),
  )

  app.patch(
    '/v1/prompts/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'updatePrompt',
        summary: 'Rename or describe a prompt',
        description: 'Omitted fields stay as they are. To change the text, append a version.',
        params: ById,
        body: UpdatePrompt,
        response: { 200: Prompt },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const prompt = await updatePrompt(db, principal, request.params.id, request.body)
      onChange(principal.tenantId)
      return prompt
    },
  )

  app.delete(
    '/v1/prompts/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'deletePrompt',
        summary: 'Delete a prompt',
        description: `A prompt that has labels is in use and is not deleted: 409, which lists them. With \`cascade\` they are deleted first, with
an entry in the audit log for each. Its versions are deleted with it, its name is free again, and calls that refer to it are
refused on every replica within a second. Deleting again is fine.`,
        params: ById,
        querystring: CascadeQuery,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const { cascade = false } = request.query
      await deletePrompt(db, principal, request.params.id, { cascade })
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )
}
