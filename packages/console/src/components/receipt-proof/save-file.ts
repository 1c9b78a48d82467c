/** Downloads content that was created in the page. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The download keeps its own reference to the content.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
