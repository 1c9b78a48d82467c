import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { random } from '../../harness/run/seed.js'
import { inVainMs } from '../../harness/run/wait.js'
import { openBrowser } from './browser.js'

export interface VisitOptions {
  address: string
  /** Signed in with this key, by the API, before the first page. */
  key?: string
  width?: number
  theme?: 'light' | 'dark'
  timeZone?: string
  /** Answers come late, and in any order. */
  isSlow?: boolean
}

/** A visitor with a browser profile of its own. */
export interface Visit {
  page: Page
  /** What the pages complained of since the last time: errors of scripts, refused resources, broken security policy. */
  complaints(): string[]
  close(): Promise<void>
}

const watchShifts = () => {
  const state = { sum: 0, sources: [] as string[] }
  Object.assign(globalThis, { layoutShifts: state })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const shift = entry as unknown as {
        value: number
        hadRecentInput: boolean
        sources: { node: Node | null }[]
      }
      if (shift.hadRecentInput) continue
      state.sum += shift.value
      for (const { node } of shift.sources)
        state.sources.push(
          node instanceof Element
            ? `${node.tagName} ${node.className}`.slice(0, 120)
            : String(node?.textContent).slice(0, 60),
        )
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** What appears on the page for a moment, such as the word that something was done, is kept. */
const watchTexts = () => {
  const texts: string[] = []
  Object.assign(globalThis, { appearedTexts: texts })
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const { textContent } of addedNodes)
        if (textContent && textContent.length < 200) texts.push(textContent)
  }).observe(document, { childList: true, subtree: true })
}

/**
 * Waits until the page has said something since it was asked for the last time, or since it was opened. It need not be there any more: it
 * stays for four seconds, and this process may stand still for longer.
 */
export async function said(page: Page, words: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const { appearedTexts: texts } = globalThis as unknown as { appearedTexts: string[] }
    const at = texts.findIndex((text) => text.includes(wanted))
    if (at !== -1) texts.splice(0)
    return at !== -1
  }, words)
}

export async function visit({
  address,
  key,
  width = 1440,
  theme = 'light',
  timeZone = 'UTC',
  isSlow = false,
}: VisitOptions): Promise<Visit> {
  const browser = await openBrowser()
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 780 : 900 },
    colorScheme: theme,
    timezoneId: timeZone,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  context.setDefaultTimeout(inVainMs)
  if (key !== undefined) {
    const response = await context.request.post(`${address}/v1/session`, {
      data: { key },
      headers: { origin: address },
    })
    if (response.status() !== 201)
      throw new Error(`signing in: ${response.status()} ${await response.text()}`)
  }
  const page = await context.newPage()
  await page.addInitScript(watchShifts)
  await page.addInitScript(watchTexts)
  if (isSlow)
    await page.route(/\/v1\/(?!events)/, async (route) => {
      await pause(random() * 800)
      // A page that was left asks no more.
      await route.continue().catch(() => undefined)
    })
  let said: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      said.push(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => said.push(`thrown: ${error.stack ?? error.message}`))
  return {
    page,
    complaints() {
      const all = said
      said = []
      return all
    },
    close: () => context.close(),
  }
}

/** The page has all that it asked for: nothing is loading. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      document.querySelector('main, [data-page]') !== null &&
      document.querySelector('[aria-busy="true"], .skeleton') === null &&
      document.fonts.status === 'loaded',
    undefined,
    { timeout: inVainMs, polling: 100 },
  )
}

export interface Shifts {
  sum: number
  sources: string[]
}

export const shiftsOf = (page: Page): Promise<Shifts> =>
  page.evaluate(() => (globalThis as unknown as { layoutShifts: Shifts }).layoutShifts)

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong, in words. Its script gets in by the browser's own tools, which no security policy stops. */
export async function accessibilityFaults(page: Page, rules: 'all' | 'contrast' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return await page.evaluate(
    async (only) => {
      const { axe } = globalThis as unknown as { axe: Axe }
      // Rows are alike, and axe looks at each pair of elements that overlap.
      const context = {
        exclude: [
          ['tbody tr:nth-child(n+9)'],
          ['[role=rowgroup] [role=row]:nth-child(n+9)'],
          ['main li:nth-child(n+9)'],
        ],
      }
      const { violations } = await axe.run(context, {
        // What passes is of no interest, and takes as long to describe.
        resultTypes: ['violations'],
        ...(only && { runOnly: only }),
      })
      return violations.flatMap(({ id, nodes }) =>
        nodes
          .slice(0, 3)
          .map(
            ({ html, failureSummary }) =>
              `${id}: ${html.slice(0, 160)} (${failureSummary.replaceAll(/\s+/g, ' ').slice(0, 220)})`,
          ),
      )
    },
    rules === 'contrast' ? ['color-contrast'] : null,
  )
}

interface Axe {
  run(
    context: { exclude: string[][] },
    options: { resultTypes: string[]; runOnly?: string[] },
  ): Promise<{
    violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[]
  }>
}
