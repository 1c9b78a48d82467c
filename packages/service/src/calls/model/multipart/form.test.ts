import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FormShape } from '../../../providers/index.js'
import { ApiError } from '../../../shared/errors.js'
import { MultipartForm } from './form.js'

const shape: FormShape = {
  files: ['file', 'image[]'],
  lists: ['image[]', 'include[]'],
  counts: ['n'],
  flags: ['stream'],
}
const type = 'multipart/form-data; boundary=xYz'

const part = (head: string, content = '') => `--xYz\r\n${head}\r\n\r\n${content}\r\n`
const field = (name: string, content: string) =>
  part(`Content-Disposition: form-data; name="${name}"`, content)
const file = (name: string, filename: string, content: string) =>
  part(
    `Content-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: audio/wav`,
    content,
  )
const form = (...parts: string[]) => Buffer.from(`${parts.join('')}--xYz--\r\n`)
const read = (bytes: Buffer, contentType = type) => new MultipartForm(bytes, contentType, shape)
/** What goes out, with the boundary that the tests have. */
const outside = ({ contentType }: MultipartForm, bytes: Buffer) =>
  bytes.toString().replaceAll(contentType.replace(/^.*boundary=/, ''), 'xYz')
const fieldsOf = ({ json }: MultipartForm) => JSON.parse(json.toString())

describe('a form', () => {
  const bytes = form(
    field('model', 'whisper-1'),
    file('file', 'a.wav', 'RIFF\r\n\r\n--'),
    field('n', '2'),
    field('stream', 'true'),
    field('include[]', 'one'),
    field('include[]', 'two'),
  )

  test('is read as JSON, without the contents of its files', () => {
    const { files } = read(bytes)
    expect(fieldsOf(read(bytes))).toEqual({
      model: 'whisper-1',
      file: { filename: 'a.wav', content_type: 'audio/wav' },
      n: 2,
      stream: true,
      'include[]': ['one', 'two'],
    })
    expect(files.map((each) => each.bytes.toString())).toEqual(['RIFF\r\n\r\n--'])
  })

  test('is written with a boundary and headers of our own: only what was judged is left of the caller', () => {
    const written = [`"secret-in-boundary"`, 'secret-in-boundary'].map((boundary) => {
      const sent = Buffer.from(
        [
          part(
            'content-disposition:form-data; name="prompt"\r\nContent-Type: text/plain-secret-in-type\r\nContent-Transfer-Encoding: 8BIT',
            'hello',
          ),
          part(
            'CONTENT-DISPOSITION: form-data;name="file";filename="a.wav"\r\nContent-Length: 4\r\nContent-type: audio/wav',
            'RIFF',
          ),
          '--xYz--',
        ]
          .join('')
          .replaceAll('--xYz', '--secret-in-boundary'),
      )
      const whole = read(sent, `multipart/form-data; boundary=${boundary}`)
      return { whole, text: outside(whole, whole.write(whole.json)) }
    })
    for (const { text, whole } of written) {
      expect(text).toBe(form(field('prompt', 'hello'), file('file', 'a.wav', 'RIFF')).toString())
      expect(whole.contentType).not.toContain('secret')
      expect(whole.write(whole.json).toString()).not.toContain('secret')
    }
    expect(new Set(written.map(({ whole }) => whole.contentType)).size).toBe(2)
  })

  test('has the fields that are wanted, and its files as they came', () => {
    const whole = read(bytes)
    const fields = { ...fieldsOf(whole), model: 'other', 'include[]': ['one', 'zwei'], user: 'ann' }
    delete fields.n
    fields.file = { ...fields.file, filename: 'b".wav' }
    expect(outside(whole, whole.write(Buffer.from(JSON.stringify(fields))))).toBe(
      form(
        field('model', 'other'),
        file('file', 'b%22.wav', 'RIFF\r\n\r\n--'),
        field('stream', 'true'),
        field('include[]', 'one'),
        field('include[]', 'zwei'),
        field('user', 'ann'),
      ).toString(),
    )
  })

  test('is not cut by what is put into it', () => {
    const whole = read(bytes)
    const fields = { ...fieldsOf(whole), model: 'a\r\n--xYz\r\n' }
    const again = read(whole.write(Buffer.from(JSON.stringify(fields))), whole.contentType)
    expect(fieldsOf(again)).toEqual(fields)
  })

  test('says the same after it was changed and read again', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((each) => !each.includes('--xYz'))
    fc.assert(
      fc.property(text, text, fc.uint8Array({ maxLength: 200 }), (first, second, content) => {
        const head = Buffer.from(
          `${field('prompt', first.toWellFormed())}--xYz\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
        )
        const sent = Buffer.concat([head, content, Buffer.from('\r\n--xYz--\r\n')])
        const whole = read(sent)
        expect(fieldsOf(whole).prompt).toBe(first.toWellFormed())
        const fields = { ...fieldsOf(whole), prompt: second.toWellFormed() }
        const again = read(whole.write(Buffer.from(JSON.stringify(fields))), whole.contentType)
        expect(fieldsOf(again)).toEqual(fields)
        expect(again.files[0]?.bytes.equals(content)).toBe(true)
      }),
    )
  })
})

describe('a form is refused', () => {
  const ok = field('model', 'm')
  const cases: [string, Buffer, string?][] = [
    ['without a boundary', form(ok), 'multipart/form-data'],
    ['with two boundaries', form(ok), `${type}; boundary=other`],
    ['with another parameter', form(ok), `${type}; charset=utf-7`],
    ['with a boundary that ends in a blank', form(ok), 'multipart/form-data; boundary="xYz "'],
    ['that begins with something else', Buffer.from(`hello\r\n${form(ok)}`)],
    ['that does not end', Buffer.from(ok)],
    ['that goes on after its end', Buffer.from(`${form(ok)}more`)],
    [
      'with a part of another form',
      form(part('Content-Disposition: form-data; name="a"\r\nContent-Type: multipart/mixed; boundary=b')),
    ],
    [
      'with its boundary after a line feed alone',
      form(field('prompt', 'a\n--xYz\nContent-Disposition: form-data; name="model"\n\nother')),
    ],
    ['with its boundary in the middle of a line', form(field('prompt', 'a --xYz'))],
    ['with a longer boundary', form(field('prompt', 'a\r\n--xYzz'))],
    ['with blanks after its boundary', Buffer.from(form(ok).toString().replace('--xYz\r\n', '--xYz \r\n'))],
    ['with the same field twice', form(ok, field('model', 'other'))],
    ['with a list that is none', form(ok, field('model[]', 'other'))],
    ['with a file where none may be', form(file('prompt', 'a', 'b'))],
    ['with a field where a file must be', form(field('file', 'b'))],
    [
      'with an encoded part',
      form(part('Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64', 'YQ==')),
    ],
    [
      'with another character set',
      form(part('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=utf-16')),
    ],
    [
      'with JSON in a field',
      form(part('Content-Disposition: form-data; name="a"\r\nContent-Type: application/json', '{}')),
    ],
    [
      'with two dispositions',
      form(part('Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"')),
    ],
    ['with two names', form(part('Content-Disposition: form-data; name="a"; name="b"'))],
    ['with a name in another spelling', form(part("Content-Disposition: form-data; name*=utf-8''a"))],
    [
      'with a filename in another spelling',
      form(part(`Content-Disposition: form-data; name="file"; filename="a"; filename*=utf-8''b`)),
    ],
    ['with a path as a filename', form(file('file', '../a', ''))],
    ['with an escaped quote', form(file('file', 'a\\"; name=\\"model', ''))],
    ['with a folded header', form(part('Content-Disposition: form-data;\r\n name="a"'))],
    [
      'with a line feed in a header',
      form(part('Content-Disposition: form-data; name="a"\nContent-Type: text/plain')),
    ],
    ['with an unknown header', form(part('Content-Disposition: form-data; name="a"\r\nX-Model: b'))],
    ['without headers', Buffer.from('--xYz\r\n\r\n\r\nhello\r\n--xYz--\r\n')],
    [
      'with long headers',
      form(part(`Content-Disposition: form-data; name="a"\r\nContent-Type: text/${'a'.repeat(3_000)}`)),
    ],
    ['with too many parts', form(...Array.from({ length: 65 }, (_, at) => field(`a${at}`, '')))],
    [
      'with a length that is not its own',
      form(part('Content-Disposition: form-data; name="a"\r\nContent-Length: 5', 'abc')),
    ],
    ['with a number in other digits', form(field('n', '1e3'))],
    ['with a sign before a number', form(field('n', '-1'))],
    ['with another word for true', form(field('stream', 'True'))],
    [
      'with a field that is no UTF-8',
      Buffer.from(form(field('prompt', '\xff')).toString('latin1').replace('\xc3\xbf', '\xff'), 'latin1'),
    ],
    ['with a name of a prototype', form(field('__proto__', 'a'))],
    ['with nothing in it', Buffer.alloc(0)],
  ]

  test.each(cases)('%s', (_, bytes, contentType) => {
    expect(() => read(bytes, contentType)).toThrow(ApiError)
  })

  test('or read, but never fails in another way', () => {
    const whole = form(field('model', 'm'), file('file', 'a.wav', 'RIFF'), field('n', '3')).toString('latin1')
    fc.assert(
      fc.property(
        fc.nat(whole.length),
        fc.nat(8),
        fc.string({ unit: 'binary', maxLength: 6 }),
        (at, cut, put) => {
          const bytes = Buffer.from(whole.slice(0, at) + put + whole.slice(at + cut), 'latin1')
          try {
            read(bytes)
          } catch (error) {
            expect(error).toBeInstanceOf(ApiError)
          }
        },
      ),
    )
  })
})
