import { describe, expect, test } from 'vitest'
import { ProducedTexts } from './produced-texts.js'

describe('what a stream produced', () => {
  test('is kept up to a bound, and what comes after is counted as the most that it can be', () => {
    const produced = new ProducedTexts()
    const piece = 'word '.repeat(200)
    for (let at = 0; at < 10_000; at++) produced.add([piece, ''])
    const kept = produced.texts.reduce((sum, text) => sum + text.length, 0)
    expect(kept).toBeGreaterThan(250_000)
    expect(kept).toBeLessThanOrEqual(256 * 1024)
    expect(produced.chars).toBe(10_000_000)
    // A token has at least one byte.
    expect(produced.moreTokens).toBe(10_000_000 - kept)
  })

  test('takes as little when it comes letter by letter', () => {
    const produced = new ProducedTexts()
    for (let at = 0; at < 1_000_000; at++) produced.add(['é'])
    expect(produced.texts.length).toBe(64 * 1024)
    expect(produced.chars).toBe(1_000_000)
    expect(produced.moreTokens).toBeGreaterThanOrEqual(2 * (1_000_000 - 64 * 1024))
  })

  test('is the beginning: nothing is kept after something was not', () => {
    const produced = new ProducedTexts()
    produced.add(['x'.repeat(200_000)])
    produced.add(['x'.repeat(200_000), 'after'])
    expect(produced.texts).toHaveLength(1)
    expect(produced.moreTokens).toBe(200_005)
  })

  test('says what an event added, also when it is not kept', () => {
    const produced = new ProducedTexts()
    produced.add(['x'.repeat(300_000)])
    const before = produced.additions
    expect(produced.addedSince(before)).toEqual([])
    produced.add(['a', '\ud800 lone, and longer than a copied slice'])
    expect(produced.addedSince(before)).toEqual(['a', '\ud800 lone, and longer than a copied slice'])
    const small = new ProducedTexts()
    small.add(['\ud800 lone, and longer than a copied slice'])
    expect(small.texts).toEqual(['\ud800 lone, and longer than a copied slice'])
  })
})
