import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { readConsoleTokens } from './console-tokens.mjs'
import {
  codeTheme,
  colourByClass,
  gitHubAnchor,
  renderWithoutColours,
  useOwnLinks,
  writeTextPlainly,
} from './markdown.mjs'
import { notePackages, writePackages } from './note-packages.mjs'
import { pagesElsewhere, unlistedFolders } from './pages.mjs'
import { renderSidebar } from './sidebar.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const mark = 'packages/console/public/mark.svg'

// The site is built from the repository, because some pages are beside the code that they describe. These patterns leave out all
// others.
const elsewhere = Object.keys(pagesElsewhere)
const topLevel = elsewhere.filter((path) => !path.includes('/')).map((path) => path.replace(/\.md$/, ''))
const packages = elsewhere.flatMap((path) => /^packages\/(\w+)\/README\.md$/.exec(path)?.[1] ?? [])
const others = [
  '!(docs|bench|packages)/**/*.md',
  `!(${topLevel.join('|')}).md`,
  'bench/!(README).md',
  'bench/*/**',
  `packages/!(${packages.join('|')})/**`,
  'packages/*/!(README).md',
  'packages/*/*/**',
]

export default defineConfig({
  title: 'Tallystick',
  description: 'A self-hosted AI gateway with hard budgets, policies and a signed record of every call.',
  lang: 'en',
  srcDir: '..',
  srcExclude: others,
  rewrites: {
    'docs/decisions/README.md': 'decisions/index.md',
    ...Object.fromEntries(Object.entries(pagesElsewhere).map(([path, page]) => [path, `${page}.md`])),
    'docs/:path*': ':path*',
  },
  // One page after the other, so that the search index has them in the same order each time.
  buildConcurrency: 1,
  cacheDir: join(root, '.cache/vitepress'),
  // One script with the metadata of all pages, instead of an inline script in each.
  metaChunk: true,
  // The Content-Security-Policy allows no style attributes and no style elements. VitePress would set one for a moment when the
  // theme is switched.
  contentProps: { class: 'content' },
  appearance: { disableTransition: false },
  transformHtml: (html) => html.replaceAll(' style="--vp-vh:0px;"', ''),
  markdown: {
    // Loaded beforehand: a block of HTTP shows its JSON in colours only if a page before it has loaded JSON.
    languages: [
      'sh',
      'js',
      'ts',
      'python',
      'yaml',
      'json',
      'http',
      'ini',
      'toml',
      'go',
      'nginx',
      'xml',
      'graphql',
    ],
    theme: codeTheme,
    codeTransformers: [colourByClass],
    anchor: { slugify: gitHubAnchor },
    config(md) {
      useOwnLinks(md, root)
      writeTextPlainly(md)
    },
  },
  themeConfig: {
    search: {
      provider: 'local',
      options: {
        // "budget" finds the page "Budgets" before longer headings that contain the word.
        miniSearch: { searchOptions: { weights: { prefix: 0.9, fuzzy: 0.2 } } },
        _render(text, env, md) {
          const isUnlisted = unlistedFolders.some((folder) => env.relativePath.startsWith(`${folder}/`))
          return isUnlisted ? '' : renderWithoutColours(md, text, env)
        },
      },
    },
    nav: [
      { text: 'Guides', link: '/start/quickstart', activeMatch: '^/(start|use|manage|operate|deploy)/' },
      { text: 'Reference', link: '/reference/configuration', activeMatch: '^/reference/' },
      // A page of its own, which the router of the site does not know.
      { text: 'API reference', link: '/api/', target: '_self' },
    ],
    sidebar: renderSidebar(root),
    outline: { level: [2, 3], label: 'On this page' },
    notFound: {
      title: 'Page not found',
      quote: 'Search for it, or look through all pages.',
      linkText: 'All pages',
    },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  vite: {
    publicDir: false,
    plugins: [readConsoleTokens, notePackages],
    // No data: URLs for fonts and scripts: the Content-Security-Policy has none.
    build: { assetsInlineLimit: 0, chunkSizeWarningLimit: 2_000, reportCompressedSize: false },
  },
  transformHead: ({ siteConfig: { site } }) => [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${site.base}mark.svg` }],
  ],
  buildEnd({ outDir }) {
    copyFileSync(join(root, mark), join(outDir, 'mark.svg'))
    writePackages(outDir)
  },
})
