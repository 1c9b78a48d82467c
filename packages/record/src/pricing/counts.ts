/**
 * What a call used, by kind, as it is priced and recorded. A kind that is absent was not used. Tokens, except where a name
 * says otherwise.
 */
export interface Counts {
  /** All input: also what is cached, written and audio. */
  input?: number
  /** Of the input, what was read from the provider's cache. */
  cached?: number
  /** Of the input, what was written to the provider's cache. */
  written?: number
  /** Of what was written, what is kept for an hour instead of minutes. */
  writtenHour?: number
  /** Of the input, audio. */
  audioIn?: number
  /** All output: also reasoning and audio. */
  output?: number
  /** Of the output, reasoning that the caller need not see. */
  reasoning?: number
  /** Of the output, audio. */
  audioOut?: number
  /** Images that the model itself put out; a number of images. */
  images?: number
  /** Uses of hosted tools, by the name that the price has a fee for. */
  tools?: Readonly<Record<string, number>>
}
