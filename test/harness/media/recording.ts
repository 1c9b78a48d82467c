/** A recording that looks shorter than it plays. */
export interface Recording {
  name: string
  bytes: Buffer
  /** Extension or format that the caller declares. */
  declared: string
  /** How long a decoder plays it. */
  seconds: number
  /** A decoder that ffmpeg is not would play it for as long. */
  isRare?: true
}
