/** 200000, 200,000, 200 000 and $200000 are the same number. NaN for an empty field and for anything else. */
export const parseNumber = (text: string): number =>
  text.trim() === '' ? Number.NaN : Number(text.replaceAll(/[\s$,_]/g, ''))

/** Null for an empty field. */
export const parseOptionalNumber = (text: string): number | null =>
  text.trim() === '' ? null : parseNumber(text)

/** Null for an empty field. The factor converts to the unit of the API, which takes whole numbers. */
export const parseScaled = (text: string, factor: number): number | null =>
  text.trim() === '' ? null : Math.round(parseNumber(text) * factor)

/** Names, one per line or separated by commas or spaces. */
export const parseNames = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))]

/** Null stands for no list, an empty text for an empty one. */
export const parseAllowList = (text: string | null): string[] | null =>
  text === null ? null : parseNames(text)

/** `name: value`, one per line. */
export const parseHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [name = '', ...rest] = line.split(':')
        return [name.trim().toLowerCase(), rest.join(':').trim()]
      }),
  )

/** Whether a field holds something that is no number. */
export const isNotANumber = (text: string): boolean => text.trim() !== '' && Number.isNaN(parseNumber(text))
