import { SidePanel } from '../../../parts'

export function CallPanel({
  requestId,
  onClose,
}: {
  requestId: string
  onClose(): void
  onStep(by: 1 | -1): void
}) {
  return (
    <SidePanel open onClose={onClose} title={requestId} label="Call">
      {requestId}
    </SidePanel>
  )
}
