export { answerOnce } from './answer-once.js'
export { startPruningAnswers } from './prune.js'
