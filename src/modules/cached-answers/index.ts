export {
  type CachedAnswers,
  createCachedAnswers,
  maxAnswerBytes,
  type StoredAnswer,
} from './cached-answers.js'
export { startPruningCachedAnswers } from './prune.js'
export { eraseCachedAnswers } from './store.js'
