import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../../', import.meta.url))

/** A fenced block of a page. Text after the language says why the block is not run: `sh not-run: needs accounts`. */
export interface Snippet {
  /** The page and the line where the code starts. */
  place: string
  page: string
  language: string
  code: string
  isRun: boolean
}

export const readPage = (page: string): string => readFileSync(root + page, 'utf8')

/** Folders of pages, in the order in which a reader comes to them. Pages of one folder are in the order of the alphabet. */
const folders = ['start', 'use', 'manage', 'deploy', 'operate', 'reference']

const listFolder = (folder: string): string[] => {
  const path = `${root}docs/${folder}`
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.md')) : []
  return names.sort().map((name) => `docs/${folder}/${name}`)
}

/** The pages for users, in the order in which their blocks are run. */
export const pages = ['README.md', 'packages/sdk/README.md', 'docs/index.md', ...folders.flatMap(listFolder)]

export const snippets: Snippet[] = pages.flatMap((page) =>
  [...readPage(page).matchAll(/^```(\S+)([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const [before, language = '', words = '', code = ''] = [
      match.input.slice(0, match.index),
      ...match.slice(1),
    ]
    if (words !== '' && !/^ not-run: \S/.test(words)) throw new Error(`${page}: what is "${words}"?`)
    return {
      place: `${page}:${before.split('\n').length + 1}`,
      page,
      language,
      code,
      isRun: words === '',
    }
  }),
)
