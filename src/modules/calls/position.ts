/** Where a call stands in the order of the list: by the moment of admission, then by its number. */
export interface Position {
  ts: Date
  seq: number
}
