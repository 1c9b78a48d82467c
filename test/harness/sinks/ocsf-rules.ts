// What the Open Cybersecurity Schema Framework 1.5 requires of the two classes of events that sinks send, and of the objects in them.

interface Shape {
  required: readonly string[]
  /** What may be there besides. */
  optional: readonly string[]
  /** At least one of these is there. */
  someOf?: readonly string[]
}

const listed = (names: string): string[] => names.split(' ')

/** Attributes of every event. */
const base: Shape = {
  required: listed('activity_id category_uid class_uid metadata severity_id time type_uid'),
  optional: listed(
    'activity_name actor api category_name class_name comment count device duration end_time enrichments message observables raw_data severity start_time status status_code status_detail status_id timezone_offset type_name unmapped',
  ),
}
const withBase = ({ required, optional }: Shape): Shape => ({
  required: [...base.required, ...required],
  optional: [...base.optional, ...optional],
})

/** Attributes that an event may have if `metadata.profiles` names the profile. */
const profiles: Readonly<Record<string, readonly string[]>> = {
  security_control: listed(
    'action action_id attacks authorizations confidence confidence_id confidence_score disposition disposition_id firewall_rule is_alert malware malware_scan_info policy risk_details risk_level risk_level_id risk_score',
  ),
}

interface EventClass {
  category: number
  activities: readonly number[]
  shape: Shape
}

const classes: Readonly<Record<number, EventClass>> = {
  // Entity Management
  3004: {
    category: 3,
    activities: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 99],
    shape: withBase({
      required: ['entity'],
      optional: listed('access_list access_mask entity_result http_request http_response src_endpoint'),
    }),
  },
  // Detection Finding
  2004: {
    category: 2,
    activities: [0, 1, 2, 3, 99],
    shape: withBase({
      required: ['finding_info'],
      optional: listed(
        'anomaly_analyses assignee assignee_group confidence confidence_id confidence_score evidences impact impact_id impact_score is_alert is_suspected_breach malware priority priority_id remediation resources risk_details risk_level risk_level_id risk_score src_url ticket tickets vendor_attributes verdict verdict_id vulnerabilities',
      ),
    }),
  },
}

const entity: Shape = {
  required: [],
  optional: listed('data device email group location name org policy type type_id uid user version'),
  someOf: listed('name uid device group org policy user'),
}
const objects: Readonly<Record<string, Shape>> = {
  metadata: {
    required: listed('product version'),
    optional: listed(
      'correlation_uid event_code labels log_level log_name log_provider log_version logged_time modified_time original_time processed_time profiles sequence tags tenant_uid uid',
    ),
  },
  'metadata.product': {
    required: [],
    optional: listed('feature lang name path uid url_string vendor_name version'),
    someOf: listed('name uid'),
  },
  actor: {
    required: [],
    optional: listed('app_name app_uid authorizations idp invoked_by process session user'),
    someOf: listed('process user invoked_by session app_name app_uid'),
  },
  'actor.user': {
    required: [],
    optional: listed(
      'account credential_uid display_name domain email_addr full_name groups has_mfa name org type type_id uid uid_alt',
    ),
    someOf: listed('account name uid'),
  },
  entity,
  entity_result: entity,
  finding_info: {
    required: ['uid'],
    optional: listed(
      'analytic created_time data_sources desc first_seen_time last_seen_time modified_time product related_events src_url tags title types',
    ),
  },
}

/** Of numbers with a meaning, those that exist; those of `status_id` are the ones of findings. */
const values: Readonly<Record<string, readonly number[]>> = {
  severity_id: [0, 1, 2, 3, 4, 5, 6, 99],
  action_id: [0, 1, 2, 3, 4, 99],
  disposition_id: [...Array.from({ length: 28 }, (_, id) => id), 99],
  status_id: [0, 1, 2, 3, 4, 5, 99],
}

type Fields = Record<string, unknown>

/** Returns what is wrong with an event. */
export function findOcsfFaults(event: Fields): string[] {
  const kind = classes[Number(event.class_uid)]
  if (!kind) return [`there is no class ${event.class_uid}`]
  const named = (at(event, 'metadata.profiles') ?? []) as string[]
  const fromProfiles = named.flatMap((name) => profiles[name] ?? [])
  const { required, optional } = kind.shape
  return [
    ...named.filter((name) => !(name in profiles)).map((name) => `there is no profile ${name}`),
    ...findShapeFaults('event', event, { required, optional: [...optional, ...fromProfiles] }),
    ...Object.entries(objects).flatMap(([path, shape]) => {
      const value = at(event, path)
      return value === undefined ? [] : findShapeFaults(path, value as Fields, shape)
    }),
    ...Object.entries(values).flatMap(([name, known]) =>
      event[name] === undefined || known.includes(Number(event[name])) ? [] : [`${name} is ${event[name]}`],
    ),
    ...(kind.activities.includes(Number(event.activity_id)) ? [] : [`activity_id is ${event.activity_id}`]),
    ...(event.category_uid === kind.category ? [] : ['category_uid is of another class']),
    ...(event.type_uid === Number(event.class_uid) * 100 + Number(event.activity_id)
      ? []
      : ['type_uid is of another activity']),
    ...(Number.isSafeInteger(event.time) ? [] : ['time is not in milliseconds']),
  ]
}

const at = (event: Fields, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], event)

function findShapeFaults(path: string, value: Fields, { required, optional, someOf }: Shape): string[] {
  const names = Object.keys(value)
  return [
    ...required.filter((name) => !names.includes(name)).map((name) => `${path} has no ${name}`),
    ...names
      .filter((name) => !required.includes(name) && !optional.includes(name))
      .map((name) => `${path} has ${name}`),
    ...(someOf && !someOf.some((name) => names.includes(name))
      ? [`${path} has none of ${someOf.join(', ')}`]
      : []),
  ]
}
