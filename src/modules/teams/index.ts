export { ensureMember, requireTeam } from './store.js'
