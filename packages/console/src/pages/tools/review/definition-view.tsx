import { type ReactNode, useMemo, useState } from 'react'
import { Button, Tag } from '../../../components'
import { formatInteger } from '../../../format'
import { type Json, type Member, type OutlineRow, outlineOf } from './outline'
import { ShownText } from './shown-text'

/** A definition in a readable form. */
export function DefinitionView({ definition }: { definition: Json }) {
  const outline = useMemo(() => outlineOf(definition), [definition])
  const isBare = outline.description === null && outline.title === null
  return (
    <div className="text-sm">
      {outline.title !== null && (
        <p className="m-0 mb-1 font-medium">
          <ShownText text={outline.title} />
        </p>
      )}
      {outline.description !== null && (
        <p className="m-0 max-w-prose leading-6">
          <ShownText text={outline.description} />
        </p>
      )}
      {isBare && <p className="m-0 text-ink-3">No description.</p>}
      <Rows name="Parameters" rows={outline.input} empty="No parameters." />
      {outline.output.length > 0 && <Rows name="Result" rows={outline.output} empty="" />}
      {outline.annotations.length > 0 && (
        <Part name="Annotations by the server" note="not verified">
          <Members members={outline.annotations.map(describeHint)} />
        </Part>
      )}
      {outline.rest.length > 0 && (
        <Part name="Other members">
          <Members members={outline.rest} />
        </Part>
      )}
    </div>
  )
}

/** The definition as JSON, with invisible characters revealed. */
export function DefinitionJson({ definition }: { definition: Json }) {
  const text = useMemo(() => JSON.stringify(definition, null, 2), [definition])
  return (
    <div
      role="group"
      aria-label="Definition as JSON"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll long texts
      tabIndex={0}
      className="mono max-h-[60dvh] overflow-auto rounded-md border border-rule bg-raised px-3 py-2 !text-xs leading-5"
    >
      <ShownText text={text} />
    </div>
  )
}

function Part({ name, note, children }: { name: string; note?: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={name} className="mt-4">
      <p className="m-0 mb-1 text-xs font-medium text-ink-2">
        {name} {note !== undefined && <span className="font-normal text-ink-3">· {note}</span>}
      </p>
      {children}
    </div>
  )
}

const rowsAtFirst = 60
/** Indentation by depth; limited so that deep parts stay readable. */
const indents = ['pl-0', 'pl-4', 'pl-8', 'pl-10', 'pl-12']

function Rows({ name, rows, empty }: { name: string; rows: readonly OutlineRow[]; empty: string }) {
  const [isAll, setAll] = useState(false)
  if (rows.length === 0) return <p className="m-0 mt-3 text-ink-3">{empty}</p>
  const shown = isAll ? rows : rows.slice(0, rowsAtFirst)
  return (
    <Part name={name}>
      <ul className="m-0 list-none border-t border-rule p-0">
        {shown.map((row, n) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two parts of a schema may have the same name
            key={n}
            className="border-b border-rule py-1.5"
          >
            <div className={indents[Math.min(Math.max(row.depth, 0), indents.length - 1)]}>
              <div className="flex flex-wrap items-baseline gap-x-2">
                <code className="font-medium break-all">
                  {row.name === '' ? 'full definition' : <ShownText text={row.name} />}
                </code>
                <span className="text-xs text-ink-3">
                  <ShownText text={row.type} />
                </span>
                {row.isRequired && <Tag>required</Tag>}
              </div>
              {row.description !== null && (
                <p className="m-0 max-w-prose text-ink-2">
                  <ShownText text={row.description} />
                </p>
              )}
              {row.rest.length > 0 && <Members members={row.rest} />}
            </div>
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <Button size="sm" kind="quiet" className="mt-1" onClick={() => setAll(true)}>
          Show all {formatInteger(rows.length)}
        </Button>
      )}
    </Part>
  )
}

const Members = ({ members }: { members: readonly Member[] }) => (
  <dl className="m-0 flex flex-wrap gap-x-4 text-xs leading-5">
    {members.map(({ name, value }) => (
      <div key={name} className="max-w-full min-w-0">
        <dt className="mr-1.5 inline text-ink-3">
          <ShownText text={name} />
        </dt>
        <dd className="m-0 inline">
          <code>
            <ShownText text={value} />
          </code>
        </dd>
      </div>
    ))}
  </dl>
)

const hints: Readonly<Record<string, [yes: string, no: string]>> = {
  readOnlyHint: ['read-only', 'makes changes'],
  destructiveHint: ['can be destructive', 'only adds'],
  idempotentHint: ['idempotent', 'not idempotent'],
  openWorldHint: ['open world', 'closed world'],
}

function describeHint({ name, value }: Member): Member {
  const labels = hints[name]
  const meaning = value === 'true' ? labels?.[0] : value === 'false' ? labels?.[1] : undefined
  return { name, value: meaning === undefined ? value : `${value}: ${meaning}` }
}
