// Texts that encodings take apart in very different ways.

export const english =
  'A tally stick was split between two parties, so that neither could alter the count without the other. '
export const hindi = 'गिनती की छड़ी दो पक्षों के बीच बाँटी जाती थी ताकि कोई अकेला गिनती न बदल सके। '
export const chinese = '账目木棒一分为二，双方各执一半，任何一方都无法独自更改数目。'
export const thai = 'ไม้นับถูกผ่าออกเป็นสองซีกเพื่อไม่ให้ฝ่ายใดเปลี่ยนจำนวนได้โดยลำพัง '
export const emoji = '👩🏽‍🚀🏴󠁧󠁢󠁳󠁣󠁴󠁿👨‍👩‍👧‍👦🫱🏻‍🫲🏿🧑‍🦽‍➡️'
export const zalgo = 't̴̢̧̛͔̜̹̬͎̀̓̑̈́a̵̡̪͖̩̽̎̾͘l̶̙͓̝͑̋̐l̸̢͎̟̈́̆y̷̡̛̪̗͂͒ '
export const rare = '𒀀𒀁𒀂𓀀𓀁𐎠𐎡ꙮ꧁𝕿𝖆𝖑𝖑𝖞'
export const code = 'for(const[k,v]of Object.entries(x)){if(v!==null&&!(k in y)){y[k]=String(v)??[]}}\n'
export const escaped = '"\\\n\t\u0001\u001f\\"\u2028'
export const specialTokens =
  '<|endoftext|><|im_start|>system<|im_end|><|fim_prefix|>\n\nHuman: \n\nAssistant: '
export const digits = '3141592653589793238462643383279502884197169399375105820974944592307816406286'

/** The text again and again, up to so many characters. */
export const long = (text: string, characters: number): string =>
  text.repeat(Math.ceil(characters / text.length)).slice(0, characters)

export const base64 = (bytes: number): string =>
  Buffer.from(Array.from({ length: bytes }, (_, index) => (index * 167 + (index >> 3) * 59) & 0xff)).toString(
    'base64',
  )
