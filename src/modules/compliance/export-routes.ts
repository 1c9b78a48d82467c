import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { invalidField } from '../../errors.js'
import { type App, principalOf } from '../../http/index.js'
import { exportRecord, planExport } from '../../ledger/index.js'
import { orNotKept } from './kept.js'
import { Seq } from './proof-schema.js'

// To the framework a stream, to the reader of the document a text.
const Lines = Type.Unsafe<Readable>(Type.String())

/** The record as a file that `tallystick verify` reads, anywhere and without us. */
export function registerExportRoutes(app: App, { db }: { db: Db }): void {
  app.get(
    '/v1/compliance/export',
    {
      config: { access: 'member', errors: ['not_found'] },
      exposeHeadRoute: false,
      schema: {
        tags: ['Compliance'],
        operationId: 'exportRecord',
        summary: 'Export the record',
        description:
          'Entries, seals and public keys as JSON lines, streamed. Without `fromSeq` from the first entry that is kept, without `toSeq` to the newest. A span ends where a seal covers it: when `toSeq` lies inside a group that was sealed as one, the rest of the group comes along and the header says so. An export that broke off has no `end` line.',
        querystring: Type.Object(
          { fromSeq: Type.Optional(Seq), toSeq: Type.Optional(Seq) },
          { additionalProperties: false },
        ),
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
      const { fromSeq, toSeq } = request.query
      if (fromSeq !== undefined && toSeq !== undefined && fromSeq > toSeq)
        throw invalidField('fromSeq', 'must not be above toSeq')
      const found = await planExport(db, principalOf(request).tenantId, { fromSeq, toSeq })
      const header = orNotKept(found, `entry: the record ends before ${toSeq ?? fromSeq}`)
      const name = `${header.tenant}-${header.fromSeq}-${header.toSeq}.jsonl`
      // One page waits while another is being sent; a caller that does not read is not read for either.
      const lines = Readable.from(exportRecord(db, header), { highWaterMark: 1 })
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(lines)
    },
  )
}
