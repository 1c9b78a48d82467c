import type { StaticDataRouteOption } from '@tanstack/react-router'
import { pages } from '../pages'

type Role = 'member' | 'auditor' | 'manager'
type PagePath = (typeof pages)[number]['types']['fullPath']

export interface NavigationItem extends StaticDataRouteOption {
  to: PagePath
}

/** The pages that a role can open, without those that are reached by a link only. */
export const pagesOf = (role: Role): NavigationItem[] =>
  pages
    .map((page) => ({ ...page.options.staticData, to: page.fullPath }))
    .filter((page) => page.group !== undefined && !(role === 'member' && page.isHiddenFromMembers === true))

const groups = ['analytics', 'access', 'integrations', 'governance'] as const

/** The same pages by navigation group. Settings is in the user menu instead. */
export const navigationOf = (role: Role): NavigationItem[][] =>
  groups.map((group) => pagesOf(role).filter((page) => page.group === group))
