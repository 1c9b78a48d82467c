import { oneLine } from './log-text.js'

const colours: Record<string, number> = { trace: 90, debug: 90, info: 32, warn: 33, error: 31, fatal: 31 }

/** Fields that are shown elsewhere in the line, or are not useful at a terminal. */
const hidden = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'faults', 'stages', 'costNanos'])

/** Formats a JSON line for people: time, level, message and fields on one line; below it the stack of an error, or faults. */
export function prettify(json: string, isColoured: boolean): string {
  const line: unknown = JSON.parse(json)
  if (typeof line !== 'object' || line === null) return json
  const fields = new Map<string, unknown>(Object.entries(line))
  const level = String(fields.get('level'))
  const colour = (code: number, text: string) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text)
  const time = String(fields.get('time')).slice(11, 23)
  const parts = [
    colour(90, oneLine(time)),
    colour(colours[level] ?? 0, oneLine(level.toUpperCase().padEnd(5))),
    oneLine(String(fields.get('msg') ?? '')),
  ]
  for (const [name, value] of fields)
    if (!hidden.has(name)) parts.push(`${colour(90, `${oneLine(name)}=`)}${show(value)}`)
  const cost = fields.get('costNanos')
  if (typeof cost === 'number' && cost !== 0) parts.push(`${colour(90, 'cost=')}$${usd(cost)}`)
  const stages = fields.get('stages')
  if (typeof stages === 'object' && stages !== null)
    parts.push(
      colour(
        90,
        `(${Object.entries(stages)
          .map(([name, ms]) => `${oneLine(name)} ${ms}`)
          .join(', ')} ms)`,
      ),
    )
  const faults = fields.get('faults')
  const listed = Array.isArray(faults)
    ? faults.map((fault) => `  - ${oneLine(String(fault))}\n`).join('')
    : ''
  return `${parts.join(' ')}\n${listed}${describe(fields.get('err'), '  ')}`
}

/** Formats a value. One that could be mistaken for another field is quoted. */
function show(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return /^[\w./:@+-]+$/.test(text) ? text : oneLine(typeof value === 'string' ? JSON.stringify(value) : text)
}

function describe(err: unknown, indent: string): string {
  if (typeof err !== 'object' || err === null) return ''
  const { type, message, code, stack, cause }: Record<string, unknown> = { ...err }
  const head = `${indent}${oneLine([type, code, message].filter((each) => each !== undefined && each !== '').join(': '))}\n`
  const frames = String(stack ?? '')
    .split('\n')
    .filter(Boolean)
    .map((frame) => `${indent}${oneLine(frame)}\n`)
  return head + frames.join('') + describe(cause, `${indent}  `)
}

const usd = (nanos: number): string => (nanos / 1e9).toFixed(9).replace(/\.?0+$/, '')
