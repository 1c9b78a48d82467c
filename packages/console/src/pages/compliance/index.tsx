import { useSession } from '../../session'
import { AttestationSummary, AttestationText } from './attestation'
import { Anchors, Checkpoints } from './checkpoints'
import { Coverage } from './coverage'
import { Erasures } from './erasures'
import { ExportRecord } from './export/export-record'
import { Jobs } from './jobs'
import { Packs } from './packs'
import { useVerification } from './verification/use-verification'
import { VerifyFiles } from './verification/verify-files'

/** The compliance page: the attestation, and tools to verify the record independently. */
export default function CompliancePage() {
  const mayRead = useSession().role !== 'member'
  const verification = useVerification()
  return (
    <>
      <AttestationSummary />
      <div className="grid gap-x-12 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
        <div className="min-w-0">
          <AttestationText />
        </div>
        <div className="min-w-0">
          <VerifyFiles {...verification} />
          {mayRead && <ExportRecord onVerify={(file) => void verification.verify([file], false)} />}
        </div>
      </div>
      {mayRead && <Jobs />}
      <Coverage />
      <Packs />
      <Checkpoints />
      <Anchors />
      {mayRead && <Erasures />}
    </>
  )
}
