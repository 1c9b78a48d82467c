import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { afterAll } from 'vitest'

const places = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Where a real browser is, or undefined. */
export const chromiumPath = places.find((path) => path !== undefined && path !== '' && existsSync(path))

let opening: Promise<Browser> | undefined

/** One browser for each test file; pages in it share nothing but their process. */
export function openBrowser(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no chromium: install it, or name it in CHROMIUM')
  opening ??= chromium.launch({
    executablePath: chromiumPath,
    // Root, as containers have it, cannot use the sandbox; the pages are our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-prefers-reduced-motion'],
  })
  return opening
}

/** To be called by the file that opens one. */
export function closeBrowserAfterwards(): void {
  afterAll(async () => {
    const browser = await opening
    opening = undefined
    await browser?.close()
  })
}
