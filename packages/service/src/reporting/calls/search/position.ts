/** The position of a call in the list: by the time of admission, then by its number. */
export interface Position {
  ts: Date
  seq: number
}
