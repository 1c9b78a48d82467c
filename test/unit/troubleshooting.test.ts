import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Somebody on call searches the page for what a log or a response says, so what it quotes must be what the code writes.

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The page with each message as the pieces between its `…`. */
function readMessages(): { message: string; pieces: string[] }[] {
  const page = readFileSync(`${root}docs/operate/troubleshooting.md`, 'utf8')
  return [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message = '']) => ({
    message,
    pieces: message
      .split('…')
      .map((piece) => piece.trim())
      .filter((piece) => piece.length > 2),
  }))
}

const sourceFolder = `${root}packages/service/src/`

const readSources = (): string =>
  readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(sourceFolder + file, 'utf8'))
    .join('\n')

test('every message of the troubleshooting page is one that the service writes', () => {
  const sources = readSources()
  const messages = readMessages()
  expect(messages.length).toBeGreaterThan(40)
  const unknown = messages.filter(({ pieces }) => pieces.some((piece) => !sources.includes(piece)))
  expect(unknown.map(({ message }) => message)).toEqual([])
})
