/**
 * The site has the colours of the console. Its file of tokens names the dark theme by an attribute, and VitePress by a class; what is
 * for Tailwind is left out.
 * @type {import('vite').Plugin}
 */
export const readConsoleTokens = {
  name: 'read-console-tokens',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/styles/tokens.css')) return
    return code.replace(/@theme inline \{[^}]*\}/, '').replaceAll('[data-theme="dark"]', '.dark')
  },
}
