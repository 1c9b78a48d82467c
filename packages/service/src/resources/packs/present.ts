import { Compile } from 'typebox/compile'
import { createPack, type Pack, type PackCatalogue, PackFile } from './pack-file.js'
import type { PackRecord } from './schema.js'
import type { PackRow } from './store.js'

/** The active version of a pack, or the one that would be activated. */
export function presentPack(row: PackRow | undefined, available: Pack | undefined): PackRecord | null {
  const pack = row ? storedPack(row) : available
  if (!pack) return null
  return {
    ...pack.content,
    status: row ? 'active' : 'inactive',
    packHash: pack.hash,
    source: pack.source,
    latestVersion: available?.content.version ?? null,
    activatedAt: row?.activated_at.toISOString() ?? null,
  }
}

/** Every pack that is active or can be, ordered by framework. */
export function presentPacks(rows: readonly PackRow[], catalogue: PackCatalogue): PackRecord[] {
  const active = new Map(rows.map((row) => [row.framework, row]))
  return [...new Set([...catalogue.keys(), ...active.keys()])]
    .sort()
    .flatMap((framework) => presentPack(active.get(framework), catalogue.get(framework)) ?? [])
}

function storedPack({ framework, canonical, source }: PackRow): Pack {
  const content: unknown = JSON.parse(canonical)
  if (!Compile(PackFile).Check(content)) throw new Error(`The stored pack ${framework} is not a pack`)
  return createPack(content, source)
}
