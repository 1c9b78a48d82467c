/**
 * Describes the value at one path of a request. A value without an annotation still counts as text, may refer to stored
 * objects, and is judged by policies. An annotation only makes that more precise.
 */
export interface Annotation {
  /**
   * A string here is input: `text` that the model reads unchanged, or a protocol `word`, which is a value that the protocol
   * defines or a machine assigned, such as a role or an id.
   */
  string?: 'text' | 'word'
  /** Numbers here are tokens: the caller may send text that it has already encoded. */
  numbers?: 'tokens'
  /** Objects here may be images, documents or recordings, according to their `type`. */
  hasParts?: true
  /** Annotations of the members of an object here, or of the objects in a list here. */
  members?: Annotations

  // The following annotations apply only to members of the body itself.

  /**
   * The value is a setting and not input, as long as it has this form: `scalar` is one value, `flat` also allows an object or
   * a list of single values. A value of another form counts as input.
   */
  setting?: 'scalar' | 'flat'
  /** The member holds the maximum output (`output`), or how many answers the request asks for (`choices`). */
  limits?: 'output' | 'choices'
  /** The vendor may bill the tokens of this value as output, in addition to the maximum output. */
  addsOutput?: true
  /** Its items are the messages of the conversation, or the inputs. */
  isConversation?: true
  /** The model reads each of its items separately. */
  isReadSeparately?: true
  /** Its items may refer to items that the provider stores. */
  hasStoredItems?: true
  /** The fee name of the hosted tool that the vendor may run when this member is present. */
  enablesTool?: string
  /** The path from this member to the object whose `type` says whether the request asks for JSON. */
  answerFormat?: readonly string[]
  /** The setting is on unless the request sets it to `false`. */
  isOnByDefault?: true
  /** How the member is written as a form field, when that is not a single text. */
  field?: 'file' | 'files' | 'list' | 'count' | 'flag'
}

export interface Annotations {
  readonly [name: string]: Annotation
}

/** A text that the model reads unchanged. */
export const text: Annotation = { string: 'text' }
/** A value that the protocol defines or a machine assigned, such as a role or an id. */
export const word: Annotation = { string: 'word' }
/** A single value that is not input. */
export const setting: Annotation = { setting: 'scalar' }
/** An object or a list of single values that are not input. */
export const settings: Annotation = { setting: 'flat' }

/** An object, or a list of objects, with these members. */
export const object = (members: Annotations): Annotation => ({ members })
/** A list of items, each of which may be a part. */
export const items = (members: Annotations): Annotation => ({ members, hasParts: true })
/** A text, or a list of parts. */
export const parts = (members: Annotations): Annotation => ({ ...text, ...items(members) })

/**
 * A member that holds the maximum output. Without `setting`, it also counts as input: servers that do not know the member may
 * pass it to the model.
 */
export const maxOutput: Annotation = { limits: 'output' }
/** A member that says whether the request asks for JSON, at this path below it. */
export const answerFormat = (...path: string[]): Annotation => ({ answerFormat: path })

/**
 * How a part that is not text is counted, by its `type`. `in` is the member that contains it; it defaults to the
 * part itself.
 */
export type PartRule =
  /** An image as a URL, which may contain its bytes. `either`: the member may also be the URL itself. */
  | { kind: 'image'; in?: string; url: string; detail?: string; mayBeString?: true }
  /** An image as base64. */
  | { kind: 'image bytes'; member: string }
  /** An object that contains the bytes, refers to a file, or has the address of one. */
  | { kind: 'image source' | 'document source'; in: string }
  | { kind: 'file' | 'audio'; in?: string }
  /** A file that the provider stores. */
  | { kind: 'stored file' }

/** The members of an answer that need other treatment than plain text. */
export interface AnswerAnnotations {
  /** Members in which the answer repeats the request. */
  echoes?: readonly string[]
  /** The member that contains JSON when the request asks for it. */
  json?: string
  /** The value that replaces `logprobs` when they are removed: they repeat the answer piece by piece. */
  emptyLogprobs?: 'null' | '[]'
}
