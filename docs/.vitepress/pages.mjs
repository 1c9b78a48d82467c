// The pages of the site, in the order of its sidebar. A new page below docs/ is one line here: its path without `.md`. The
// title comes from its first heading.
export const sections = [
  { title: 'Start', pages: ['start/quickstart', 'start/demo', 'start/migrate-from-litellm'] },
  {
    title: 'Use',
    pages: ['use/calls', 'use/coding-agents', 'use/mcp', 'use/batches', 'use/cache', 'use/prompts'],
  },
  {
    title: 'Manage',
    pages: [
      'manage/teams-and-keys',
      'manage/budgets',
      'manage/policies',
      'manage/detection',
      'manage/providers',
      'manage/routes',
      'manage/usage',
      'manage/investigate',
      'manage/webhooks',
      'manage/audit',
      'manage/content',
      'manage/sign-in',
      'manage/console',
      'manage/configuration-as-code',
    ],
  },
  {
    title: 'Deploy',
    pages: [
      'deploy/compose',
      'deploy/image',
      'deploy/kubernetes',
      'deploy/npm',
      'deploy/systemd',
      'deploy/network',
    ],
  },
  {
    title: 'Operate',
    pages: [
      'operate/start-and-stop',
      'operate/probes',
      'operate/scale',
      'operate/sizing',
      'operate/failover',
      'operate/faults',
      'operate/backup',
      'operate/upgrade',
      'operate/retention',
      'operate/secrets',
      'operate/security',
      'operate/observability',
      'operate/exports',
      'operate/alerts',
      'operate/troubleshooting',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'reference/api',
      'reference/configuration',
      'reference/errors',
      'reference/events',
      'reference/metrics',
      'reference/record-format',
      'reference/prices',
      'reference/focus',
      'reference/releases',
      'reference/typescript',
      'reference/python',
    ],
  },
  {
    title: 'Project',
    pages: [
      'design/glossary',
      'project/architecture',
      'project/security',
      'project/support',
      'project/contributing',
      'project/benchmarks',
      'project/changelog',
      'decisions/README',
    ],
  },
]

/** Pages that are not below docs/, and where they are on the site. */
export const pagesElsewhere = {
  'packages/sdk/README.md': 'reference/typescript',
  'packages/python/README.md': 'reference/python',
  'ARCHITECTURE.md': 'project/architecture',
  'SECURITY.md': 'project/security',
  'SUPPORT.md': 'project/support',
  'CONTRIBUTING.md': 'project/contributing',
  'CHANGELOG.md': 'project/changelog',
  'bench/README.md': 'project/benchmarks',
}

/** Folders below docs/ whose pages need no line above: they are reached by links, and found by no search. */
export const unlistedFolders = ['decisions']
