import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { nodeShims } from '../sdk/node-shims.mjs'

const folder = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** Asked for with the page rather than with its first text, which would jump when it changes its face. */
const preloadFonts = {
  name: 'preload-fonts',
  transformIndexHtml: {
    order: /** @type {const} */ ('post'),
    /** @type {import('vite').IndexHtmlTransformHook} */
    handler: (_, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /geist(-mono)?-latin-wght-normal-[^/]*\.woff2$/.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `./${name}` },
          injectTo: /** @type {const} */ ('head'),
        })),
  },
}

/** Tells the service at which addresses to serve the console: one for each folder with a page.ts, the overview at `/`. */
const listPages = {
  name: 'list-pages',
  /** @type {import('vite').Rollup.FunctionPluginHooks['generateBundle']} */
  generateBundle() {
    const names = readdirSync(folder('src/pages')).filter((name) =>
      existsSync(folder(`src/pages/${name}/page.ts`)),
    )
    const paths = names.map((name) => (name === 'overview' ? '/' : `/${name}`))
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(paths) })
  },
}

/** The fonts and the style sheet are inlined, so they are no modules of the bundle. */
const packages = new Set(['tailwindcss', '@fontsource-variable/geist', '@fontsource-variable/geist-mono'])

/** Notes the packages that the console and its worker contain: their licences are shipped with them. */
const notePackages = {
  name: 'note-packages',
  /** @type {import('vite').Rollup.FunctionPluginHooks['generateBundle']} */
  generateBundle() {
    for (const id of this.getModuleIds()) {
      const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id)?.[1]
      if (name && this.getModuleInfo(id)?.isIncluded) packages.add(name)
    }
  },
}

/** After the worker, which is built with the first module that uses it. */
const listPackages = {
  name: 'list-packages',
  /** @type {import('vite').Rollup.FunctionPluginHooks['generateBundle']} */
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: '.packages.json', source: JSON.stringify([...packages].sort()) })
  },
}

export default defineConfig({
  root: folder('.'),
  configFile: false,
  // Relative to the page's <base>, which the service fills in: it may stand behind a path prefix.
  base: './',
  plugins: [react(), tailwindcss(), preloadFonts, listPages, notePackages, listPackages],
  // The verifier of the record is the service's own, which knows Node.
  resolve: { alias: nodeShims, conditions: ['tallystick-source', ...defaultClientConditions] },
  build: {
    outDir: folder('../service/dist/console'),
    emptyOutDir: true,
    target: 'es2022',
    // No inline script and no data: font: the Content-Security-Policy has neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  worker: { format: 'es', plugins: () => [notePackages] },
  // For `npm run console:dev`: pages from here, the API from a service that runs.
  server: { proxy: { '/v1': process.env.TALLYSTICK_URL ?? 'http://127.0.0.1:7070' } },
})
