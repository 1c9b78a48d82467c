import type { ModelName } from './models.js'

// All people and companies here are fictitious.

export const timeZones = ['Europe/Berlin', 'America/New_York', 'Asia/Singapore'] as const
export type TimeZone = (typeof timeZones)[number]

export interface DemoTeam {
  name: string
  /** The tag of most of its calls. */
  project: string
}

export interface DemoPerson {
  userId: string
  name: string
  email: string
  team: string
  timeZone: TimeZone
}

export interface DemoKey {
  name: string
  /** The owner; null for a key of a service. */
  userId: string | null
  team: string
  rpmLimit: number | null
  tpmLimit: number | null
  allowedModels: readonly string[] | null
  /** The default tags of its calls. */
  metadata: Readonly<Record<string, string>>
}

/** How a key is used: the kind of calls and their times. */
export type Habit =
  | 'developer'
  | 'office'
  | 'assistant'
  | 'backend'
  | 'index'
  | 'review'
  | 'evaluation'
  | 'agent'

/** A person or program that makes calls with one key. */
export interface Caller {
  key: DemoKey
  habit: Habit
  timeZone: TimeZone
  /** Its share of all calls, compared with the others. */
  weight: number
  models: readonly (readonly [ModelName, number])[]
}

export interface Company {
  teams: readonly DemoTeam[]
  people: readonly DemoPerson[]
  callers: readonly Caller[]
}

const teams = [
  { name: 'Platform', project: 'heron', habit: 'developer', size: 9 },
  { name: 'Mobile', project: 'kestrel', habit: 'developer', size: 8 },
  { name: 'Data', project: 'osprey', habit: 'developer', size: 6 },
  { name: 'Support', project: 'wren', habit: 'office', size: 9 },
  { name: 'Marketing', project: 'finch', habit: 'office', size: 5 },
  { name: 'Finance', project: 'plover', habit: 'office', size: 4 },
  { name: 'Research', project: 'petrel', habit: 'developer', size: 5 },
  { name: 'Operations', project: 'dunlin', habit: 'office', size: 4 },
] as const

const names =
  `Ada Fernhollow, Bela Quistgard, Cato Umbrelis, Dara Nightjar, Edda Stormvik, Falk Orrindal, Gita Samarell, Hugo Tvistberg,
Ines Calderwick, Jonas Appelrood, Kaya Brightwell, Leif Torpenhag, Mira Solanquist, Nils Varrow, Olga Pemberlyn, Pavel Drossmark,
Quinn Hazelby, Rosa Ticinelli, Sven Marblestad, Tara Okonvale, Ulf Grenadine, Vera Lindhollow, Wanda Kestrelby, Xenia Palomar,
Yusuf Amberlane, Zoe Whitlocke, Anton Rivershed, Bruna Castelmar, Carl Dovehaven, Dina Larkspur, Emil Foxgrove, Freya Sandmoor,
Gero Winterbloom, Hana Mizuferne, Igor Saltmarsh, Juna Ravenholt, Kurt Elderquist, Lena Moonraker, Marco Thistledown, Nora Fjellgaard,
Oskar Bluebrook, Petra Ashgrove, Rafael Goldcrest, Selma Driftwood, Timo Larchfield, Uma Cloverdale, Viktor Stonefen, Willa Meadowsweet,
Yara Plumtree, Zeno Harborlight`
    .split(',')
    .map((name) => name.trim())

const homes: readonly TimeZone[] = [
  'Europe/Berlin',
  'Europe/Berlin',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Singapore',
  'America/New_York',
]

const developerModels = [
  ['claude-sonnet-5-5', 46],
  ['gpt-6.1-sol', 34],
  ['claude-opus-5-5', 8],
  ['gpt-6-luna', 12],
] as const
const officeModels = [
  ['gpt-6.1-sol', 38],
  ['gemini-3.8-flash', 30],
  ['claude-sonnet-5-5', 22],
  ['gpt-6-luna', 10],
] as const

// A policy denies this model to the caller.
const supportModels = [...officeModels, ['claude-opus-5-5', 2]] as const

/** Services, each with its own key. The last is the runaway agent. */
const services: readonly (Omit<Caller, 'key'> & {
  name: string
  team: string
  env: string
  limits?: Partial<DemoKey>
})[] = [
  {
    name: 'kestrel-assistant',
    team: 'Mobile',
    env: 'prod',
    habit: 'assistant',
    timeZone: 'Europe/Berlin',
    weight: 16,
    models: [
      ['gpt-6-luna', 70],
      ['gpt-6.1-sol', 30],
    ],
  },
  {
    name: 'heron-gateway',
    team: 'Platform',
    env: 'prod',
    habit: 'backend',
    timeZone: 'America/New_York',
    weight: 10,
    models: [
      ['gemini-3.8-flash', 80],
      ['gpt-6-luna', 20],
    ],
  },
  {
    name: 'wren-replies',
    team: 'Support',
    env: 'prod',
    habit: 'assistant',
    timeZone: 'Europe/Berlin',
    weight: 9,
    models: [
      ['claude-sonnet-5-5', 60],
      ['gemini-3.8-flash', 40],
    ],
  },
  {
    name: 'osprey-indexer',
    team: 'Data',
    env: 'prod',
    habit: 'index',
    timeZone: 'Europe/Berlin',
    weight: 7,
    models: [['text-embedding-3-small', 1]],
    limits: { allowedModels: ['text-embedding-*'] },
  },
  {
    name: 'heron-review',
    team: 'Platform',
    env: 'ci',
    habit: 'review',
    timeZone: 'Europe/Berlin',
    weight: 6,
    models: [['claude-sonnet-5-5', 1]],
    limits: { rpmLimit: 20, tpmLimit: 500_000 },
  },
  {
    name: 'plover-invoices',
    team: 'Finance',
    env: 'prod',
    habit: 'backend',
    timeZone: 'Europe/Berlin',
    weight: 4,
    models: [['gpt-6.1-sol', 1]],
  },
  {
    name: 'petrel-evaluations',
    team: 'Research',
    env: 'staging',
    habit: 'evaluation',
    timeZone: 'America/New_York',
    weight: 4,
    models: [
      ['gpt-6-luna', 1],
      ['gemini-3.8-flash', 1],
      ['claude-opus-5-5', 1],
    ],
    limits: { rpmLimit: 60 },
  },
  {
    name: 'finch-drafts',
    team: 'Marketing',
    env: 'staging',
    habit: 'backend',
    timeZone: 'Asia/Singapore',
    weight: 2,
    models: [['gemini-3.8-flash', 1]],
  },
  {
    name: 'dunlin-night-agent',
    team: 'Operations',
    env: 'prod',
    habit: 'agent',
    timeZone: 'Europe/Berlin',
    weight: 1,
    models: [['claude-sonnet-5-5', 1]],
  },
]

export const runawayKey = 'dunlin-night-agent'
export const assistantKey = 'kestrel-assistant'

/** Describes 50 people in 8 teams and several services, each with a key. */
export function describeCompany(): Company {
  const callers: Caller[] = []
  const people: DemoPerson[] = []
  const projectOf = new Map<string, string>(teams.map(({ name, project }) => [name, project]))
  for (const team of teams) {
    for (let i = 0; i < team.size; i++) {
      const name = names[people.length] ?? ''
      const userId = name.toLowerCase().replace(' ', '.')
      const timeZone = homes[people.length % homes.length] ?? 'Europe/Berlin'
      people.push({ userId, name, email: `${userId}@example.com`, team: team.name, timeZone })
      const key: DemoKey = {
        name: `${name}, ${team.habit === 'developer' ? 'workbench' : 'desktop'}`,
        userId,
        team: team.name,
        rpmLimit: team.habit === 'developer' ? 60 : 20,
        tpmLimit: null,
        allowedModels: null,
        metadata: { env: 'dev', project: team.project },
      }
      const isDeveloper = team.habit === 'developer'
      const models = isDeveloper ? developerModels : team.name === 'Support' ? supportModels : officeModels
      callers.push({ key, habit: team.habit, timeZone, weight: isDeveloper ? 1.1 : 0.5, models })
    }
  }
  for (const { name, team, env, limits, ...habits } of services) {
    const key: DemoKey = {
      name,
      userId: null,
      team,
      rpmLimit: null,
      tpmLimit: null,
      allowedModels: null,
      metadata: { env, project: projectOf.get(team) ?? '' },
      ...limits,
    }
    callers.push({ key, ...habits })
  }
  return { teams: teams.map(({ name, project }) => ({ name, project })), people, callers }
}
