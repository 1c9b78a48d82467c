import type { ReceiptDraft } from '../../../record/index.js'
import type { AuditEntry } from '../../audit/index.js'

// The Open Cybersecurity Schema Framework, which SIEMs read without a mapping of their own. https://schema.ocsf.io
const version = '1.5.0'
const product = { name: 'Tallystick', vendor_name: 'Tallystick' }

const entityManagement = {
  category_uid: 3,
  category_name: 'Identity & Access Management',
  class_uid: 3004,
  class_name: 'Entity Management',
}
const detectionFinding = {
  category_uid: 2,
  category_name: 'Findings',
  class_uid: 2004,
  class_name: 'Detection Finding',
}

const activities: Readonly<Record<string, [number, string]>> = {
  create: [1, 'Create'],
  update: [3, 'Update'],
  delete: [4, 'Delete'],
}
const otherActivity: [number, string] = [99, 'Other']
const severities = { 1: 'Informational', 3: 'Medium', 4: 'High' } as const

const kindOf = (classUid: number, [id, name]: [number, string], severity: keyof typeof severities) => ({
  activity_id: id,
  activity_name: name,
  type_uid: classUid * 100 + id,
  severity_id: severity,
  severity: severities[severity],
})

/** A change of the configuration, as a change of an entity. */
export function auditToOcsf(entry: AuditEntry, tenantId: string): object {
  const { actor, subject } = entry
  const verb = entry.action.slice(entry.action.indexOf('.') + 1)
  const entityOf = (data: AuditEntry['before']) => ({
    type: subject.type,
    uid: subject.id,
    ...(data && { data }),
  })
  const user = {
    type: actor.type,
    uid: actor.userId ?? actor.id,
    name: actor.userName ?? actor.keyName ?? actor.id,
    ...(actor.keyId !== null && { credential_uid: actor.keyId }),
  }
  return {
    ...entityManagement,
    ...kindOf(entityManagement.class_uid, activities[verb] ?? otherActivity, 1),
    time: Date.parse(entry.at),
    message: entry.action,
    metadata: {
      version,
      product,
      uid: entry.id,
      event_code: entry.action,
      tenant_uid: tenantId,
      log_name: 'audit',
    },
    actor: { user },
    entity: entityOf(entry.before ?? entry.after),
    ...(entry.after && { entity_result: entityOf(entry.after) }),
  }
}

/** A call that was blocked, as a finding. */
export function violationToOcsf(
  { seq, draft, data }: { seq: number; draft: ReceiptDraft; data: Readonly<Record<string, unknown>> },
  tenantId: string,
): object {
  const finding = findingOf({ seq, draft, title: String(data.message), severity: 3 }, tenantId)
  return {
    ...finding,
    // The disposition and the action are attributes of this profile.
    metadata: { ...finding.metadata, profiles: ['security_control'] },
    disposition_id: 2,
    disposition: 'Blocked',
    action_id: 2,
    action: 'Denied',
    unmapped: data,
  }
}

/** An event that limits what the record proves, such as a restored database. */
export const exceptionToOcsf = (
  { seq, draft, title }: { seq: number; draft: ReceiptDraft; title: string },
  tenantId: string,
): object => findingOf({ seq, draft, title, severity: 4 }, tenantId)

function findingOf(
  { seq, draft, title, severity }: { seq: number; draft: ReceiptDraft; title: string; severity: 3 | 4 },
  tenantId: string,
) {
  const uid = `${tenantId}-${seq}`
  const created = activities.create ?? otherActivity
  return {
    ...detectionFinding,
    ...kindOf(detectionFinding.class_uid, created, severity),
    time: Date.parse(draft.ts),
    message: title,
    metadata: {
      version,
      product,
      uid,
      event_code: draft.event ?? 'policy.violation',
      tenant_uid: tenantId,
      log_name: 'security_events',
    },
    finding_info: { uid, title, created_time: Date.parse(draft.ts) },
    status_id: 1,
    status: 'New',
  }
}
