import { Skeleton, useHasBeenTrue } from '../../components'
import { useSession } from '../../session'
import { AboutService } from './about'
import { ContentCapture } from './content-capture'
import { Sessions, useSessions } from './sessions'
import { SigningKeys } from './signing-keys'
import { WhoYouAre } from './who-you-are'

/** The settings page: sessions, content capture, signing keys and information about the service. */
export default function SettingsPage() {
  const mayRead = useSession().role !== 'member'
  // The number of sessions decides where the other sections are, so the page waits for it.
  const isKnown = useHasBeenTrue(!useSessions().isLoading)
  return (
    <>
      <WhoYouAre />
      {isKnown ? (
        <>
          <Sessions />
          <div className="grid grid-cols-[minmax(0,1fr)] gap-x-12 lg:grid-cols-2">
            <div className="min-w-0">
              {mayRead && <ContentCapture />}
              {!mayRead && <SigningKeys />}
            </div>
            <div className="min-w-0">
              {mayRead && <SigningKeys />}
              <AboutService />
            </div>
          </div>
        </>
      ) : (
        <Skeleton className="h-64" />
      )}
    </>
  )
}
