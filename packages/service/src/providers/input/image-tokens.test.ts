import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImageFormula } from '../catalogue/model-properties.js'
import { countImage } from './image-tokens.js'

const tiles: ImageFormula = { kind: 'tiles', base: 85, perTile: 170, maxEdge: 2048, shortEdge: 768 }
const patches: ImageFormula = { kind: 'patches', patchPixels: 32, permille: 1000, maxPatches: 1536 }
const nano: ImageFormula = { ...patches, permille: 2460 }
const claude: ImageFormula = {
  kind: 'patches',
  patchPixels: 28,
  permille: 1000,
  maxPatches: 1568,
  maxEdge: 1568,
}

describe('the tokens of an image', () => {
  // developers.openai.com/api/docs/guides/images-vision, "Calculating costs".
  test.each<[string, ImageFormula, number, number, number]>([
    ['1024 x 1024 in tiles', tiles, 1024, 1024, 765],
    ['2048 x 4096 in tiles', tiles, 2048, 4096, 1105],
    ['1024 x 1024 in patches', patches, 1024, 1024, 1024],
    ['1800 x 2400 in patches', patches, 1800, 2400, 1452],
    ['1024 x 1024 in patches of gpt-4.1-nano', nano, 1024, 1024, 2520],
    // platform.claude.com/docs/en/build-with-claude/vision.
    ['200 x 200 for Claude', claude, 200, 200, 64],
    ['1000 x 1000 for Claude', claude, 1000, 1000, 1296],
  ])('are as documented for %s', (_, formula, width, height, tokens) => {
    const { estimate, bound } = countImage(formula, { width, height }, false)
    expect(estimate).toBe(tokens)
    expect(bound).toBeGreaterThanOrEqual(tokens)
  })

  test('are the base alone in low detail, where there are tiles', () => {
    expect(countImage(tiles, { width: 4096, height: 8192 }, true)).toEqual({ estimate: 85, bound: 85 })
    expect(countImage(patches, { width: 64, height: 64 }, true).bound).toBe(4)
  })

  test('of a small image are bounded as if it were enlarged, which is documented', () => {
    expect(countImage(tiles, { width: 100, height: 100 }, false)).toEqual({ estimate: 255, bound: 765 })
  })

  test('are the largest of all where the size is not known, and the most expensive of all where the formula is not', () => {
    expect(countImage(tiles, null, false).bound).toBe(85 + 8 * 170)
    expect(countImage(nano, null, false).bound).toBe(Math.ceil(1536 * 2.46))
    expect(countImage({ kind: 'fixed', tokens: 1792 }, null, false).bound).toBe(1792)
    expect(countImage(null, { width: 1, height: 1 }, true).bound).toBe(48_169)
  })

  test('of any size are at most those of the largest', () => {
    const side = fc.integer({ min: 1, max: 20_000 })
    fc.assert(
      fc.property(fc.constantFrom(tiles, patches, nano, claude), side, side, (formula, width, height) => {
        const { estimate, bound } = countImage(formula, { width, height }, false)
        expect(estimate).toBeLessThanOrEqual(bound)
        expect(estimate).toBeGreaterThan(0)
        expect(bound).toBeLessThanOrEqual(countImage(formula, null, false).bound)
      }),
    )
  })
})
