import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { createCssVariablesTheme } from 'shiki'
import { pagesElsewhere } from './pages.mjs'

// Pages are written for readers of the repository. Here is what differs on the site: where links lead, and that the
// Content-Security-Policy allows no style attributes.

/** The anchor that GitHub gives to a heading. @param {string} heading */
export const gitHubAnchor = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const variablePrefix = '--code-'
export const codeTheme = createCssVariablesTheme({ name: 'tallystick', variablePrefix })

/** Names the colour of each token by a class, such as `code-token-string`. @type {import('shiki').ShikiTransformer} */
export const colourByClass = {
  pre({ properties }) {
    delete properties.style
  },
  span(node) {
    const style = String(node.properties.style ?? '')
    delete node.properties.style
    const [, name] = new RegExp(`color:var\\(${variablePrefix}([\\w-]+)\\)`).exec(style) ?? []
    if (name !== undefined && name !== 'foreground') this.addClassToHast(node, `code-${name}`)
  },
}

/**
 * A link to a page leads to its place on the site. A link to a source, which the site does not have, becomes its text with the path
 * as a hint. A link that leads nowhere fails the build.
 * @param {import('markdown-it').default} md @param {string} root of the repository
 */
export function useOwnLinks(md, root) {
  md.core.ruler.push('own-links', ({ tokens, env }) => {
    const page = env.realPath ?? env.path
    for (const { children } of tokens) {
      let isSource = false
      for (const token of children ?? []) {
        if (token.type === 'link_open') {
          const href = token.attrGet('href') ?? ''
          if (/^([a-z]+:|#|\/)/i.test(href)) continue
          const [path = '', anchor] = decodeURI(href).split('#')
          const file = join(dirname(page), path)
          if (!existsSync(file))
            throw new Error(`${relative(root, page)} links to ${href}, which does not exist`)
          const place = placeOf(relative(root, file))
          isSource = place === null
          if (place !== null) token.attrSet('href', anchor === undefined ? place : `${place}#${anchor}`)
          else {
            token.tag = 'span'
            token.attrs = [['title', relative(root, file)]]
          }
        } else if (token.type === 'link_close' && isSource) {
          token.tag = 'span'
          isSource = false
        }
      }
    }
  })
  alignByClass(md)
}

/** The address of a page on the site, or null for a file that is no page. @param {string} path */
function placeOf(path) {
  const elsewhere = pagesElsewhere[path]
  if (elsewhere !== undefined) return `/${elsewhere}.md`
  if (!path.startsWith('docs/') || !path.endsWith('.md')) return null
  return path === 'docs/decisions/README.md' ? '/decisions/' : path.slice('docs'.length)
}

/** @param {import('markdown-it').default} md */
function alignByClass(md) {
  md.core.ruler.push('align-by-class', ({ tokens }) => {
    for (const token of tokens) {
      const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? []
      if (side !== undefined) token.attrs = [['class', `align-${side}`]]
    }
  })
}

/** Braces in a text are braces, and no template of Vue. @param {import('markdown-it').default} md */
export function writeTextPlainly(md) {
  const render = md.renderer.rules.text
  if (render === undefined) return
  md.renderer.rules.text = (...args) => render(...args).replaceAll('{{', '&#123;&#123;')
}

/** For the search, which would take a third of the build to colour code again. @param {import('markdown-it').default} md */
export function renderWithoutColours(md, /** @type {string} */ text, /** @type {object} */ env) {
  const { highlight } = md.options
  md.options.highlight = () => ''
  try {
    return md.render(text, env)
  } finally {
    md.options.highlight = highlight
  }
}
