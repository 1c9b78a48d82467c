import type { Prompt, PromptVersion } from './schema.js'
import type { PromptRow, VersionRow } from './store.js'

export const presentPrompt = (row: PromptRow): Prompt => ({
  id: row.id,
  name: row.name,
  description: row.description,
  labels: row.labels,
  createdAt: row.created_at.toISOString(),
})

export const presentVersion = (row: VersionRow): PromptVersion => ({
  id: row.id,
  promptId: row.prompt_id,
  version: row.version,
  content: row.content,
  createdAt: row.created_at.toISOString(),
})
