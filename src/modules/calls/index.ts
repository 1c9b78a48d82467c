export { makePartitions, startPartitionUpkeep } from './partitions.js'
export { projectCallCorrection, projectCalls } from './projection.js'
export { registerCallRoutes } from './routes.js'
