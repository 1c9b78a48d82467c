import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { accessibilityFaults, settled, shiftsOf, type Visit } from './visit.js'

/** Of the Web Vitals: up to this, nobody notices that something moved. */
const maxShift = 0.1

const wide = { width: 1440, height: 900 }
const narrow = { width: 360, height: 780 }

// A theme changes colours and nothing else; a width changes everything else.
const looks = [
  { name: 'wide, light', size: wide, theme: 'light', rules: 'all' },
  { name: 'wide, dark', size: wide, theme: 'dark', rules: 'contrast' },
  { name: 'narrow, dark', size: narrow, theme: 'dark', rules: 'all' },
] as const

/**
 * Opens a page and finds fault with it: complaints, jumps, accessibility in both themes, wide and narrow, and what sticks out at the side. One that
 * is known was looked at from every side for somebody else or with something else in it: its accessibility is looked at once.
 */
export async function lookAt(visit: Visit, url: string, title: string, isKnown = false): Promise<void> {
  const { page } = visit
  await page.setViewportSize(wide)
  await page.goto(url)
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await settled(page)
  const shifts = await shiftsOf(page)
  const faults: Record<string, unknown> = {}
  if (shifts.sum > maxShift) faults.shifts = shifts
  for (const { name, size, theme, rules } of looks) {
    await page.setViewportSize(size)
    await page.evaluate(async (value) => {
      document.documentElement.dataset.theme = value
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
    }, theme)
    const overflow = await overflowOf(page)
    if (overflow > 0) faults[`${name}: pixels that stick out`] = overflow
    if (isKnown && name !== looks[0].name) continue
    const found = await accessibilityFaults(page, rules)
    if (found.length > 0) faults[name] = found
  }
  const complaints = visit.complaints()
  if (complaints.length > 0) faults.complaints = complaints
  expect(faults).toEqual({})
}

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
