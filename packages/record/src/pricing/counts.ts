/**
 * What a call used, by kind, as it is priced and recorded. A kind that is absent was not used. Counts are tokens unless stated otherwise.
 */
export interface Counts {
  /** All input, including cached and written input and audio. */
  input?: number
  /** The part of the input that was read from the provider's cache. */
  cached?: number
  /** The part of the input that was written to the provider's cache. */
  written?: number
  /** The part of the written input that is cached for an hour instead of minutes. */
  writtenHour?: number
  /** The part of the input that is audio. */
  audioIn?: number
  /** All output, including reasoning and audio. */
  output?: number
  /** The part of the output that is reasoning, which the provider may not return. */
  reasoning?: number
  /** The part of the output that is audio. */
  audioOut?: number
  /** The number of images that the model itself generated. */
  images?: number
  /** The number of uses of hosted tools, by the name of their fee. */
  tools?: Readonly<Record<string, number>>
}
