import type { ImageFormula } from '../catalogue/model-properties.js'
import type { TokenCount } from '../tokenizer/token-counter.js'
import type { ImageSize } from './image-size.js'

// The most expensive image that any vendor documents: eight tiles on gpt-4o-mini, 2,833 and 5,667 for each.
const maxTokensOfAnyImage = 2_833 + 8 * 5_667

const tileEdge = 512

/**
 * Counts the tokens of one image. A null size means the largest that the vendor allows, a null formula the most
 * expensive one.
 */
export function countImage(formula: ImageFormula | null, size: ImageSize | null, isLow: boolean): TokenCount {
  if (formula === null) return both(maxTokensOfAnyImage)
  switch (formula.kind) {
    case 'tiles':
      return isLow ? both(formula.base) : countTiles(formula, size)
    case 'patches':
      return countPatches(formula, size)
    case 'fixed':
      return both(formula.tokens)
  }
}

const both = (tokens: number): TokenCount => ({ estimate: tokens, bound: tokens })

/**
 * Vendors document "scaled so that the shortest side is 768 pixels long" without mentioning smaller images. The
 * estimate leaves those unchanged, the bound enlarges them.
 */
function countTiles(formula: ImageFormula & { kind: 'tiles' }, size: ImageSize | null): TokenCount {
  const { base, perTile, maxEdge, shortEdge } = formula
  if (size === null) return both(base + perTile * tiles(shortEdge, maxEdge))
  const fit = Math.min(1, maxEdge / Math.max(size.width, size.height))
  const short = Math.min(size.width, size.height) * fit
  const long = Math.max(size.width, size.height) * fit
  const shrink = Math.min(1, shortEdge / short)
  const longAtMost = Math.min(maxEdge, (long * shortEdge) / short)
  return {
    estimate: base + perTile * tiles(short * shrink, long * shrink),
    bound: base + perTile * tiles(shortEdge, longAtMost),
  }
}

const tiles = (width: number, height: number): number => cells(width, tileEdge) * cells(height, tileEdge)

/** Scaling can make sides slightly longer through rounding. */
const cells = (pixels: number, edge: number): number => Math.max(1, Math.ceil((pixels - 1e-6) / edge))

/** An image that is scaled down has at most the maximum; the estimate follows the documented rounding. */
function countPatches(formula: ImageFormula & { kind: 'patches' }, size: ImageSize | null): TokenCount {
  const { maxPatches, patchPixels, permille, maxEdge = Number.POSITIVE_INFINITY } = formula
  const tokens = (patches: number) => Math.ceil((patches * permille) / 1000)
  if (size === null) return both(tokens(maxPatches))
  const shrink = Math.min(1, maxEdge / Math.max(size.width, size.height))
  const [width, height] = [size.width * shrink, size.height * shrink]
  const patches = cells(width, patchPixels) * cells(height, patchPixels)
  if (patches <= maxPatches) return both(tokens(patches))
  const fit = Math.sqrt((patchPixels ** 2 * maxPatches) / (width * height))
  const [across, down] = [(width * fit) / patchPixels, (height * fit) / patchPixels]
  const scale = Math.min(Math.floor(across) / across, Math.floor(down) / down)
  const scaled = cells(across * scale, 1) * cells(down * scale, 1)
  return { estimate: tokens(Math.min(scaled, maxPatches)), bound: tokens(maxPatches) }
}
