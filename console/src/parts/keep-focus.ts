/** What had the focus is gone with what was deleted: it goes to the page, not to nowhere. */
export function keepFocus(): void {
  if (document.activeElement === null || document.activeElement === document.body)
    document.getElementById('page')?.focus()
}
