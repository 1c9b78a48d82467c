import { setTimeout as pause } from 'node:timers/promises'

/**
 * The timeout for events that must happen within a second, with a margin for a busy machine. Without the tested behaviour, such an
 * event never happens, or only after a minute.
 */
export const aSecondMs = 45_000

/** When something will not come any more: a first start builds the program, on a machine that other tests are busy on. */
export const inVainMs = 600_000

/**
 * For what depends on the calls of one minute: does it again, from its beginning, where it took longer than that. Then the limits have
 * counted other calls than it made.
 */
export async function withinAMinute<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    const begunMs = performance.now()
    const outcome = await act()
    if (performance.now() - begunMs < 59_000) return outcome
  }
}

/** Waits until a condition holds. After the timeout, it fails with the description of the condition. */
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
