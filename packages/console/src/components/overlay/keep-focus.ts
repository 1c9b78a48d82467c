/** Until what closes has closed, and tried to give the focus back. */
const closedAfterMs = 300

/** What had the focus is gone with what was deleted: it goes to the page, not to nowhere. */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      document.getElementById('page')?.focus()
  }, closedAfterMs)
}
