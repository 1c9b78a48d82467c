/** A row whose values are text, with the columns in the order in which they are written. */
type TextRow = Readonly<Record<string, string | null>>

export const csvHead = (row: TextRow): string => `${Object.keys(row).map(quote).join(',')}\n`

/**
 * Writes a row of CSV (RFC 4180). Null is an empty field, and an empty text is `""`. Values are written as they are: a
 * name that begins with `=` is not changed, because that would be another name to the programs that read the file.
 */
export const csvLine = (row: TextRow): string =>
  `${Object.values(row)
    .map((value) => (value === null ? '' : quote(value)))
    .join(',')}\n`

/** Readers may trim spaces, and take an empty field for null. */
const quote = (value: string): string =>
  value === '' || /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
