import { editMembers, endOfString, endOfValue, type Member, skipSpace } from '../json/index.js'

/** Changes members of a body that is known to be a valid JSON object; every other byte stays. */
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
  // One character for each byte: what is looked for is ASCII, and stands for itself in UTF-8.
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
