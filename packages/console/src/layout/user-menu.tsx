import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { api, expectSuccess } from '../api'
import { Menu, notifyError } from '../components'
import { sessionQuery, useSession } from '../session'
import { chooseTheme, useThemeChoice } from '../theme'

/** The signed-in user, the theme, settings and sign-out. */
export function UserMenu() {
  const { tenant, role, userId, name, email, keyName } = useSession()
  const theme = useThemeChoice()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const signOut = useMutation({
    mutationFn: async () => expectSuccess(await api.DELETE('/v1/session')),
    onSuccess: async () => {
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, null)
      await navigate({ to: '/sign-in', search: {} })
    },
    onError: (error) => notifyError('Not signed out', error),
  })
  return (
    <div className="border-t border-rule pt-2">
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex w-full items-center justify-between gap-2 rounded-md px-2 py-1 text-left hover:bg-sunken"
          >
            <span className="min-w-0">
              <span className="block truncate text-sm">
                {email ?? name ?? userId ?? keyName ?? 'A key without an owner'}
              </span>
              <span className="block truncate text-xs text-ink-3">
                {role} · {tenant.name}
              </span>
            </span>
            <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-ink-3" />
          </button>
        }
        items={[
          { label: 'Settings', onSelect: () => void navigate({ to: '/settings' }) },
          { label: 'Light theme', isChosen: theme === 'light', onSelect: () => chooseTheme('light') },
          { label: 'Dark theme', isChosen: theme === 'dark', onSelect: () => chooseTheme('dark') },
          { label: 'System theme', isChosen: theme === 'system', onSelect: () => chooseTheme('system') },
          { label: 'Sign out', onSelect: () => signOut.mutate() },
        ]}
      />
    </div>
  )
}
