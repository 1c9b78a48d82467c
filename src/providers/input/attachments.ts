import type { ModelFacts } from '../model-facts.js'
import type { NamedReference } from '../references/index.js'
import type { TokenCount } from '../tokens.js'
import { boundAudioSeconds, expectedAudioSeconds } from './audio/audio-seconds.js'
import { readImageSize } from './image-size.js'
import { countImage } from './image-tokens.js'
import type { InlineData } from './inline-data.js'
import { maxInflatedBytes, type PdfContent, readPdf } from './pdf.js'

/** Input that the vendor holds, or fetches. */
export type HeldInput = NamedReference | { kind: 'prompt' | 'tool'; id: string }

/** Input whose tokens nothing bounds, in words for the caller. */
export interface UnboundedInput {
  path: string
  message: string
}

// What stands around each page, beside its text and its picture.
const tokensPerPage = 16
// A byte of a page's content is at most one code of a font, and a character has at most three tokens.
const maxTokensPerCharacter = 3
// Most of a page's content is where its text stands, not the text.
const contentBytesPerToken = 12

// What one expects of a file that is only named.
const tokensOfNamed = 3_000

/** Adds up what is not text: images, documents, recordings, and what is only named. */
export class Attachments {
  readonly tokens: TokenCount = { estimate: 0, bound: 0 }
  readonly held: HeldInput[] = []
  readonly unbounded: UnboundedInput[] = []
  /** Texts that came as files. */
  readonly texts: string[] = []
  readonly audioTokens: TokenCount = { estimate: 0, bound: 0 }
  /** Where something may be as long as the model reads. */
  readonly #windows: UnboundedInput[] = []
  readonly #documents: { bytes: Buffer; path: string }[] = []
  readonly #recordings: { bytes: Buffer; format: string; path: string }[] = []
  readonly #facts: ModelFacts

  constructor(facts: ModelFacts) {
    this.#facts = facts
  }

  hold(held: HeldInput): void {
    this.held.push(held)
  }

  /** A tool whose definition is the vendor's own, and not in the body. */
  addVendorTool(): void {
    this.#add({ estimate: this.#facts.vendorToolTokens, bound: this.#facts.vendorToolTokens })
  }

  addWindow(path: string, message: string): void {
    this.#windows.push({ path, message })
  }

  /** Null for an image that is only named. False for bytes that are no image: then they count as text besides. */
  addImage(data: InlineData | null, isLow = false): boolean {
    const size = data === null ? null : readImageSize(data.bytes)
    this.#add(countImage(this.#facts.images, size === 'none' ? null : size, isLow))
    return size !== 'none'
  }

  /** `format`: what the caller declares it as. */
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

  /** To be asked for when all was added. */
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

  /** A recording of unknown length is as long as the model reads. */
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
