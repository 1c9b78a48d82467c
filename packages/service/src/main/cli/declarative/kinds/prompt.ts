import type { Client } from '../client.js'
import { isObject, type Json, objectsOf, stringOf, stringsOf } from '../json.js'
import type { Kind } from './kind.js'

/** Prompts: `content` is the newest version, and `labels` are those that point to it. */
export const prompt: Kind = {
  kind: 'Prompt',
  path: '/v1/prompts',
  // Its labels are part of the document.
  deleteQuery: '?cascade=true',
  extraFields: {
    labels: {
      type: 'array',
      items: { type: 'string', pattern: '^(?!latest$)[a-z0-9][a-z0-9._-]{0,63}$' },
      uniqueItems: true,
      default: [],
    },
  },
  check: ({ content, labels }) =>
    content === undefined && stringsOf(labels).length > 0
      ? ['labels point to content, which is missing']
      : [],
  withoutSecrets: (body) => ({ ...body, labels: stringsOf(body.labels).toSorted() }),
  async observe(record, client) {
    const newest = await newestVersion(client, stringOf(record.id))
    return {
      description: record.description,
      ...(newest && { content: newest.content }),
      labels: labelsOf(record)
        .filter(({ versionId }) => versionId === newest?.id)
        .map(({ label }) => label)
        .toSorted(),
    }
  },
  async afterCreate(client, id, body) {
    await setLabels(client, id, stringsOf(body.labels))
  },
  async update(client, { id, record, body, fields }) {
    if (fields.has('description')) await client.patch(`/v1/prompts/${id}`, { description: body.description })
    const before = await newestVersion(client, id)
    if (fields.has('content') && before?.content !== body.content)
      await client.post('/v1/prompts/versions', { promptId: id, content: body.content })
    const wanted = stringsOf(body.labels)
    const unwanted = labelsOf(record).filter(
      ({ label, versionId }) => versionId === before?.id && !wanted.includes(label),
    )
    for (const { label } of unwanted) await client.delete(`/v1/prompts/${id}/label/${label}`)
    await setLabels(client, id, wanted)
  },
  leftOut: (record, observed) =>
    labelsOf(record)
      .filter(({ label }) => !stringsOf(observed.labels).includes(label))
      .map(({ label }) => `label ${label}, which points to an earlier version`),
}

async function newestVersion(client: Client, id: string): Promise<Json | undefined> {
  const page = await client.get(`/v1/prompts/${id}/versions?limit=1`)
  return objectsOf(isObject(page) ? page.data : page)[0]
}

function labelsOf({ labels }: Json): { label: string; versionId: unknown }[] {
  const entries = isObject(labels) ? Object.entries(labels) : []
  return entries
    .filter(([label]) => label !== 'latest')
    .map(([label, target]) => ({ label, versionId: isObject(target) ? target.versionId : null }))
}

async function setLabels(client: Client, promptId: string, labels: readonly string[]): Promise<void> {
  if (labels.length === 0) return
  const newest = await newestVersion(client, promptId)
  for (const label of labels)
    await client.post('/v1/prompts/labels', { promptId, label, versionId: newest?.id })
}
