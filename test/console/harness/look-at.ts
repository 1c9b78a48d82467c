import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessibilityFaults, settled, shiftsOf, type Visit } from './visit.js'

/** Of the Web Vitals: up to this, nobody notices that something moved. */
const maxShift = 0.1

/** Opens a page and finds fault with it: complaints, jumps, accessibility in both themes, wide and narrow, and what sticks out at the side. */
export async function lookAt(visit: Visit, url: string, title: string): Promise<void> {
  const { page } = visit
  await page.setViewportSize(wide)
  await page.goto(url)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await settled(page)
  const shifts = await shiftsOf(page)
  const faults: Record<string, unknown> = {}
  if (shifts.sum > maxShift) faults.shifts = shifts
  for (const [name, size] of [
    ['wide', wide],
    ['narrow', narrow],
  ] as const) {
    await page.setViewportSize(size)
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    const overflow = await overflowOf(page)
    if (overflow > 0) faults[`${name}: pixels that stick out`] = overflow
    for (const theme of ['light', 'dark'] as const) {
      await page.evaluate((value) => {
        document.documentElement.dataset.theme = value
      }, theme)
      const found = await accessibilityFaults(page)
      if (found.length > 0) faults[`${name}, ${theme}`] = found
    }
  }
  const complaints = visit.complaints()
  if (complaints.length > 0) faults.complaints = complaints
  expect(faults).toEqual({})
}

const wide = { width: 1440, height: 900 }
const narrow = { width: 360, height: 780 }

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
