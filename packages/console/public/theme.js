// Before the first paint, so that a dark page never flashes. The choice is no secret; nothing else is kept in the browser.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('theme')
  } catch {}
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
})()
