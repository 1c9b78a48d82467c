import { baseUrl } from '../../../api'
import { Snippet, Tabs } from '../../../components'
import { toolSnippets } from './snippet-texts'

/** Shows how an agent connects. `server` null stands for the tools of all servers, named `server__tool`. */
export function UseIt({ server }: { server: string | null }) {
  return (
    <div className="grid grid-cols-1 gap-4 border-t border-rule pt-3 lg:grid-cols-2">
      <div>
        <p className="m-0 mb-1.5 text-xs font-medium text-ink-2">
          Set these in the shell that starts the agent
        </p>
        <Snippet
          name="Environment"
          code={`export TALLYSTICK_URL=${baseUrl}\nexport TALLYSTICK_KEY=tallystick_sk_…`}
        />
        <p className="m-0 mt-2 max-w-prose text-xs text-ink-3">
          An agent sees the approved tools that its key may call
          {server === null && ', named server__tool'}. Limits, policies and receipts apply to each call, as
          for models.
        </p>
      </div>
      <div className="min-w-0">
        <Tabs
          label="Clients"
          tabs={toolSnippets(server).map(({ id, name, note, code }) => ({
            id,
            label: name,
            children: (
              <>
                <p className="m-0 mb-1.5 text-xs text-ink-3">{note}</p>
                <Snippet name={`For ${name}`} code={code} />
              </>
            ),
          }))}
        />
      </div>
    </div>
  )
}
