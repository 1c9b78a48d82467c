export { startPruningCachedAnswers } from './prune.js'
export {
  type CachedAnswers,
  createCachedAnswers,
  maxAnswerBytes,
  type StoredAnswer,
} from './response-cache.js'
export { eraseCachedAnswers } from './store.js'
