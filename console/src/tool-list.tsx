import { useInfiniteQuery } from '@tanstack/react-query'
import { askPages } from './api'
import { AllowList, Tag } from './parts'

interface ToolListFieldProps {
  /** Null for no list. */
  value: string | null
  onValue(value: string | null): void
  fault?: string | null | undefined
}

/** Which tools of MCP servers a key, a team or a person may call. */
export function ToolListField({ value, onValue, fault }: ToolListFieldProps) {
  const servers = useInfiniteQuery(askPages('/v1/mcp-servers', { limit: 200 }))
  return (
    <AllowList
      label="Tools"
      value={value}
      onValue={onValue}
      all="Those of open servers"
      note={
        value === null
          ? 'And of others where another list or a policy names them'
          : 'Also of servers that are not open'
      }
      which="Which tools"
      hint="One per line, as server__tool; tickets__* allows all of a server"
      none="None as it stands: no tool can be called."
      fault={fault}
      offers={{ title: 'All of:', names: (servers.data ?? []).map(({ name }) => `${name}__*`) }}
    />
  )
}

/** What such a list says, in words. */
export function AllowedTools({ tools }: { tools: readonly string[] | null }) {
  if (tools === null) return <span className="text-ink-3">those of open servers</span>
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
