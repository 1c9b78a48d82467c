import { Agent, buildConnector, type Dispatcher } from 'undici'
import { sendAbsoluteUrls } from './proxy/absolute-form.js'
import { createProxiedConnector } from './proxy/proxied-connector.js'
import { createFindProxy, type ProxySettings } from './proxy/proxies.js'
import { createVetTarget } from './proxy/vet-target.js'
import type { ResolveName } from './resolve-name.js'
import type { UrlRules } from './url-rules.js'
import { createVettedConnector } from './vetted-connector.js'

export interface AgentOptions extends Omit<Agent.Options, 'connect'> {
  /** True for addresses that a tenant chose: connects to what the rules allow and to nothing else. */
  isVetted: boolean
  connectTimeoutMs: number
}

/**
 * Returns the function that creates agents. Only connections know of proxies, except for plain HTTP targets, whose requests a proxy wants
 * in another form: where no proxy is configured, nothing is added to a request.
 */
export function createAgents({
  rules,
  resolve,
  proxies,
}: {
  rules: UrlRules
  resolve: ResolveName
  proxies: ProxySettings | null
}): (options: AgentOptions) => Dispatcher {
  const findProxy = proxies && createFindProxy(proxies)
  const vetTarget = createVetTarget(rules, resolve, proxies?.resolvesNames ?? false)

  return ({ isVetted, connectTimeoutMs: timeoutMs, ...options }) => {
    const createAgent = (connect: Agent.Options['connect']) =>
      // No limit on connections: calls to one host for different tenants must not wait for each other.
      new Agent({ connections: null, pipelining: 1, ...options, ...(connect && { connect }) })
    if (findProxy === null) {
      return createAgent(isVetted ? createVettedConnector(rules, resolve, timeoutMs) : { timeout: timeoutMs })
    }
    const direct: buildConnector.connector = isVetted
      ? createVettedConnector(rules, resolve, timeoutMs)
      : buildConnector({ timeout: timeoutMs })
    const vet = isVetted ? vetTarget : async () => undefined
    const agent = createAgent(createProxiedConnector({ findProxy, direct, vet, timeoutMs }))
    return proxies?.http ? agent.compose(sendAbsoluteUrls(findProxy)) : agent
  }
}
