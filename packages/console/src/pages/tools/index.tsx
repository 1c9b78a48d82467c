import { useSearch } from '@tanstack/react-router'
import { useSession } from '../../session'
import { ServerList } from './list/server-list'
import { MemberPage } from './member/member-page'
import { OpenServer } from './server/open-server'

/** The tools page: MCP servers, their tools and approvals. */
export default function ToolsPage() {
  const { role } = useSession()
  const search = useSearch({ from: '/app/tools' })
  if (role === 'member') return <MemberPage />
  return search.server === undefined ? (
    <ServerList />
  ) : (
    <OpenServer key={search.server} id={search.server} search={search} />
  )
}
