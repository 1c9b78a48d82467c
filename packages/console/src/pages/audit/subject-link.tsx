import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type AuditEntry, subjectOf } from './action-names'

/** The changed record, as a link if the console has a page for it. */
export function SubjectLink({ entry }: { entry: AuditEntry }) {
  const { subject, action } = entry
  const name = subjectOf(entry)
  const isGone = entry.after === null && entry.before !== null && action.endsWith('.delete')
  const isId = name === subject.id && /^[a-z]+_[0-9a-z]{20,}$/.test(name)
  const shown: ReactNode = isId ? <code title={name}>{`${name.slice(0, 9)}…${name.slice(-4)}`}</code> : name
  if (isGone) return <b className="font-medium">{shown}</b>
  const link = 'link font-medium'
  switch (subject.type) {
    case 'key':
      return (
        <Link to="/keys" search={{ key: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'member':
    case 'user_limit':
      return (
        <Link to="/people" search={{ person: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'team':
      return (
        <Link to="/people" search={{ team: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'webhook_endpoint':
      return (
        <Link to="/webhooks" search={{ endpoint: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'sink':
      return (
        <Link to="/sinks" search={{ sink: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'provider':
      return (
        <Link to="/providers" search={{ provider: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'route':
      return (
        <Link to="/providers" search={{ section: 'routes', route: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'model_price':
      return (
        <Link to="/providers" search={{ section: 'catalogue', model: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'mcp_tool': {
      const server = entry.after?.server
      if (typeof server !== 'string') return <b className="font-medium">{shown}</b>
      return (
        <Link
          to="/tools"
          search={{ server, tool: subject.id.slice(subject.id.indexOf('__') + 2) }}
          className={link}
        >
          {shown}
        </Link>
      )
    }
    case 'mcp_server':
    case 'mcp_credential':
      return (
        <Link to="/tools" search={{ server: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'content':
      return (
        <Link to="/calls" search={{ call: subject.id }} className={link}>
          {shown}
        </Link>
      )
    case 'budget':
    case 'budget_request':
      return (
        <Link to="/budgets" className={link}>
          {shown}
        </Link>
      )
    case 'policy':
      return (
        <Link to="/policies" className={link}>
          {shown}
        </Link>
      )
    case 'prompt':
    case 'prompt_version':
      return (
        <Link to="/prompts" className={link}>
          {shown}
        </Link>
      )
    default:
      return <b className="font-medium">{shown}</b>
  }
}
