/**
 * Describes the value at one path of a request. Endpoints use annotations to state what they know of their
 * requests; everything else counts as text, may refer to stored objects, and is judged by policies.
 */
export interface Annotation {
  /** A string here is input: either text that the model reads, or a protocol word. */
  string?: 'text' | 'word'
  /** Numbers here are tokens: the caller may send text that it has encoded itself. */
  numbers?: 'tokens'
  /** Objects here may be images, documents or recordings, according to their `type`. */
  hasParts?: true
  members?: Annotations

  // The following annotations apply only to members of the body itself.

  /** The value is not input as long as it has this form: one value, or an object or list of single values. */
  setting?: 'scalar' | 'flat'
  /** The request states here how long an answer may be, or how many answers it asks for. */
  limits?: 'output' | 'choices'
  /** The vendor may bill this as output, beyond any limit. */
  addsOutput?: true
  /** Its items are the messages of the conversation, or the inputs. */
  isConversation?: true
  /** The model reads each of its items separately. */
  isReadApart?: true
  /** Its items may refer to items that the provider stores. */
  hasStoredItems?: true
  /** The tool that this member allows the vendor to run. */
  enables?: string
  /** The path from here to the answer format, which may ask for JSON. */
  answerFormat?: readonly string[]
  /** Applies unless the request sets `false`. */
  isOnByDefault?: true
  /** How it is written as a form field, when that is not a single text. */
  field?: 'file' | 'files' | 'list' | 'count' | 'flag'
}

export interface Annotations {
  readonly [name: string]: Annotation
}

/** A text that the model reads unchanged. */
export const text: Annotation = { string: 'text' }
/** A protocol word. */
export const word: Annotation = { string: 'word' }
/** One value that is not input. */
export const setting: Annotation = { setting: 'scalar' }
/** An object or a list of values that are not input. */
export const settings: Annotation = { setting: 'flat' }

export const object = (members: Annotations): Annotation => ({ members })
/** A list of items, which are themselves parts. */
export const items = (members: Annotations): Annotation => ({ members, hasParts: true })
/** A text, or a list of parts. */
export const parts = (members: Annotations): Annotation => ({ ...text, ...items(members) })

/** Also counted as input, because most servers do not know it by this name. */
export const maxOutput: Annotation = { limits: 'output' }
export const answerFormat = (...path: string[]): Annotation => ({ answerFormat: path })

/**
 * How a part that is not text is counted, by its `type`. `in` is the member that contains it; it defaults to the
 * part itself.
 */
export type PartRule =
  /** An image as a URL, which may contain its bytes. `either`: the member may also be the URL itself. */
  | { kind: 'image'; in?: string; url: string; detail?: string; either?: true }
  /** An image as base64. */
  | { kind: 'image bytes'; member: string }
  /** An object that contains the bytes, refers to a file, or has the address of one. */
  | { kind: 'image source' | 'document source'; in: string }
  | { kind: 'file' | 'audio'; in?: string }
  /** A file that the provider stores. */
  | { kind: 'stored file' }

/** The members of an answer that are not plainly its own text. */
export interface AnswerAnnotations {
  /** Members that repeat the request. */
  echoes?: readonly string[]
  /** The member that contains JSON when the request asks for it. */
  json?: string
  /** The value of `logprobs`, which repeat an answer piece by piece, when they are removed. */
  noProbabilities?: 'null' | '[]'
}
