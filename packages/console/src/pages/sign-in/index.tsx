import { useQuery } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { apiQuery, baseUrl } from '../../api'
import { buttonClass, cx, Logo, Skeleton } from '../../components'
import { formatDuration } from '../../format'
import { sessionQuery } from '../../session'
import { describeProblem } from './error-messages'
import { KeyForm } from './key-form'
import type { SignInSearch } from './search'
import { useSignInDelay } from './use-sign-in-delay'

/** The sign-in page. Users who are signed in are redirected to the page that they wanted. */
export default function SignInPage() {
  const { next = '/', problem, retryAfter }: SignInSearch = useSearch({ strict: false })
  const { data: session } = useQuery(sessionQuery)
  const methods = useQuery({ ...apiQuery('/v1/session/methods'), staleTime: 60_000 })
  const delay = useSignInDelay(retryAfter)
  const { history } = useRouter()
  const isIn = session !== null && session !== undefined
  useEffect(() => {
    document.title = 'Sign in · Tallystick'
  }, [])
  useEffect(() => {
    if (isIn) history.replace(`${prefix}${withoutPrefix(next)}`)
  }, [isIn, history, next])
  const oidc = methods.data?.oidc ?? null
  const message = problem === undefined ? null : describeProblem(problem)
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[14dvh] pb-10">
      <div className="w-full max-w-[22rem]">
        <Logo size={40} closed={isIn} className="-ml-[5px] text-ink" />
        <h1 className="m-0 mt-5 text-2xl leading-8 font-semibold tracking-[-0.01em]">
          Sign in to Tallystick
        </h1>
        <p className="m-0 mt-2 mb-7 text-sm text-ink-2">
          Control over which models are called and what they cost, with a record that anyone can verify.
        </p>
        {delay.until !== null ? (
          <Notice tone="warn">
            Too many sign-ins from this address have failed. You can try again in{' '}
            <b className="num font-semibold">{formatDuration(delay.secondsLeft * 1_000)}</b>, at{' '}
            <span className="num whitespace-nowrap">{clockOf(delay.until)}</span>.
          </Notice>
        ) : (
          message !== null && <Notice tone="bad">{message}</Notice>
        )}
        {methods.isPending ? (
          <Skeleton className="h-32" />
        ) : (
          <>
            {oidc !== null && (
              <>
                <a
                  href={`${baseUrl}/v1/session/oidc?next=${encodeURIComponent(withoutPrefix(next))}`}
                  className={cx(buttonClass('primary'), 'h-10 w-full')}
                >
                  Continue with {oidc.name}
                </a>
                <div className="my-5 flex items-center gap-3 text-xs text-ink-3" aria-hidden>
                  <span className="h-px flex-1 bg-rule" />
                  or
                  <span className="h-px flex-1 bg-rule" />
                </div>
              </>
            )}
            <KeyForm
              kind={oidc === null ? 'primary' : 'plain'}
              isDelayed={delay.until !== null}
              onDelayed={delay.delay}
            />
          </>
        )}
        <p className="m-0 mt-8 border-t border-rule pt-4 text-xs leading-5 text-ink-3">
          No key yet? The first start of the service prints one. To create another one later, run{' '}
          <code className="break-words">tallystick key create --tenant default --role manager</code>
        </p>
      </div>
    </main>
  )
}

function Notice({ tone, children }: { tone: 'warn' | 'bad'; children: ReactNode }) {
  return (
    <p
      role="alert"
      className={cx(
        'm-0 mb-5 border-l-2 py-1 pl-3 text-sm leading-5',
        tone === 'bad' ? 'border-bad' : 'border-warn',
      )}
    >
      {children}
    </p>
  )
}

const clockOf = (at: Date) => at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })

const prefix = new URL(document.baseURI).pathname.replace(/\/$/, '')

/** Strips the path prefix of the console, if present. */
const withoutPrefix = (path: string) =>
  prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
