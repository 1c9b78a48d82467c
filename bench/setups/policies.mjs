/** One of each kind that a company would begin with; those after the fifth are the same with other words in them. @param {number} n */
export const policyOf = (n) =>
  [
    {
      kind: 'pii',
      config: { entities: ['email', 'credit_card', 'iban', 'us_ssn'] },
      action: 'redact',
      phase: 'both',
    },
    { kind: 'secrets', phase: 'both' },
    {
      kind: 'keywords',
      config: { words: Array.from({ length: 20 }, (_, i) => `project nightfall ${n} ${i}`) },
      phase: 'both',
    },
    {
      kind: 'pattern',
      config: { patterns: [{ name: 'badge', regex: `\\bEMP${n}-[0-9]{6}\\b` }] },
      phase: 'both',
    },
    { kind: 'model_denylist', config: { models: ['o1*', `house-${n}-*`] } },
  ][n % 5]
