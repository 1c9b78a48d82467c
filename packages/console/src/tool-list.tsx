import { useInfiniteQuery } from '@tanstack/react-query'
import { apiPages } from './api'
import { AllowList, Tag } from './components'

interface ToolListFieldProps {
  /** The list as text; null allows the tools of open servers. */
  value: string | null
  onValue(value: string | null): void
  error?: string | null | undefined
}

/** The MCP tools that a key, a team or a person may call. */
export function ToolListField({ value, onValue, error }: ToolListFieldProps) {
  const servers = useInfiniteQuery(apiPages('/v1/mcp-servers', { limit: 200 }))
  return (
    <AllowList
      label="Tools"
      value={value}
      onValue={onValue}
      allLabel="Tools of open servers"
      note={
        value === null
          ? 'And of other servers that another allow list or policy names'
          : 'Including servers that are not open'
      }
      listLabel="Allowed tools"
      hint="One per line, as server__tool. tickets__* allows all tools of a server"
      emptyWarning="The list is empty: no tool can be called."
      error={error}
      suggestions={{ title: 'All of:', names: (servers.data ?? []).map(({ name }) => `${name}__*`) }}
    />
  )
}

/** Shows an allow list of tools. */
export function AllowedTools({ tools }: { tools: readonly string[] | null }) {
  if (tools === null) return <span className="text-ink-3">tools of open servers</span>
  if (tools.length === 0) return 'none'
  return (
    <span className="flex flex-wrap gap-1">
      {tools.map((tool) => (
        <Tag key={tool}>
          <span className="mono">{tool}</span>
        </Tag>
      ))}
    </span>
  )
}
