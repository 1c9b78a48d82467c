import { setTimeout as pause } from 'node:timers/promises'

/**
 * What is promised within a second, with room for a machine that has more to do. What is waited for so never comes by itself, or
 * only after a minute.
 */
export const aSecondMs = 45_000

/** When something will not come any more: a first start builds the program, on a machine that other tests are busy on. */
export const inVainMs = 600_000

/** Waits until a condition holds; fails with what was waited for. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = inVainMs,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`)
    await pause(10)
  }
}
