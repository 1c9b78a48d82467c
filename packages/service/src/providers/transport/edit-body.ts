import { editMembers, endOfString, endOfValue, type Member, skipSpace } from '@tallystick/record/json'

/** Changes members of a body that is a valid JSON object; every other byte stays the same. */
export function editBody(
  body: Buffer,
  changesFor: (has: (name: string) => boolean) => ReadonlyMap<string, string | null>,
): Buffer {
  const members = findMembers(body)
  const names = new Set(members.map(({ name }) => name))
  const changes = changesFor((name) => names.has(name))
  return changes.size === 0 ? body : editMembers(body, members, changes)
}

function findMembers(body: Buffer): Member[] {
  // One character per byte: the search is for ASCII, which UTF-8 leaves unchanged.
  const json = body.toString('latin1')
  const members: Member[] = []
  let at = skipSpace(json, skipSpace(json, 0) + 1)
  while (json[at] === '"') {
    const nameEnd = endOfString(json, at)
    const name: unknown = JSON.parse(body.toString('utf8', at, nameEnd))
    const valueStart = skipSpace(json, skipSpace(json, nameEnd) + 1)
    const valueEnd = endOfValue(json, valueStart)
    members.push({ name: String(name), nameStart: at, valueStart, valueEnd })
    at = skipSpace(json, skipSpace(json, valueEnd) + 1)
  }
  return members
}
