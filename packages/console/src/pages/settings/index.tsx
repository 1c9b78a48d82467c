import { Skeleton, useEver } from '../../components'
import { useSession } from '../../session'
import { AboutService } from './about'
import { ContentCapture } from './content-capture'
import { Sessions, useSessions } from './sessions'
import { SigningKeys } from './signing-keys'
import { WhoYouAre } from './who-you-are'

/** Where one is signed in, what is kept of what calls notify, what the record is signed with, and what this service is. */
export default function SettingsPage() {
  const mayRead = useSession().role !== 'member'
  // How many there are decides where the rest stands.
  const isKnown = useEver(!useSessions().isLoading)
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
