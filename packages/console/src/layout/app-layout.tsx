import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import MenuIcon from 'lucide-react/icons/menu'
import { Suspense, useEffect, useState } from 'react'
import { cx, IconButton, Logo, Skeleton } from '../components'
import { sessionQuery, useSession } from '../session'
import { useDefaultRange } from '../time/use-span'
import { CommandPalette } from './command-palette'
import { DataAge } from './data-age'
import { LiveUpdates } from './live-updates'
import { navigationOf } from './navigation'
import { findKeys, ShortcutHelp, useShortcuts } from './shortcuts'
import { TimeRangePicker } from './time-range-picker'
import { usePendingCounts } from './use-pending-counts'
import { UserMenu } from './user-menu'

/** Navigation and page. It redirects to the sign-in page when the session ends. */
export function AppLayout() {
  const { data: session } = useQuery(sessionQuery)
  const navigate = useNavigate()
  const isOut = session === null
  useEffect(() => {
    if (isOut) void navigate({ to: '/sign-in', search: { next: location.pathname + location.search } })
  }, [isOut, navigate])
  if (!session) return null
  return (
    <LiveUpdates>
      <SignedInLayout />
    </LiveUpdates>
  )
}

function SignedInLayout() {
  const [isNavigationOpen, setNavigationOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const shortcuts = useShortcuts({ openPalette: () => setPaletteOpen(true) })
  const matches = useRouterState({ select: (state) => state.matches })
  const title = matches.findLast(({ staticData }) => staticData.title)?.staticData.title ?? 'Tallystick'
  const hasRange = useDefaultRange() !== undefined
  const path = useRouterState({ select: (state) => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating to a page closes the menu
  useEffect(() => setNavigationOpen(false), [path])
  useEffect(() => {
    document.title = `${title} · Tallystick`
  }, [title])
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[208px_minmax(0,1fr)]">
      <a
        href="#page"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-raised focus:px-3 focus:py-1.5"
      >
        Skip to content
      </a>
      {isNavigationOpen && (
        <button
          type="button"
          aria-label="Close navigation"
          className="fixed inset-0 z-30 bg-black/30 md:hidden"
          onClick={() => setNavigationOpen(false)}
        />
      )}
      <Navigation isOpen={isNavigationOpen} />
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-20 flex min-h-14 flex-wrap items-center gap-2 bg-ground/95 px-4 py-2.5 md:px-7">
          <IconButton label="Open navigation" className="md:hidden" onClick={() => setNavigationOpen(true)}>
            <MenuIcon size={18} aria-hidden />
          </IconButton>
          <h1 className="m-0 mr-auto text-base font-semibold">{title}</h1>
          <DataAge />
          <button
            type="button"
            onClick={() => setPaletteOpen(true)}
            className="flex h-8 items-center gap-3 rounded-md border border-rule-2 bg-raised px-2.5 text-sm text-ink-3 hover:bg-sunken max-sm:hidden"
          >
            Find anything <kbd className="rounded-sm border border-rule px-1 text-2xs">{findKeys}</kbd>
          </button>
          {hasRange && <TimeRangePicker />}
        </header>
        <main
          id="page"
          tabIndex={-1}
          className="w-full max-w-[1280px] flex-1 px-4 pt-3 pb-16 outline-none md:px-7"
        >
          <Suspense fallback={<Skeleton className="h-40" />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <CommandPalette open={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
      <ShortcutHelp open={shortcuts.isHelpOpen} onClose={shortcuts.closeHelp} />
    </div>
  )
}

function Navigation({ isOpen }: { isOpen: boolean }) {
  const { role } = useSession()
  const pendingCounts = usePendingCounts()
  return (
    <nav
      aria-label="Pages"
      className={cx(
        'z-40 flex h-dvh w-52 flex-col border-r border-rule bg-ground px-2 py-3 md:sticky md:top-0',
        'max-md:fixed max-md:inset-y-0 max-md:left-0 max-md:bg-raised max-md:shadow-float',
        !isOpen && 'max-md:hidden',
      )}
    >
      <Link
        to="/"
        className="mb-4 flex items-center gap-2.5 px-2 py-1 text-base font-semibold text-ink no-underline"
      >
        <Logo /> Tallystick
      </Link>
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto">
        {navigationOf(role).map((group) => (
          <ul key={group[0]?.to} className="m-0 flex list-none flex-col gap-px p-0">
            {group.map(({ to, title }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  className="flex items-center justify-between rounded-md px-2 py-1 text-sm text-ink-2 no-underline hover:bg-sunken hover:text-ink"
                  activeProps={{ className: '!bg-sunken !text-ink font-medium' }}
                >
                  {title}
                  {(pendingCounts[to] ?? 0) > 0 && (
                    <span
                      className="num text-2xs font-semibold text-warn"
                      title={`${pendingCounts[to]} to review`}
                    >
                      {pendingCounts[to]}
                    </span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </div>
      <UserMenu />
    </nav>
  )
}
