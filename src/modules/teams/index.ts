export { registerMemberRoutes } from './member-routes.js'
export { UserId } from './schema.js'
export {
  ensureMember,
  findMember,
  listMembers,
  lockMember,
  type MemberRow,
  requireTeam,
  updateMember,
} from './store.js'
export { registerTeamRoutes } from './team-routes.js'
