import type { Role } from './full-console.js'

/** Every page of the navigation, and who has it. */
export const pages: readonly { path: string; title: string; roles: readonly Role[] }[] = [
  { path: '/', title: 'Overview', roles: ['manager', 'auditor', 'member'] },
  { path: '/calls', title: 'Calls', roles: ['manager', 'auditor', 'member'] },
  { path: '/usage', title: 'Usage', roles: ['manager', 'auditor', 'member'] },
  { path: '/keys', title: 'Keys', roles: ['manager', 'auditor', 'member'] },
  { path: '/budgets', title: 'Budgets', roles: ['manager', 'auditor', 'member'] },
  { path: '/policies', title: 'Policies', roles: ['manager', 'auditor', 'member'] },
  { path: '/prompts', title: 'Prompts', roles: ['manager', 'auditor', 'member'] },
  { path: '/people', title: 'People', roles: ['manager', 'auditor', 'member'] },
  { path: '/providers', title: 'Providers', roles: ['manager', 'auditor'] },
  { path: '/providers?section=routes', title: 'Providers', roles: ['manager', 'auditor'] },
  { path: '/providers?section=catalogue', title: 'Providers', roles: ['manager', 'auditor'] },
  { path: '/tools', title: 'Tools', roles: ['manager', 'auditor', 'member'] },
  { path: '/webhooks', title: 'Webhooks', roles: ['manager', 'auditor'] },
  { path: '/sinks', title: 'Sinks', roles: ['manager', 'auditor'] },
  { path: '/compliance', title: 'Compliance', roles: ['manager', 'auditor'] },
  { path: '/audit', title: 'Audit', roles: ['manager', 'auditor'] },
  { path: '/playground', title: 'Playground', roles: ['manager', 'auditor', 'member'] },
  { path: '/settings', title: 'Settings', roles: ['manager', 'auditor', 'member'] },
]
