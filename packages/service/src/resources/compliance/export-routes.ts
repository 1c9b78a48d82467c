import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Db, ReplicaReads } from '../../db/index.js'
import { type App, downloadHeader, principalOf, strict } from '../../http/index.js'
import { type ExportHeader, exportRecord, hasSpan, planExport } from '../../record/index.js'
import { invalidField } from '../../shared/errors.js'
import { Seq } from './proof-schema.js'
import { requireKept } from './require-kept.js'

// A stream for the framework, a string in the OpenAPI document.
export const Lines = Type.Unsafe<Readable>(Type.String())

/** Returns the header of the requested span; 400 and 404 explain what is wrong with it. */
export async function findExportSpan(
  db: Db,
  tenantId: string,
  { fromSeq, toSeq }: { fromSeq?: number; toSeq?: number },
): Promise<ExportHeader> {
  if (fromSeq !== undefined && toSeq !== undefined && fromSeq > toSeq)
    throw invalidField('fromSeq', 'must not be above toSeq')
  const found = await planExport(db, tenantId, { fromSeq, toSeq })
  return requireKept(found, `entry: the record ends before ${toSeq ?? fromSeq}`)
}

/** Exports the record as a file that `tallystick verify` checks offline. */
export function registerExportRoutes(app: App, { db, reads }: { db: Db; reads: ReplicaReads }): void {
  app.get(
    '/v1/compliance/export',
    {
      config: {
        access: 'reader',
        errors: ['not_found', 'rate_limit_exceeded'],
        answerHeaders: { success: downloadHeader },
      },
      exposeHeadRoute: false,
      schema: {
        tags: ['Compliance'],
        operationId: 'exportRecord',
        summary: 'Export the record',
        description:
          'Streams entries, seals and public keys as JSON lines. `fromSeq` defaults to the first stored entry and `toSeq` to the newest. A span ends where a seal covers it: if `toSeq` is inside a group of entries that was sealed together, the rest of the group is included and the header says so. An export without an `end` line is incomplete.',
        querystring: Type.Object({ fromSeq: Type.Optional(Seq), toSeq: Type.Optional(Seq) }, strict),
        produces: ['application/x-ndjson'],
        response: {
          200: {
            description: 'One JSON object per line: header, entries and seals, end',
            content: { 'application/x-ndjson': { schema: Lines } },
          },
        },
      },
    },
    async (request, reply) => {
      const header = await findExportSpan(db, principalOf(request).tenantId, request.query)
      const name = `${header.tenant}-${header.fromSeq}-${header.toSeq}.jsonl`
      const source = await reads.choose((replica) => hasSpan(replica, header))
      // One page is read ahead of the one being sent: a caller that does not read also stops the reading here.
      const lines = Readable.from(exportRecord(source, header), { highWaterMark: 1 })
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(lines)
    },
  )
}
