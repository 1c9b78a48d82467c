/** Gives the user a file that the page made. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The download has begun with its own reference by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
