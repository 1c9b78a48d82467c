import { asText, parseObject } from '@tallystick/record/json'
import type { Dispatcher } from 'undici'
import { createTokenCache, fetchAwsKeys, sendCloudRequest, signV4 } from '../cloud/index.js'
import type { SecretStoresConfig } from '../config/index.js'
import { type SecretStore, SecretStoreError } from './secret-store.js'

const contentType = 'application/x-amz-json-1.1'
const target = 'secretsmanager.GetSecretValue'
const dayMs = 86_400_000

/**
 * Reads the current version of secrets, by name or ARN, with the identity of this machine.
 * https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html
 */
export function createAwsSecretsManager(
  { machine: environment, awsRegion }: Pick<SecretStoresConfig, 'machine' | 'awsRegion'>,
  dispatcher: Dispatcher,
  now: () => number,
): SecretStore {
  const tokens = createTokenCache(now)

  async function keysFor(region: string) {
    const context = { environment, region, now, dispatcher: () => dispatcher }
    const token = await tokens.get(region, async () => {
      const fetched = await fetchAwsKeys({ from: null, roleArn: null, externalId: null }, context)
      return { value: JSON.stringify(fetched.keys), expiresAtMs: fetched.expiresAtMs ?? now() + dayMs }
    })
    const { accessKeyId, secretAccessKey, sessionToken } = parseObject(token) ?? {}
    return {
      ...{ accessKeyId: asText(accessKeyId), secretAccessKey: asText(secretAccessKey) },
      ...(typeof sessionToken === 'string' && { sessionToken }),
    }
  }

  return {
    async read(location) {
      const region = /^arn:[^:]+:secretsmanager:([a-z0-9-]+):/.exec(location)?.[1] ?? awsRegion
      if (!region) throw new SecretStoreError('needs AWS_REGION, or the ARN of the secret')
      const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
      const url =
        environment.AWS_ENDPOINT_URL_SECRETS_MANAGER ?? `https://secretsmanager.${region}.${suffix}/`
      const { host, pathname: path } = new URL(url)
      const body = JSON.stringify({ SecretId: location })
      const headers = { host, 'content-type': contentType, 'x-amz-target': target }
      const send = async () => {
        const signature = signV4(
          { method: 'POST', path, query: '', headers, body: Buffer.from(body) },
          await keysFor(region),
          { region, service: 'secretsmanager' },
          now(),
        )
        return await sendCloudRequest({
          ...{ what: 'AWS Secrets Manager', method: 'POST', url, body, dispatcher },
          headers: { 'content-type': contentType, 'x-amz-target': target, ...signature },
        })
      }
      let answer = await send()
      if (isRefused(answer) && tokens.forget(region)) answer = await send()
      const content = parseObject(answer.text) ?? {}
      if (answer.status !== 200)
        throw new SecretStoreError(
          `cannot be read: AWS Secrets Manager answered ${answer.status}${describeType(content.__type)}`,
        )
      if (typeof content.SecretString === 'string') return content.SecretString
      throw new SecretStoreError('is binary; only text can be used')
    },
  }
}

/** The keys of the machine are not accepted, for example because its role was replaced. */
const isRefused = ({ status, text }: { status: number; text: string }): boolean =>
  status === 401 || status === 403 || (status === 400 && refusals.test(asText(parseObject(text)?.__type)))

// https://docs.aws.amazon.com/secretsmanager/latest/apireference/CommonErrors.html
const refusals =
  /\b(AccessDenied|ExpiredToken|IncompleteSignature|InvalidClientTokenId|InvalidSignature|UnrecognizedClient)(Exception)?$/

/** The type is one of a list, such as AccessDeniedException. The message is not repeated, because it describes the account. */
const describeType = (type: unknown): string => {
  const name = asText(type).split('#').at(-1) ?? ''
  return /^\w{1,64}$/.test(name) ? ` (${name})` : ''
}
