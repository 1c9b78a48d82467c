/** The pages, as they stand in the navigation. Whoever adds one adds its route in router.tsx and its path in src/http/console-pages.ts. */
export const navigation = [
  [
    { to: '/', name: 'Overview' },
    { to: '/calls', name: 'Calls' },
    { to: '/usage', name: 'Usage' },
  ],
  [
    { to: '/keys', name: 'Keys' },
    { to: '/budgets', name: 'Budgets' },
    { to: '/policies', name: 'Policies' },
    { to: '/prompts', name: 'Prompts' },
    { to: '/people', name: 'People' },
  ],
  [
    { to: '/providers', name: 'Providers' },
    { to: '/tools', name: 'Tools' },
    { to: '/webhooks', name: 'Webhooks' },
  ],
  [
    { to: '/compliance', name: 'Compliance' },
    { to: '/audit', name: 'Audit' },
    { to: '/playground', name: 'Playground' },
  ],
] as const

/** What a member has nothing of. */
const notForMembers: readonly string[] = ['/providers', '/webhooks', '/compliance', '/audit']

export const mayOpen = (path: string, role: 'member' | 'auditor' | 'manager') =>
  role !== 'member' || !notForMembers.includes(path)
