/** The two-letter top-level domains in use: all are countries or regions. */
const countries = new Set(
  (
    'ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf ' +
    'cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg ' +
    'gh gi gl gm gn gp gq gr gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn ' +
    'kp kr kw ky kz la lb lc li lk lr ls lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na ' +
    'nc ne nf ng ni nl no np nr nu nz om pa pe pf pg ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh ' +
    'si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve ' +
    'vg vi vn vu wf ws ye yt za zm zw'
  ).split(' '),
)

/**
 * Endings that follow an @ in file names, unit names and code far more often than in addresses. A list of all generic
 * domains instead would be out of date within months, and would miss the private ones (`corp`, `internal`, `lan`).
 */
const notDomains = new Set(
  (
    'png jpg jpeg gif svg webp avif bmp ico tiff heic mp3 mp4 webm ogg wav css scss sass less html htm xhtml json jsonc ' +
    'yaml yml toml xml csv tsv txt log lock ini cfg conf env bak tmp swp tar tgz gzip rar jar war apk deb rpm dmg iso exe ' +
    'dll bin class java kts cpp hpp php tsx jsx mjs cjs mts cts vue svelte ipynb sql sqlite pdf doc docx xls xlsx ppt pptx ' +
    'woff woff2 ttf otf eot map min pem crt key pub csr service socket timer target mount slice scope length value prop'
  ).split(' '),
)

export function isTopLevelDomain(label: string): boolean {
  const name = label.toLowerCase()
  if (name.startsWith('xn--')) return name.length > 5
  if (!/^[a-z]+$/.test(name)) return isNonAsciiDomain(name)
  return name.length === 2
    ? countries.has(name)
    : name.length > 2 && name.length <= 24 && !notDomains.has(name)
}

/** True for two or more letters, none of them ASCII: `рф`, `公司`. */
const isNonAsciiDomain = (name: string): boolean => name.length >= 2 && /^[^\p{ASCII}\p{N}]+$/u.test(name)
