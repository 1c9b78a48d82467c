/** The tags of a call: names with values. */
export type Tags = Readonly<Record<string, string>>

export const noTags: Tags = Object.freeze({})

export const maxTags = 8

export const tagNamePattern = '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$'
export const maxTagValueLength = 128

const tagName = new RegExp(tagNamePattern)
// `*` stands for every value in the scope of a budget. A comma would begin the next tag.
// Marks that change the direction of writing could make one tag look like another.
const tagValue = /^(?!\*$)[^\p{Cc}\p{Cs}\p{Bidi_Control},]{1,128}$/u
const sessionId = /^(?!\*$)[^\p{Cc}\p{Cs}\p{Bidi_Control}]{1,128}$/u

// A virtual key in a tag would become a permanent part of the record, and appear in logs and reports.
const virtualKey = /tallystick_sk_[0-9A-Za-z]{20}/
export const hasVirtualKey = (text: string): boolean => virtualKey.test(text)

export const isTagName = (name: string): boolean => tagName.test(name)
export const isTagValue = (value: string): boolean =>
  tagValue.test(value) && value === value.trim() && !hasVirtualKey(value)
export const isSessionId = (id: string): boolean =>
  sessionId.test(id) && id === id.trim() && !hasVirtualKey(id)

/** Returns the entries of a key's metadata that are valid tags, in the order of their names and at most as many as a call can have. */
export function defaultTagsOf(metadata: Readonly<Record<string, string>>): Tags {
  const entries = Object.entries(metadata).filter(([name, value]) => isTagName(name) && isTagValue(value))
  return entries.length === 0 ? noTags : fromEntries(entries.sort(byName).slice(0, maxTags))
}

/** Parses tags such as `project=alpha, env=prod` and adds them to the defaults. Returns a message when they are invalid. */
export function readTags(text: string, defaults: Tags): { tags: Tags } | { fault: string } {
  const given = new Map<string, string>()
  for (const part of text.split(',')) {
    if (part.trim() === '') continue
    const equals = part.indexOf('=')
    const name = part.slice(0, Math.max(equals, 0)).trim()
    const value = part.slice(equals + 1).trim()
    if (!isTagName(name) || !isTagValue(value))
      return {
        fault:
          'must be tags like project=alpha,env=prod: names of letters, digits, ".", "_" and "-" (at most 63), values of 1 to 128 characters without commas, and no virtual key',
      }
    if (given.has(name)) return { fault: `has the tag ${name} twice` }
    given.set(name, value)
  }
  const all = new Map([...Object.entries(defaults), ...given])
  if (all.size > maxTags)
    return {
      fault: `makes ${all.size} tags with those of the key's metadata; a call has at most ${maxTags}`,
    }
  return { tags: fromEntries([...all].sort(byName)) }
}

/** Returns the scope id of each tag: `name=value`. */
export const tagScopesOf = (tags: Tags): string[] =>
  Object.entries(tags).map(([name, value]) => `${name}=${value}`)

/** Parses a scope id such as `project=alpha`. Null when it is not a tag. The value `*` means every value. */
export function readTagScope(id: string): { name: string; value: string } | null {
  const equals = id.indexOf('=')
  const name = id.slice(0, Math.max(equals, 0))
  const value = id.slice(equals + 1)
  return isTagName(name) && (value === '*' || isTagValue(value)) ? { name, value } : null
}

const byName = ([a]: readonly [string, string], [b]: readonly [string, string]): number => (a < b ? -1 : 1)

const fromEntries = (entries: readonly (readonly [string, string])[]): Tags =>
  Object.freeze(Object.fromEntries(entries))
