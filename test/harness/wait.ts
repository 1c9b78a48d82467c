import { setTimeout as pause } from 'node:timers/promises'

/** What is promised within a second, with room for a machine that has more to do: what is waited for so never comes by itself. */
export const aSecondMs = 20_000

/** Waits until a condition holds; fails with what was waited for. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = 90_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`)
    await pause(10)
  }
}
