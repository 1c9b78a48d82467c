import { gzipSync } from 'node:zlib'

export interface VerifierInput {
  name: string
  bytes: Buffer
  /** Whether a verifier accepts it. */
  isAccepted: boolean
}

/** Ways in which a good export reaches a verifier: as it is, packed, cut off, with something before, in or after it. */
export function variationsOf(lines: readonly string[]): VerifierInput[] {
  const text = lines.map((line) => `${line}\n`).join('')
  const whole = Buffer.from(text)
  const packed = gzipSync(whole)
  const [header = '', ...rest] = lines
  const end = lines.at(-1) ?? ''
  const withoutEnd = lines.slice(0, -1)
  const half = Math.floor(whole.length / 2)
  const accepted: [string, Buffer | string][] = [
    ['as it is', whole],
    ['without the last line break', lines.join('\n')],
    ['with CRLF', lines.map((line) => `${line}\r\n`).join('')],
    ['with white space inside lines', lines.map((line) => ` ${line.replace('{', '{ ')}\t\n`).join('')],
    ['packed', packed],
    ['packed without compression', gzipSync(whole, { level: 0 })],
    [
      'packed in several members',
      Buffer.concat([gzipSync(whole.subarray(0, half)), gzipSync(whole.subarray(half))]),
    ],
    ['packed with an empty member at the end', Buffer.concat([packed, gzipSync('')])],
  ]
  const junk = [
    '\0',
    '\n',
    ' ',
    'junk',
    '{',
    '{}',
    '\u001f',
    '\u001f\u008b',
    '\u00ff\u00fe',
    `${end}\n`,
    end,
    header,
  ]
  const refused: [string, Buffer | string][] = [
    ['nothing', ''],
    ['one byte', '\u001f'],
    ['the start of a gzip file', Buffer.of(0x1f, 0x8b)],
    ['packed nothing', gzipSync('')],
    ['a byte order mark before it', `\ufeff${text}`],
    ['a byte order mark before it, packed', gzipSync(`\ufeff${text}`)],
    ['a blank line before it', `\n${text}`],
    ['a blank line after the header', [header, '', ...rest].join('\n')],
    ['a blank line before the end', [...withoutEnd, '', end, ''].join('\n')],
    ['no end line', withoutEnd.map((line) => `${line}\n`).join('')],
    ['half an end line', text.slice(0, -6)],
    ['two headers', [header, ...lines, ''].join('\n')],
    ['the export twice', text + text],
    ['the export twice, packed', Buffer.concat([packed, packed])],
    ['carriage returns alone', lines.join('\r')],
    ['packed twice', gzipSync(packed)],
    ['packed, with a wrong checksum', Buffer.from(packed.with(-8, (packed.at(-8) ?? 0) ^ 1))],
    ['packed, with a wrong length', Buffer.from(packed.with(-1, (packed.at(-1) ?? 0) ^ 1))],
    ['packed, without its last byte', packed.subarray(0, -1)],
    ['packed, without its checksum', packed.subarray(0, -8)],
    ...[0.1, 0.5, 0.9].map((share): [string, Buffer] => [
      `cut off at ${share * 100} %`,
      whole.subarray(0, whole.length * share),
    ]),
    ...[0.1, 0.5, 0.9, 0.99].map((share): [string, Buffer] => [
      `packed and cut off at ${share * 100} %`,
      packed.subarray(0, packed.length * share),
    ]),
    ...junk.map((more): [string, Buffer] => [
      `${JSON.stringify(more.slice(0, 20))} after it`,
      append(whole, more),
    ]),
    ...junk.map((more): [string, Buffer] => [
      `${JSON.stringify(more.slice(0, 20))} after the packed file`,
      append(packed, more),
    ]),
    ...junk.map((more): [string, Buffer] => [
      `${JSON.stringify(more.slice(0, 20))} after it, packed`,
      gzipSync(append(whole, more)),
    ]),
    ...lines.slice(0, 4).flatMap((line, i): [string, string][] => [
      [`a member twice in line ${i + 1}`, lines.with(i, line.replace('{', '{"type":"end",')).join('\n')],
      [`a member more in line ${i + 1}`, lines.with(i, line.replace('{', '{"more":1,')).join('\n')],
    ]),
    ['a member twice in the end line', lines.with(-1, end.replace('{', '{"entries":0,')).join('\n')],
  ]
  const toInput =
    (isAccepted: boolean) =>
    ([name, bytes]: [string, Buffer | string]) => ({
      ...{ name, isAccepted },
      bytes: Buffer.from(bytes),
    })
  return [...accepted.map(toInput(true)), ...refused.map(toInput(false))]
}

const append = (bytes: Buffer, more: string) => Buffer.concat([bytes, Buffer.from(more, 'latin1')])
