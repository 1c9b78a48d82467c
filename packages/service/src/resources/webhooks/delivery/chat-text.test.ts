import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chatText, neutralise } from './chat-text.js'

describe('in the text of a chat message', () => {
  test.each([
    // Slack
    ['<!channel>', '‹!channel›'],
    ['<@U012AB3CD>', '‹＠U012AB3CD›'],
    ['<#C024BE7LR>', '‹＃C024BE7LR›'],
    ['<https://evil.example|Reset your password>', '‹https:⁄⁄evil.example¦Reset your password›'],
    ['&lt;!here&gt;', '＆lt;!here＆gt;'],
    // Discord
    ['@everyone @here <@&123>', '＠everyone ＠here ‹＠&123›'],
    ['||spoiler|| __under__ ~~struck~~', '¦¦spoiler¦¦ ＿＿under＿＿ ∼∼struck∼∼'],
    // Teams and Mattermost
    ['<at>Ada</at> <b>bold</b>', '‹at›Ada‹/at› ‹b›bold‹/b›'],
    ['[x](https://evil.example) ![img](x)', '［x］(https:⁄⁄evil.example) !［img］(x)'],
    ['~town-square #tag $\\pi$', '∼town-square ＃tag ＄＼pi＄'],
    ['*bold* _it_ `code` ```block```', '∗bold∗ ＿it＿ ˋcodeˋ ˋˋˋblockˋˋˋ'],
    [':rotating_light: :+1:', '：rotating_light: ：+1:'],
    // Lines, directions and what cannot be seen
    ['a\n> quote\r\n# heading\u2028- item', 'a › quote ＃ heading - item'],
    ['pay\u202Egnp.exe', 'pay gnp.exe'],
    ['@\u200Beveryone', '＠ everyone'],
    ['\0\x1b[31mred', '［31mred'],
  ])('%j cannot be read as markup', (text, shown) => expect(neutralise(text)).toBe(shown))

  test.each([
    'research, monthly',
    'my_team-2',
    'R&D (Zürich) 50 %',
    'gpt-4o-mini',
    '日本語 チーム',
    "Ada's 12:30 slot",
    'a/b.c',
  ])('the plain name %j stays as it is', (name) => expect(neutralise(name)).toBe(name))

  test('no text leaves anything that begins markup, a mention, a link or a line', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...'<>@#*_~`|[]\\$:/&;! \n\tab1', '\u202e', '\u200b', '\ud800'),
    })
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string({ unit: 'binary' })), (text) => {
        const shown = neutralise(text)
        expect(shown).not.toMatch(/[<>@#*~`|[\]\\$\p{C}\u2028\u2029]|__|:\/\/|:[a-z0-9_+-]+:|&#?\w+;/iu)
        expect(chatText('webhook.test', text).split('\n')).toHaveLength(2)
      }),
    )
  })

  test('a long text is cut', () => {
    expect(neutralise('x'.repeat(100_000))).toHaveLength(1_500)
    expect(neutralise(`${'x'.repeat(1_499)}😀`).isWellFormed()).toBe(true)
  })
})
