import { ApiError } from '../../shared/errors.js'
import type { Endpoint } from '../endpoints/endpoint.js'

// Errors usually have a few hundred bytes.
const maxErrorBytes = 256 * 1024

/**
 * Removes from a provider's error what it reveals about this service's account there, which is not the caller's.
 * Null when it reveals nothing.
 */
export function cleanErrorBody(
  body: Buffer,
  status: number,
  provider: string,
  dialect: Endpoint,
  encoding = 'identity',
): Buffer | null {
  // The message is about this service's own key and may show parts of it.
  if (status === 401) return refusalOf(status, `${provider} refused this service's own key`, dialect)
  if (body.length > maxErrorBytes)
    return refusalOf(status, `${provider} answered ${status} with an error of ${body.length} bytes`, dialect)
  // The provider used an encoding that was not requested, so the content cannot be read.
  if (encoding !== 'identity')
    return refusalOf(status, `${provider} answered ${status} with an error that cannot be read`, dialect)
  const text = body.toString()
  const cleaned = text.replace(accounts, '[hidden]').replace(keys, '[hidden]').replace(cloudNames, '[hidden]')
  return cleaned === text ? null : Buffer.from(cleaned)
}

/** Matches account ids, such as `org-9k3…`, `organization: 0b1f…` and `proj_7h…`. An id contains a digit, unlike a word. */
const accounts =
  /\b(?:org|organization|proj|project|workspace|wrkspc|account|acct)(?:_id)?["']?[-_:=\s"']{1,4}(?=[\w-]{0,64}\d)[\w-]{6,64}/gi
/** Matches complete keys, and keys whose middle is masked. */
const keys = /\b(?:(?:sk|rk|pk|gsk|xai|pplx|nvapi|fw)[-_]|AIza|AKIA|ASIA|ABSK|ya29\.)[\w*.…+/=-]{6,256}/g
/**
 * Matches account and project names in a cloud: `arn:aws:iam::1234…`, `projects/house-42`,
 * `robot@house.iam.gserviceaccount.com`.
 */
const cloudNames =
  /\barn:aws[\w-]{0,16}:[^\s"'\\]{1,256}|\bprojects\/[\w.:-]{1,64}|\b[\w.-]{1,64}@[\w.-]{1,64}\.gserviceaccount\.com/g

function refusalOf(status: number, message: string, dialect: Endpoint): Buffer {
  const { error } = new ApiError(
    'upstream_error',
    `${message}: contact the operator of this service`,
  ).toBody()
  return Buffer.from(JSON.stringify(dialect.errorBody({ error: { ...error, code: status } })))
}
