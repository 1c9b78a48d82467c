import { withoutHidden } from '../../shared/hidden-characters.js'

/**
 * Phrases in descriptions that address the model instead of describing the tool. They find careless or common
 * attempts, for the person who approves; no list finds all of them. Every repetition is bounded, because the texts
 * are not trusted.
 */
const patterns: readonly (readonly [pattern: RegExp, message: string])[] = [
  [
    /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:previous|prior|above|earlier|preceding|other|existing|system|all|any|your)\b.{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|directions?|messages?|context|tools?|polic(?:y|ies))\b/,
    'tells the model to ignore other instructions',
  ],
  [
    /ignoriere?.{0,40}(?:anweisungen|regeln|vorgaben)|ignore[zr]?.{0,20}(?:instructions|consignes|regles).{0,20}(?:precedentes|ci-dessus)|(?:ignora|olvida|omite).{0,30}instrucciones|ignor[ae].{0,30}(?:istruzioni|instrucoes)|(?:忽略|无视|無視|忘记).{0,12}(?:指令|指示|说明|規則|规则)|(?:以前|上記|これまで)の(?:指示|命令)を(?:無視|忘れ)|игнорируй.{0,30}(?:инструкци|указани)/,
    'tells the model to ignore other instructions',
  ],
  [
    /\b(?:do not|don'?t|never|without|must not|mustn'?t|should not|avoid|no need to|not necessary to)\b.{0,20}\b(?:tell|inform|mention|notify|reveal|disclose|show|alert|warn|ask|explain|telling|informing|mentioning|notifying|revealing|disclosing|showing|alerting|warning|asking|explaining)\b.{0,40}\b(?:users?|humans?|person|people|anyone|operator|developer)\b/,
    'wants something kept from the user',
  ],
  [
    /\b(?:keep|hide|conceal)\b.{0,30}\b(?:secret|hidden|from the (?:user|human))\b|\b(?:secretly|silently|covertly)\b.{0,30}\b(?:send|call|read|include|pass|copy|forward|append|use)\b/,
    'wants something kept from the user',
  ],
  [
    /<\/?\s?(?:important|system|secret|instructions?|admin|critical|urgent|hidden|override|developer|assistant|system[-_ ]?(?:prompt|message|reminder))\b[^>]{0,80}>|<\|[a-z_]{1,40}\|>|\[\/?(?:inst|system|important|admin)\]|<<\s?sys\s?>>/,
    'has marks that models take for instructions of their own',
  ],
  [
    /(?:^|\n)\s{0,8}[#*_ ]{0,6}(?:system|assistant|developer)[*_ ]{0,4}:|\b(?:your|the|new|updated) system (?:prompt|message|instructions?)\b|\bnew instructions?\s?:/,
    'speaks as the system or the assistant',
  ],
  [
    /\b(?:before|prior to|after|when(?:ever)?|instead of)\s(?:using|calling|invoking|running|you use|you call|any use of|any call to)\b.{0,30}\b(?:any|other|another|every|each|all|a different|tools?)\b/,
    'speaks of when to use other tools',
  ],
  [
    /\b(?:always|must|required to|have to|need to)\b.{0,20}\b(?:call|use|invoke|run|execute)\b.{0,30}\b(?:this tool|it) (?:first|before|instead)\b|\b(?:instead of|rather than|in place of|not)\b.{0,20}\b(?:the )?other tools?\b/,
    'demands to be used before or instead of others',
  ],
  [
    /\b(?:you|the (?:model|assistant|ai|llm|agent)|(?:ai|language) (?:model|assistant|agent)s?)\b.{0,12}\b(?:must|shall|are required to|is required to|are obliged to|have to|has to|need to)\b/,
    'gives the model orders',
  ],
  [
    /(?:~|\/home\/[^/\s]{1,40}|\/root|%userprofile%|\$home)[/\\]\.(?:ssh|aws|config|gnupg|kube|docker|cursor|claude|npmrc|netrc|git-credentials)|\bid_(?:rsa|ed25519|ecdsa|dsa)\b|\/etc\/(?:passwd|shadow)\b|\.aws\/credentials|\bmcp\.json\b|(?:^|[\s"'`(/])\.env\b/,
    'names files in which secrets are',
  ],
  [
    /\b(?:pass|put|include|add|append|send|copy|insert|write)\b.{0,60}\b(?:conversation|chat history|message history|previous messages|system prompt|api keys?|passwords?|tokens?|credentials?|secrets?|environment variables?)\b/,
    'asks for what the conversation or the machine knows',
  ],
  [/!\[[^\]]{0,200}\]\(\s?https?:/, 'has a picture from another host, which tells that host of its reader'],
  [/<!--/, 'has a comment that pages do not show'],
]

/** Returns the ways in which a text addresses the model, each once, as messages. */
export function findInstructions(text: string): string[] {
  const folded = fold(text)
  const found = patterns.filter(([pattern]) => pattern.test(folded)).map(([, message]) => message)
  return [...new Set(found)]
}

/** Normalises a text as a model reads it: capitals, wide letters, accents and blanks make no difference. */
const fold = (text: string): string =>
  withoutHidden(text)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/(?<=\w)\n(?=\w)/g, ' ')
