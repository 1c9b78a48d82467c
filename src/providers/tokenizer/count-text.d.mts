export interface TextCounter {
  count(text: string): number
  /** Drops cached words and with them the texts that they keep alive. */
  forget(): void
}

export function createTextCounter(): Promise<TextCounter>
export function findCut(text: string, start: number, maxChars: number): number
