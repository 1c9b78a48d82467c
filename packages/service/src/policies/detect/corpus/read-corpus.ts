/** A text, and the findings that are expected in it. */
export interface Sample {
  text: string
  expected: { start: number; end: number; entity: string }[]
}

/**
 * Reads a file of the corpus: one text per line, `#` before remarks, `⟦entity|value⟧` around each expected finding. `\n`, `\t`,
 * `\\` and `\u1234` are as in JSON. `¬` is dropped: it splits invented keys, so that repository scanners do not report them.
 */
export function readCorpus(file: string): Sample[] {
  return file
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => readSample(line.replaceAll('¬', '')))
}

const mark = /⟦([a-z_:0-9]+)\|([^⟧]+)⟧/g

function readSample(line: string): Sample {
  const sample: Sample = { text: '', expected: [] }
  let done = 0
  for (const { index, 0: whole, 1: entity = '', 2: value = '' } of line.matchAll(mark)) {
    sample.text += readEscapes(line.slice(done, index))
    const start = sample.text.length
    sample.text += readEscapes(value)
    sample.expected.push({ start, end: sample.text.length, entity })
    done = index + whole.length
  }
  sample.text += readEscapes(line.slice(done))
  return sample
}

const escapes: Record<string, string> = { n: '\n', t: '\t', '\\': '\\' }

function readEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|([nt\\]))/g, (_, code?: string, letter?: string) =>
    code === undefined ? (escapes[letter ?? ''] ?? '') : String.fromCharCode(Number.parseInt(code, 16)),
  )
}
