import type { ModelProperties } from '../catalogue/model-properties.js'
import type { NamedReference } from '../references/index.js'
import type { TokenCount } from '../tokenizer/token-counter.js'
import { boundAudioSeconds, expectedAudioSeconds } from './audio/audio-seconds.js'
import { readImageSize } from './image-size.js'
import { countImage } from './image-tokens.js'
import type { InlineData } from './inline-data.js'
import { maxInflatedBytes, type PdfContent, readPdf } from './pdf.js'

/** Input that the vendor stores or fetches. */
export type VendorInput = NamedReference | { kind: 'prompt' | 'tool'; id: string }

/** Input whose tokens have no bound, described for the caller. */
export interface UnboundedInput {
  path: string
  message: string
}

// An upper bound of the tokens around each page, beside its text and its image.
const tokensPerPage = 16
// A byte of a page's content is at most one code of a font, and a character has at most three tokens.
const maxTokensPerCharacter = 3
// Most of a page's content positions the text and is not the text itself.
const contentBytesPerToken = 12

// The expected tokens of a file that is given only by name.
const tokensOfNamed = 3_000

/** Sums up the input that is not text: images, documents, recordings, and files given only by name. */
export class Attachments {
  readonly tokens: TokenCount = { estimate: 0, bound: 0 }
  readonly held: VendorInput[] = []
  readonly unbounded: UnboundedInput[] = []
  /** Texts that were sent as files. */
  readonly texts: string[] = []
  readonly audioTokens: TokenCount = { estimate: 0, bound: 0 }
  /** Paths of input that may be as long as the model accepts. */
  readonly #windows: UnboundedInput[] = []
  readonly #documents: { bytes: Buffer; path: string }[] = []
  readonly #recordings: { bytes: Buffer; format: string; path: string }[] = []
  readonly #facts: ModelProperties

  constructor(facts: ModelProperties) {
    this.#facts = facts
  }

  hold(held: VendorInput): void {
    this.held.push(held)
  }

  /** Adds a tool whose definition belongs to the vendor and is not in the body. */
  addVendorTool(): void {
    this.#add({ estimate: this.#facts.vendorToolTokens, bound: this.#facts.vendorToolTokens })
  }

  addWindow(path: string, message: string): void {
    this.#windows.push({ path, message })
  }

  /**
   * Adds an image; null for one given only by name. Returns false for bytes that are not an image: they count as
   * text as well.
   */
  addImage(data: InlineData | null, isLow = false): boolean {
    const size = data === null ? null : readImageSize(data.bytes)
    this.#add(countImage(this.#facts.images, size === 'none' ? null : size, isLow))
    return size !== 'none'
  }

  /** `format` is the format that the caller declares. */
  addAudio({ bytes }: InlineData, format: string, path: string): void {
    if (this.#facts.audioTokensPerSecond === null)
      this.unbounded.push({ path, message: 'is audio, and how this model counts audio is not known' })
    else this.#recordings.push({ bytes, format, path })
  }

  addPdf({ bytes }: InlineData, path: string): void {
    this.#documents.push({ bytes, path })
  }

  #addPages({ pages, textBytes, charactersPerByte }: PdfContent): void {
    const image = countImage(this.#facts.images, null, false)
    this.#add({
      estimate: pages * image.estimate + Math.ceil(textBytes / contentBytesPerToken),
      bound: pages * (image.bound + tokensPerPage) + textBytes * charactersPerByte * maxTokensPerCharacter,
    })
  }

  #add({ estimate, bound }: TokenCount): void {
    this.tokens.estimate += estimate
    this.tokens.bound += bound
  }

  /** Must be called after everything was added. */
  async finish(): Promise<void> {
    const budget = { left: maxInflatedBytes }
    for (const { bytes, path } of this.#documents) {
      const content = await readPdf(bytes, budget)
      if (content === null) this.addWindow(path, 'is a PDF whose pages cannot be counted')
      else this.#addPages(content)
    }
    for (const recording of this.#recordings) await this.#addRecording(recording)
    if (this.#windows.length === 0) return
    const { contextWindow } = this.#facts
    if (contextWindow === null) this.unbounded.push(...this.#windows)
    else this.#add({ estimate: this.#windows.length * tokensOfNamed, bound: contextWindow })
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
    const { contextWindow, audioTokensPerSecond } = this.#facts
    const tokensOf = (seconds: number) => Math.ceil(seconds * (audioTokensPerSecond ?? 0))
    const seconds = await boundAudioSeconds(bytes, format)
    if (seconds === null && contextWindow === null)
      this.unbounded.push({ path, message: 'is a recording whose bytes do not prove how long it is' })
    this.audioTokens.estimate += tokensOf(seconds ?? expectedAudioSeconds(bytes))
    this.audioTokens.bound += seconds === null ? (contextWindow ?? 0) : tokensOf(seconds)
  }
}
