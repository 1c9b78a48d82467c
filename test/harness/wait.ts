import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a condition holds; fails with what was waited for. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  withinMs = 10_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found !== null && found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`)
    await pause(10)
  }
}
