/** Closing menus and dialogs try to return the focus within this time. */
const closedAfterMs = 300

/** Moves the focus to the page when the element that had it was deleted. */
export function keepFocus(): void {
  setTimeout(() => {
    if (document.activeElement === null || document.activeElement === document.body)
      document.getElementById('page')?.focus()
  }, closedAfterMs)
}
