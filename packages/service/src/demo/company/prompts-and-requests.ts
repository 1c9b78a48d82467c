// What the company has besides calls. All people and companies here are fictitious.

export const managers = ['ada.fernhollow', 'rosa.ticinelli'] as const
export const auditor = 'olga.pemberlyn'
/** Signs in as a member. */
export const member = 'mira.solanquist'

export interface DemoPrompt {
  name: string
  description: string
  /** Oldest first. */
  versions: readonly string[]
  /** Numbers of versions. */
  labels: Readonly<Record<string, number>>
}

export const prompts: readonly DemoPrompt[] = [
  {
    name: 'support-reply',
    description: 'First answer to a customer who writes in.',
    versions: [
      'You answer customers of Northwind. Be brief.',
      'You answer customers of Northwind. Be brief and friendly.\nThe customer is called {{customer}}.',
      'You answer customers of Northwind in {{language}}.\nThe customer is called {{customer}}.\nBe brief and friendly. If you do not know, say so and offer to ask a colleague.',
      'You answer customers of Northwind in {{language}}.\nThe customer is called {{customer}}, with us since {{since}}.\nBe brief and friendly. If you do not know, say so and offer to ask a colleague.\nNever promise a refund.',
    ],
    labels: { production: 3, staging: 4 },
  },
  {
    name: 'code-review',
    description: 'What the reviewer looks for in a change.',
    versions: [
      'Review this change. List faults, the worst first.',
      'Review this change to {{repository}}. List faults, the worst first, each with its line. Do not praise.',
    ],
    labels: { production: 2 },
  },
  {
    name: 'invoice-fields',
    description: 'Reads the fields of an invoice.',
    versions: [
      'Read the invoice. Answer as JSON: number, date, total, currency.',
      'Read the invoice. Answer as JSON: number, date, due, total, currency, iban. Use null for what is not there.',
      'Read the invoice of {{supplier}}. Answer as JSON: number, date, due, total, currency, iban. Use null for what is not there. Amounts are strings.',
    ],
    labels: { production: 2, staging: 3, canary: 3 },
  },
]

/** `budget` is the name of one; `daysAgo` when it was filed. The last two wait. */
export const requests = [
  {
    budget: 'Mobile, monthly',
    userId: 'bela.quistgard',
    amountUsd: 40,
    daysAgo: 5.2,
    reason: 'The migration of the index needs a second run.',
    decision: 'approved',
    grantedUsd: 25,
    note: 'Half now, the rest if it helps.',
  },
  {
    budget: 'Research, monthly',
    userId: 'petra.ashgrove',
    amountUsd: 300,
    daysAgo: 3.6,
    reason: 'Evaluation of all models on the long set.',
    decision: 'denied',
    grantedUsd: null,
    note: null,
  },
  {
    budget: 'Project heron, monthly',
    userId: 'petra.ashgrove',
    amountUsd: 60,
    daysAgo: 2.1,
    reason: 'The short set, two models.',
    decision: 'approved',
    grantedUsd: 60,
    note: 'Thank you for making it smaller.',
  },
  {
    budget: 'Research, monthly',
    userId: 'rafael.goldcrest',
    amountUsd: 80,
    daysAgo: 0.3,
    reason: 'The paper is due on Friday, and the budget is nearly spent.',
    decision: null,
    grantedUsd: null,
    note: null,
  },
  {
    budget: 'Platform, monthly',
    userId: 'dara.nightjar',
    amountUsd: 30,
    daysAgo: 0.1,
    reason: 'Review of the release branch over the weekend.',
    decision: null,
    grantedUsd: null,
    note: null,
  },
] as const

/** Hosts below `.invalid` do not exist, so that nothing is ever sent to anyone. */
export const endpoints = [
  {
    name: 'On-call',
    url: 'https://hooks.northwind.invalid/on-call',
    type: 'generic',
    enabled: true,
    maxAttempts: 8,
  },
  {
    name: '#ai-spend',
    url: 'https://chat.northwind.invalid/services/T00/B00',
    type: 'chat',
    enabled: true,
    maxAttempts: 8,
  },
  {
    name: 'SIEM collector',
    url: 'https://siem.northwind.invalid/tallystick',
    type: 'generic',
    enabled: true,
    maxAttempts: 4,
  },
  {
    name: 'Data lake (paused)',
    url: 'https://lake.northwind.invalid/ingest',
    type: 'generic',
    enabled: false,
    maxAttempts: 30,
  },
] as const

/** The content of calls after policies, shortened. */
export const conversations: readonly (readonly [question: string, answer: string])[] = [
  [
    'Summarise the ticket below in two sentences for the engineer on call.',
    'The customer cannot export invoices since Monday; the button spins and nothing downloads. It works for smaller months, so a timeout is likely.',
  ],
  [
    'Write a test for the function that splits a span into intervals.',
    'Here is one: a span of a day that has 23 hours must still have 23 intervals, each beginning where the one before ended.',
  ],
  [
    'Reply to [email redacted]: when will the order arrive?',
    'Hello, your order left our warehouse yesterday and should reach you by Thursday. You will get a message with the tracking number today.',
  ],
  [
    'Which of these three headlines is clearest? 1) … 2) … 3) …',
    'The second. It says what the reader gets and when, in nine words.',
  ],
  [
    'Why does this query read the whole table?',
    'The condition wraps the column in a function, so the index on it cannot be used. Compare the column itself with a range instead.',
  ],
  [
    'Extract number, date, total and currency from this invoice.',
    '{"number":"NW-20481","date":"2026-11-03","total":"1,284.50","currency":"EUR"}',
  ],
]

/** The arguments and results of tool calls. */
export const toolTexts: Readonly<Record<string, readonly [arguments: object, result: string]>> = {
  search_tickets: [
    { query: 'state:open export invoices', limit: 5 },
    'NW-20481 Export of invoices hangs\nNW-20377 Invoices of 2025 are missing in the export',
  ],
  read_ticket: [
    { ticket: 'NW-20481' },
    'NW-20481, open since Monday: the export of invoices spins and nothing downloads. Reported by [email redacted].',
  ],
  add_comment: [{ ticket: 'NW-20481', comment: 'A month with fewer than 500 rows works.' }, 'Added.'],
  close_ticket: [{ ticket: 'NW-20112', reason: 'duplicate' }, 'Closed.'],
  run_query: [
    { sql: 'select status, count(*) from orders group by status', timeoutSeconds: 30 },
    'status | count\nopen | 1204\nshipped | 18220\nreturned | 311',
  ],
  describe_table: [
    { table: 'public.orders' },
    'id bigint primary key, customer_id bigint, status text, placed_at timestamptz',
  ],
  search_pages: [{ query: 'on-call rota' }, 'handbook/on-call: Who is on call, and how to hand over'],
  read_page: [
    { page: 'handbook/on-call' },
    '# On call\n\nThe week begins on Monday at ten. Hand over what is open, in writing.',
  ],
  list_spaces: [{}, 'handbook, runbooks, decisions'],
}
