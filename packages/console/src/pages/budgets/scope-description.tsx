import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery } from '../../api'
import { useNames } from '../keys/use-keys'
import { appliesPerValue, type Budget } from './budget'

/** Describes what a budget applies to. */
export function ScopeDescription({ budget }: { budget: Budget }) {
  const { teamName, personName } = useNames()
  const { type, id } = budget.scope
  switch (type) {
    case 'tenant':
      return <>the whole tenant</>
    case 'team':
      return <>team {teamName(id)}</>
    case 'user':
      return <>all keys of {personName(id)}</>
    case 'key':
      return <KeyScope id={id} />
    case 'session':
      if (!appliesPerValue(budget)) return <>session {id}</>
      return <>each session separately{budget.leading && `, now ${budget.leading}`}</>
    case 'tag':
      if (!appliesPerValue(budget)) return <>calls with the tag {id}</>
      return (
        <>
          each {id.slice(0, -2)} on its own{budget.leading && `, now ${budget.leading}`}
        </>
      )
  }
}

function KeyScope({ id }: { id: string }) {
  const key = useQuery(apiQuery('/v1/keys/{id}', { params: { path: { id } } }))
  return (
    <>
      key{' '}
      <Link to="/keys" search={{ key: id }} className="relative z-10 text-inherit hover:underline">
        {key.data?.name ?? id}
      </Link>
    </>
  )
}
