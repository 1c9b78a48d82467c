// What a program does with the SDK, in whatever runtime it is imported. The results are the same in each.

/**
 * @param {typeof import('@tallystick/sdk')} sdk
 * @param {typeof import('@tallystick/sdk/verify')} verify
 * @param {{ baseUrl: string, apiKey: string, name: string, delivery: import('@tallystick/sdk').VerifyWebhookOptions }} given
 */
export async function journey({ createClient, verifyWebhook }, verify, { baseUrl, apiKey, name, delivery }) {
  const tallystick = createClient({ baseUrl, apiKey })
  const key = await tallystick.createKey({ name: `${name} a`, rpmLimit: 5 })
  await tallystick.createKey({ name: `${name} b` })
  const limits = await tallystick.updateKeyLimits(key.id, { tpmLimit: 1_000 })
  const names = []
  for await (const each of tallystick.listKeys({ q: name, limit: 1 })) names.push(each.name.at(-1))
  await tallystick.revokeKey(key.id)
  const { status } = await tallystick.getKey(key.id)
  const refusal = await tallystick.getKey('key_none').catch((error) => error)

  const keys = await tallystick.getSigningKeys()
  const receipt = await tallystick.getReceipt(2)
  const [proof, old] = [await tallystick.getInclusionProof(2), await tallystick.getInclusionProof(1)]
  const checkpoint = await tallystick.getCheckpoint()
  const consistency = await tallystick.getConsistencyProof({ from: 1, to: old.size })
  const exported = await new Response(await tallystick.exportRecord()).text()
  const changed = exported.replace('mock/echo', 'mock/ecHo')
  const stream = await tallystick.exportRecord()

  const events = []
  for await (const { event } of tallystick.streamEvents()) {
    events.push(event)
    break
  }
  return {
    kept: [limits.rpmLimit, limits.tpmLimit],
    names,
    status,
    refusal: [refusal.name, refusal.code, refusal.status, /^req_/.test(refusal.requestId)],
    receipt: verify.verifyReceipt(receipt, proof, keys).ok,
    forged: verify.verifyReceipt({ ...receipt, costNanos: 1 }, proof, keys),
    stranger: verify.verifyReceipt(receipt, proof, { keys: [] }),
    consistency: verify.verifyConsistency(consistency, [old.checkpoint], keys).ok,
    checkpoint: verify.verifyCheckpoint(checkpoint, keys).ok,
    export: (await verify.verifyExport(stream, { keys, checkpoints: [checkpoint], costs: true })).verdict,
    unsigned: (await verify.verifyExport(exported)).verdict,
    changed: (await verify.verifyExport(changed, { keys })).findings.map(({ fault }) => fault?.seq),
    unusable: await verify.verifyExport('x').catch((error) => error instanceof verify.UnusableInputError),
    events,
    webhook: verifyWebhook(delivery).event,
  }
}
