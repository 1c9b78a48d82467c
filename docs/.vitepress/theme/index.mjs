import DefaultTheme from 'vitepress/theme-without-fonts'
import { h } from 'vue'
import '@fontsource-variable/geist'
import '@fontsource-variable/geist-mono'
import '../../../packages/console/src/styles/tokens.css'
import './style.css'

/** The mark of the console in the colours of the theme. A picture could only follow the system's. */
const mark = () =>
  h('svg', { class: 'mark', viewBox: '0 0 24 24', fill: 'none', 'aria-hidden': 'true' }, [
    h('path', {
      d: 'M3 11.3V6.6A1.5 1.5 0 0 1 4.5 5.1h15A1.5 1.5 0 0 1 21 6.6v4.7l-2.25 1.9-2.25-1.9-2.25 1.9-2.25-1.9-2.25 1.9-2.25-1.9-2.25 1.9z',
    }),
    h('path', {
      d: 'M3 13.5v3.9a1.5 1.5 0 0 0 1.5 1.5h15a1.5 1.5 0 0 0 1.5-1.5v-3.9l-2.25 1.9-2.25-1.9-2.25 1.9-2.25-1.9-2.25 1.9-2.25-1.9-2.25 1.9z',
    }),
  ])

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'nav-bar-title-before': mark }),
}
