import { pick, random } from '../run/seed.js'
import { anyForm, anyText, type Json } from './forbidden-forms.js'

type Path = (string | number)[]

function* pathsOf(value: Json, path: Path = []): Generator<{ path: Path; value: Json }> {
  yield { path, value }
  if (value === null || typeof value !== 'object') return
  for (const [name, inner] of Object.entries(value))
    yield* pathsOf(inner, [...path, Array.isArray(value) ? Number(name) : name])
}

/** JSON with something else at a path. The marker is replaced by JSON text, since no parsed value has the digits of a long number. */
function withAt(body: Json, path: Path, change: (value: Json) => Json, json: string): string {
  const visit = (value: Json, at: number): Json => {
    if (at === path.length) return change(value)
    const step = path[at] ?? ''
    if (Array.isArray(value)) return value.map((each, index) => (index === step ? visit(each, at + 1) : each))
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, name === step ? visit(each, at + 1) : each]),
    )
  }
  return JSON.stringify(visit(body, 0)).replace('"<here>"', () => json)
}

const payloadNames = [
  'data',
  'file_data',
  'result',
  'signature',
  'encrypted_content',
  'b64_json',
  'url',
  'id',
  'type',
  'role',
  'model',
  'embedding',
]
export const anyName = () =>
  pick([`x_${Math.floor(random() * 1e6).toString(36)}`, `x${Math.floor(random() * 1e6)}`, ...payloadNames])
export interface Case {
  name: string
  json: string
}

/** Something forbidden in place of every value, in every object, and as a name in it. */
export function* casesOf(body: Json): Generator<Case> {
  for (const { path, value } of pathsOf(body)) {
    const place = path.join('.')
    const [form, json] = anyForm()
    if (path.length > 0) yield { name: `${form} at ${place}`, json: withAt(body, path, () => '<here>', json) }
    if (value === null || typeof value !== 'object') continue
    const [other, otherJson] = anyForm()
    if (Array.isArray(value)) {
      yield {
        name: `${other} as an item of ${place}`,
        json: withAt(body, path, (list) => [...(Array.isArray(list) ? list : []), '<here>'], otherJson),
      }
      continue
    }
    const name = anyName()
    const add = (member: string, inner: Json) => (object: Json) => ({
      ...(object as object),
      [member]: inner,
    })
    yield {
      name: `${other} as ${name} of ${place}`,
      json: withAt(body, path, add(name, '<here>'), otherJson),
    }
    const [spelled, text] = anyText()
    yield { name: `${spelled} as a name in ${place}`, json: withAt(body, path, add(text, 1), '') }
  }
}
