import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { loadPacks, PackFile, versionedName } from './pack-file.js'

// A changed pack needs a new version and a new line here; no line is ever changed.
const published: Record<string, string> = {
  'eu-ai-act@1.0': 'b27dbf3261e38c05aea0856dfd73c3202eade0e50e023991489ff819753f6a2d',
  'gdpr@1.0': 'c1a2f2d2ba443ddaad0a9efc34b51fa99f9a93e740a84bae9958416fd95ce813',
  'hipaa@1.0': 'd3e1891cdaa1e1b9a6dd5dcddaa121bc10210347dd70da703b2653cc5ccf6e4d',
  'iso-42001@1.0': '3f8ace52c52280819c810a4b5762d113653a439c4e9bdaabec522beb10a8278e',
  'nist-ai-rmf@1.0': '8800ffd564801d4ca08435d812f84224b6a01203d6490163ff530b41e173af28',
  'soc2@1.0': '6d2338c1d610463d67f866dfecc5a3a2f2843d99a961150eebf50904036dbcb5',
  'eu-ai-act@1.1': '2a916dcf80ba55d1dac4b8693b7a1a01fce03ee5219b960dde65df2e21c3b2bd',
  'gdpr@1.1': '7660534d3d214cea0bf5436a45735001d2356ad4b5bbec56a97a059d8140543a',
  'hipaa@1.1': '14866cd9846e2302568736512090001c9d11557e4e69261d3a1d916b97525efc',
  'iso-42001@1.1': 'ef0f0d885807d56c8edeac01f7a429dd1097a3cde96c53c634f99dc79119d961',
  'nist-ai-rmf@1.1': 'cc62957ef732299a9ab49457b3fa122d479d5e29186e6dd090e5fcd249cbd5d6',
  'soc2@1.1': 'c6d7597f07a7846145be4a6f169964790b582fe5153c1505d519a05d1e5effe8',
}

// The controls that each pack covers.
const controls: Record<string, string[]> = {
  'eu-ai-act': ['12(1)', '12(2)', '19(1)', '26(6)'],
  gdpr: ['5(2)', '25', '32'],
  hipaa: ['164.312(b)'],
  'iso-42001': ['A.6.2.8'],
  'nist-ai-rmf': ['MEASURE 2.4', 'MANAGE 4.1'],
  soc2: ['CC7.2', 'CC8.1'],
}

describe('the packs that ship with the program', () => {
  const { packs, faults } = loadPacks(null)

  test('are the six frameworks, with their controls', () => {
    expect(faults).toEqual([])
    const found = [...packs.values()].map(({ content }) => [
      content.framework,
      content.controls.map((control) => control.id),
    ])
    expect(Object.fromEntries(found)).toEqual(controls)
  })

  test('have the hashes that they were published with, also by another implementation of canonical JSON', () => {
    for (const { content, hash, source } of packs.values()) {
      expect({ [versionedName(content)]: hash }).toEqual({
        [versionedName(content)]: published[versionedName(content)],
      })
      expect(
        createHash('sha256')
          .update(canonicalize(content) ?? '')
          .digest('hex'),
      ).toBe(hash)
      expect(source).toBe('builtin')
    }
  })

  test('name no field that a receipt does not have', () => {
    const entry = readFileSync(new URL('../../../../record/src/format/entry.ts', import.meta.url), 'utf8')
    for (const { content } of packs.values()) {
      for (const field of content.controls.flatMap((control) => control.fields))
        expect(entry).toMatch(new RegExp(`^  ${field}[?]?:`, 'm'))
    }
  })

  test('are described by the published schema, verbatim', () => {
    const path = new URL('../../../packs/pack.schema.json', import.meta.url)
    const described = JSON.parse(readFileSync(path, 'utf8'))
    expect(described).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Tallystick compliance pack',
      ...JSON.parse(JSON.stringify(PackFile)),
    })
  })
})

describe('packs of the operator’s own', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tallystick-packs-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const house = {
    framework: 'house-rules',
    version: '2.1',
    title: 'House rules',
    reference: 'Handbook, page 4',
    summary: 'What we promised each other.',
    limits: ['It binds nobody else.'],
    controls: [
      {
        id: '1',
        title: 'No secrets',
        requirement: 'Secrets stay in the house.',
        shows: ['Calls in which a secret was found.'],
        doesNotShow: ['Secrets that no rule describes.'],
        checks: ['secrets'],
        fields: ['checks'],
      },
    ],
  }
  const put = (name: string, content: unknown) =>
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))

  test('are read from a folder, and the order of their members does not change the hash', () => {
    put('a.json', house)
    const first = loadPacks(folder).packs.get('house-rules')
    expect(first).toMatchObject({ source: 'custom', content: house })
    put('a.json', Object.fromEntries(Object.entries(house).toReversed()))
    expect(loadPacks(folder).packs.get('house-rules')?.hash).toBe(first?.hash)
    put('a.json', { ...house, summary: 'What we promised.' })
    expect(loadPacks(folder).packs.get('house-rules')?.hash).not.toBe(first?.hash)
  })

  test('are refused with every fault, each with the name of its file', () => {
    const { title: _, ...untitled } = house
    put('a.json', '{')
    put('b.json', untitled)
    put('c.json', { ...house, version: 'newest', more: 1 })
    put('d.json', { ...house, framework: 'soc2' })
    put('e.json', { ...house, controls: [{ ...house.controls[0], doesNotShow: [] }] })
    put('notes.txt', 'not a pack')
    const { faults } = loadPacks(folder)
    for (const name of [
      'a.json: is not JSON',
      'b.json: ',
      'c.json: /version',
      'd.json: there is a pack called soc2',
      'e.json: /controls/0/doesNotShow',
    ])
      expect(faults.some((fault) => fault.includes(name))).toBe(true)
    expect(faults.join()).not.toContain('notes.txt')
  })
})
