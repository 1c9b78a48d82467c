import { Type } from 'typebox'
import { inTransaction } from '../../../db/index.js'
import { type App, ById, principalOf } from '../../../http/index.js'
import { deleteFile, insertFile } from '../../../resources/batches/index.js'
import { ApiError, conflict, invalidField, notFound } from '../../../shared/errors.js'
import { maxBodyBytes } from '../../core/index.js'
import { MultipartForm } from '../../model/multipart/form.js'
import { callerOf, Listing, presentList } from './batch-owner.js'
import type { BatchRouteParts } from './route-parts.js'
import { File, presentFile } from './shapes.js'

const tags = ['Gateway']
const FileList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(File),
  has_more: Type.Boolean(),
})

const FileForm = Type.Object(
  {
    purpose: Type.Literal('batch'),
    file: Type.Unknown({ description: 'The file, as JSON lines' }),
  },
  { title: 'FileForm', examples: [{ purpose: 'batch', file: { filename: 'work.jsonl' } }] },
)

const formShape = { files: ['file'], lists: [], counts: [], flags: [] }
const formFields = ['purpose', 'file']

/** Registers the routes for files. A file is visible only to the key that uploaded it. */
export function registerFileRoutes(scope: App, parts: BatchRouteParts): void {
  const { db, files } = parts

  scope.post(
    '/v1/files',
    {
      bodyLimit: maxBodyBytes,
      config: { access: 'member', errors: ['payload_too_large', 'conflict', 'unavailable'] },
      schema: {
        tags,
        operationId: 'uploadFile',
        summary: 'Upload a file for a batch',
        description:
          'Uploads a form with `purpose: batch` and a `file` of at most 32 MiB. Each line of the file is a JSON object with `custom_id`, `method`, `url` and `body`. The file is stored encrypted for 30 days, and only this key can use it. Nothing in it is sent to a provider until you create a batch.',
        consumes: ['multipart/form-data'],
        body: FileForm,
        response: { 200: File },
      },
      // The form is validated from its bytes.
      validatorCompiler: () => () => true,
    },
    async (request) => {
      const { owner } = await callerOf(principalOf(request), parts.entitlementsOf)
      const { name, content } = readUpload(request.body, request.headers['content-type'])
      const sealed = await files.seal(owner, { purpose: 'batch', name, content })
      const erasedTo = await parts.erasedTo(owner.tenantId)
      const isStored = await inTransaction(db, (tx) => insertFile(tx, sealed, erasedTo))
      if (!isStored) throw conflict("The user's data are being erased; upload it again")
      return presentFile(sealed.record)
    },
  )

  scope.get(
    '/v1/files',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listFiles',
        summary: 'List the files of this key',
        querystring: Listing,
        response: { 200: FileList },
      },
    },
    async (request) => {
      const { owner } = await callerOf(principalOf(request), parts.entitlementsOf)
      const { limit = 20, after = null } = request.query
      const found = await files.list(owner, { limit: limit + 1, after })
      return presentList(found.map(presentFile), limit)
    },
  )

  scope.get(
    '/v1/files/:id',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getFile',
        summary: 'Get a file',
        params: ById,
        response: { 200: File },
      },
    },
    async (request) => {
      const { owner } = await callerOf(principalOf(request), parts.entitlementsOf)
      const found = await files.find(owner, request.params.id)
      if (found === null) throw notFound('file')
      return presentFile(found)
    },
  )

  scope.get(
    '/v1/files/:id/content',
    {
      config: { access: 'member', errors: ['not_found', 'rate_limit_exceeded'] },
      schema: {
        tags,
        operationId: 'getFileContent',
        summary: 'Get the content of a file',
        description: 'Returns an uploaded file unchanged, or the answers or errors of a batch, one per line.',
        params: ById,
        produces: ['application/jsonl'],
        response: { 200: Type.Unsafe<Buffer>({ description: 'The file, as JSON lines' }) },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { owner } = await callerOf(principalOf(request), parts.entitlementsOf)
      const { id } = request.params
      const found = await files.find(owner, id)
      // Counted before it is read and until it has been sent to the caller.
      parts.accountOf(request).take(found?.bytes ?? 0)
      const content = await files.content(owner, id)
      if (content === null) throw notFound('file')
      return reply.header('content-type', 'application/jsonl').send(content)
    },
  )

  scope.delete(
    '/v1/files/:id',
    {
      config: { access: 'member', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'deleteFile',
        summary: 'Delete a file',
        description: 'Deletes a file. The request fails with 409 if a batch still needs the file.',
        params: ById,
        response: {
          200: Type.Object({
            id: Type.String(),
            object: Type.Literal('file'),
            deleted: Type.Literal(true),
          }),
        },
      },
    },
    async (request) => {
      const { owner } = await callerOf(principalOf(request), parts.entitlementsOf)
      const { id } = request.params
      if ((await files.find(owner, id)) === null) throw notFound('file')
      if (!(await deleteFile(db, owner, id)))
        throw conflict('An open batch needs this file; cancel the batch, or wait until it has ended')
      return { id, object: 'file' as const, deleted: true as const }
    },
  )
}

function readUpload(body: unknown, contentType = ''): { name: string; content: Buffer } {
  if (!Buffer.isBuffer(body))
    throw new ApiError('unsupported_media_type', 'Send the file as multipart/form-data')
  const form = new MultipartForm(body, contentType, formShape)
  const fields: Record<string, unknown> = JSON.parse(form.json.toString())
  const unknown = Object.keys(fields).find((name) => !formFields.includes(name))
  if (unknown !== undefined)
    throw invalidField(
      unknown,
      'is not supported: a form has only `purpose` and `file`, and files are kept for 30 days',
    )
  if (fields.purpose !== 'batch') throw invalidField('purpose', 'must be batch, the only supported purpose')
  const [file] = form.files
  if (file === undefined || form.files.length > 1) throw invalidField('file', 'must be one file')
  if (file.bytes.length === 0) throw invalidField('file', 'must not be empty')
  const { file: info } = fields
  const name = typeof info === 'object' && info !== null && 'filename' in info ? String(info.filename) : ''
  // Copied, so that the rest of the form can be freed.
  return { name: name.slice(0, 255), content: Buffer.from(file.bytes) }
}
