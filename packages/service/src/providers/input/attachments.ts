import type { ModelProperties } from '../catalogue/model-properties.js'
import type { NamedReference } from '../references/index.js'
import type { TokenCount } from '../tokenizer/token-counter.js'
import { boundAudioSeconds, expectedAudioSeconds } from './audio/audio-seconds.js'
import { readImageSize } from './image-size.js'
import { countImage } from './image-tokens.js'
import type { InlineData } from './inline-data.js'
import { maxInflatedBytes, type PdfContent, readPdf } from './pdf.js'

/** Input that is not in the request, because the vendor stores or fetches it. */
export type VendorInput = NamedReference | { kind: 'prompt' | 'tool'; id: string }

/** Input whose tokens have no bound, described for the caller. */
export interface UnboundedInput {
  path: string
  message: string
}

// An upper bound of the tokens around each page, in addition to its text and its image.
const tokensPerPage = 16
// A byte of a page's content is at most one code of a font, and a character has at most three tokens.
const maxTokensPerCharacter = 3
// Most of a page's content positions the text and is not the text itself.
const contentBytesPerToken = 12

// The expected tokens of a file that is given by its address or id.
const expectedFileTokens = 3_000

/** Sums up the input that is not text: images, documents, recordings, and files that are given by their id. */
export class Attachments {
  readonly tokens: TokenCount = { estimate: 0, bound: 0 }
  readonly vendorInputs: VendorInput[] = []
  readonly unbounded: UnboundedInput[] = []
  /** Texts that were sent as files. */
  readonly texts: string[] = []
  readonly audioTokens: TokenCount = { estimate: 0, bound: 0 }
  /** Input of unknown size: it may fill the model's context window. */
  readonly #unmeasured: UnboundedInput[] = []
  readonly #documents: { bytes: Buffer; path: string }[] = []
  readonly #recordings: { bytes: Buffer; format: string; path: string }[] = []
  readonly #properties: ModelProperties

  constructor(properties: ModelProperties) {
    this.#properties = properties
  }

  addVendorInput(input: VendorInput): void {
    this.vendorInputs.push(input)
  }

  /** Adds a tool whose definition belongs to the vendor and is not in the body. */
  addVendorTool(): void {
    this.#add({ estimate: this.#properties.vendorToolTokens, bound: this.#properties.vendorToolTokens })
  }

  addUnmeasured(path: string, message: string): void {
    this.#unmeasured.push({ path, message })
  }

  /**
   * Adds an image; `data` is null for one that is given by its address or id. Returns false for bytes that are not an image: they count as
   * text as well.
   */
  addImage(data: InlineData | null, isLow = false): boolean {
    const size = data === null ? null : readImageSize(data.bytes)
    this.#add(countImage(this.#properties.images, size === 'none' ? null : size, isLow))
    return size !== 'none'
  }

  /** `format` is the format that the caller declares. */
  addAudio({ bytes }: InlineData, format: string, path: string): void {
    if (this.#properties.audioTokensPerSecond === null)
      this.unbounded.push({ path, message: 'is audio, but how this model counts audio is unknown' })
    else this.#recordings.push({ bytes, format, path })
  }

  addPdf({ bytes }: InlineData, path: string): void {
    this.#documents.push({ bytes, path })
  }

  #addPages({ pages, textBytes, charactersPerByte }: PdfContent): void {
    const image = countImage(this.#properties.images, null, false)
    this.#add({
      estimate: pages * image.estimate + Math.ceil(textBytes / contentBytesPerToken),
      bound: pages * (image.bound + tokensPerPage) + textBytes * charactersPerByte * maxTokensPerCharacter,
    })
  }

  #add({ estimate, bound }: TokenCount): void {
    this.tokens.estimate += estimate
    this.tokens.bound += bound
  }

  /** Measures documents and recordings. Must be called after everything was added. */
  async finish(): Promise<void> {
    const budget = { left: maxInflatedBytes }
    for (const { bytes, path } of this.#documents) {
      const content = await readPdf(bytes, budget)
      if (content === null) this.addUnmeasured(path, 'is a PDF whose pages cannot be counted')
      else this.#addPages(content)
    }
    for (const recording of this.#recordings) await this.#addRecording(recording)
    if (this.#unmeasured.length === 0) return
    const { contextWindow } = this.#properties
    if (contextWindow === null) this.unbounded.push(...this.#unmeasured)
    else this.#add({ estimate: this.#unmeasured.length * expectedFileTokens, bound: contextWindow })
  }

  /** A recording of unknown length counts as the longest that the model accepts. */
  async #addRecording({
    bytes,
    format,
    path,
  }: {
    bytes: Buffer
    format: string
    path: string
  }): Promise<void> {
    const { contextWindow, audioTokensPerSecond } = this.#properties
    const tokensOf = (seconds: number) => Math.ceil(seconds * (audioTokensPerSecond ?? 0))
    const seconds = await boundAudioSeconds(bytes, format)
    if (seconds === null && contextWindow === null)
      this.unbounded.push({ path, message: 'is a recording whose length cannot be verified from its bytes' })
    this.audioTokens.estimate += tokensOf(seconds ?? expectedAudioSeconds(bytes))
    this.audioTokens.bound += seconds === null ? (contextWindow ?? 0) : tokensOf(seconds)
  }
}
