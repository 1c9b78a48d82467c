import { batchJobs, registerBatches } from '../calls/batch/index.js'
import { createRevocations, createShutdownSignal } from '../calls/core/index.js'
import {
  createIdempotentCalls,
  createRecordingMemory,
  type GatewayOptions,
  registerGateway,
} from '../calls/model/index.js'
import { gatewayAuthMethods } from '../http/index.js'
import { canonicalModel, toolCallFields } from '../record/index.js'
import { createBatchFiles, createBatchSeals } from '../resources/batches/index.js'
import { scopeIdsOf } from '../resources/keys/index.js'
import { createCachedAnswers } from '../resources/response-cache/index.js'
import { unauthorized } from '../shared/errors.js'
import type { Infrastructure } from './infrastructure/infrastructure.js'
import type { OpenRecord } from './record/record.js'
import type { Rules } from './rules.js'
import type { OpenServer } from './server.js'
import { registerToolGateway } from './tools/tool-servers.js'

// The memory that answers to calls with an Idempotency-Key may use while the calls are in progress.
const maxRecordingBytes = 64 * 1024 * 1024

/** Mounts the gateways for models and for MCP tools. */
export async function mountGateways(
  infrastructure: Infrastructure,
  record: OpenRecord,
  rules: Rules,
  { app, cursorKey }: OpenServer,
  onBatchChanged: () => void,
) {
  const { config, closers, failed, metrics, observers, tracing, db, changes, secrets } = infrastructure
  const { processId, servingLock, stopping, yieldToEventLoop, version } = infrastructure
  const { identities, spendLimits, contentSettings, rateLimited, tools } = rules
  const revocations = closers.add(
    createRevocations({
      entitlementsOf: identities.entitlementsOf,
      onError: failed('checking for revoked keys'),
    }),
  )
  const idempotentCalls = closers.add(
    createIdempotentCalls({ db, changes, processId, onError: failed('storing answers for repeated calls') }),
  )
  const cachedAnswers = closers.add(
    createCachedAnswers({ db, secrets, onError: failed('storing answers in the response cache') }),
  )
  const calling: Omit<GatewayOptions, 'addRoutes'> = {
    ...record,
    ...rules,
    ...{ cachedAnswers, idempotentCalls, revocations, yieldToEventLoop },
    erasedTo: async (tenantId) => (await contentSettings.current(tenantId)).erasedTo,
    onCacheError: failed('looking for answers in the response cache'),
    recordingMemory: createRecordingMemory(maxRecordingBytes),
    authMethods: gatewayAuthMethods(identities.findByKey),
    entitlementsOf: identities.entitlementsOf,
    async renewLimits({ tenantId, key }) {
      spendLimits.forget(tenantId)
      identities.forget(tenantId)
      tools.servers.forget(tenantId)
      const entitlements = await identities.entitlementsOf({ tenantId, keyId: key.id })
      if (entitlements === null) throw unauthorized()
      return entitlements
    },
    random: Math.random,
    waitUntilMayServe: servingLock.waitUntilHeld,
    stopping: stopping.signal,
    now: () => performance.now(),
    onFurtherAttempt: ({ provider }, kind) =>
      metrics.counter('furtherAttempts', { provider: provider.name, type: kind }).add(),
    onRateLimited({ entitlements, call, target }) {
      metrics.counter('rateLimited', { endpoint: call.endpoint.name }).add()
      const provider = target.provider.name
      const model = canonicalModel({ provider, model: call.model, target: target.model })
      rateLimited.count({ ...scopeIdsOf(entitlements), provider, model })
    },
    onFinished: observers.finished,
    onRefused: observers.refused,
    beginTrace: tracing?.begin ?? null,
  }
  const batches = {
    ...{ db, files: createBatchFiles({ db, secrets }), seals: createBatchSeals(secrets) },
    onError: failed('processing batches'),
    onChanged: onBatchChanged,
  }
  const gateway = await registerGateway(app, {
    ...calling,
    addRoutes: (scope, accountOf) =>
      registerBatches(scope, { ...calling, ...batches, log: app.log, accountOf }),
  })
  const toolGateway = await registerToolGateway(app, {
    ...{ tools, db, changes, secrets, yieldToEventLoop, version, failed, publicAddress: config.publicUrl },
    authMethods: calling.authMethods,
    sessionKey: cursorKey,
    stopping: stopping.signal,
    beginTrace: tracing?.begin ?? null,
    call: {
      ...calling,
      shutdown: createShutdownSignal(stopping.signal),
      onFinished: observers.toolFinished,
      onRefused(refused) {
        observers.toolRefused(refused)
        if (refused.error.type !== 'rate_limit_exceeded') return
        const { server, tool, method, entitlements } = refused
        const { provider, model } = toolCallFields({ server: server.name, tool, method })
        metrics.counter('rateLimited', { endpoint: 'mcp' }).add()
        rateLimited.count({ ...scopeIdsOf(entitlements), provider, model })
      },
    },
  })
  return {
    gateway,
    settled: async () => void (await Promise.all([gateway.settled(), toolGateway.settled()])),
    batchJobs: batchJobs({
      ...{ ...calling, ...batches, log: app.log },
      entitlementsOf: identities.entitlementsOf,
    }),
  }
}

export type Gateways = Awaited<ReturnType<typeof mountGateways>>
