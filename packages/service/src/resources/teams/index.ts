export { createTeam } from './manage.js'
export { createMember, updateMember, updateMemberRole } from './manage-members.js'
export { registerMemberRoutes } from './member-routes.js'
export {
  ensureMember,
  eraseMember,
  findMember,
  listMembers,
  lockMember,
  type MemberRow,
  positionOfMember,
  updateMemberRow,
} from './member-store.js'
export { registerTeamRoutes } from './routes.js'
export { MemberFilterQuery } from './schema.js'
export { findTeam, requireTeam } from './store.js'
