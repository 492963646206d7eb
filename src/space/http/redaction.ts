/** In characters. Shorter parts of an encoding also occur elsewhere by chance. */
const minPartLength = 8
/** Layers of escaping that are undone. */
const maxLayers = 5

export interface Redaction {
  /** Returns the text without the secret. Text that contains the secret in escaped form is returned unescaped. */
  clean(this: void, text: string): string
  /**
   * Quickly checks whether a string, or the JSON of a string, may contain the secret. May return true for a string
   * without the secret, but never returns false for a string with it.
   */
  mayContain(this: void, text: string): boolean
}

/**
 * Finds a secret in every usual encoding: plain, base64 and hexadecimal, each possibly escaped for URLs, JSON or HTML,
 * up to several layers deep.
 * @param token removes nothing if empty
 * @param basic `<space id>:<token>` in base64
 * @param minLength in characters. Shorter encodings aren't removed.
 * @param flags `gi` ignores case
 */
export function createRedaction(token: string, basic: string, minLength: number, flags: 'g' | 'gi'): Redaction {
  const encodings = encodingsOf(token, basic).filter(({ length }) => length >= minLength)
  if (token === '' || encodings.length === 0) return { clean: (text) => text, mayContain: () => false }
  const pattern = new RegExp(
    encodings.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)).join('|'),
    flags,
  )
  const cores = [...new Set(encodings.map(coreOf))]
  return {
    mayContain: (text) =>
      cores.some((core) => text.includes(core)) ||
      text.includes(String.raw`\u`) ||
      // Searching for single characters is much faster than the regular expression.
      ((text.includes('%') || text.includes('&#')) && escapedLetters.test(text)),
    clean(text) {
      const clean = text.replace(pattern, '[secret]')
      if (!escape.test(clean)) return clean
      for (const unescape of unescapers) {
        const unescaped = unescapeFully(unescape, clean)
        const found = unescaped.replace(pattern, '[secret]')
        if (found !== unescaped) return found
      }
      return clean
    },
  }
}

/** Returns the longest run of letters and digits, because encoders don't need to escape these. */
function coreOf(encoding: string): string {
  const [longest = ''] = (encoding.match(/[a-z\d]+/gi) ?? []).toSorted((a, b) => b.length - a.length)
  return longest
}

/**
 * Returns the encodings of a secret, longest first, because removing a short encoding first would leave parts of longer
 * ones.
 */
function encodingsOf(token: string, basic: string): string[] {
  const bytes = Buffer.from(token)
  const base64 = [
    basic,
    basic.replace(/=+$/, ''),
    bytes.toString('base64'),
    ...insideBase64(bytes).filter(({ length }) => length >= minPartLength),
  ]
  const encodings = [
    token,
    token.replaceAll(' ', '+'),
    ...escapedForms(token),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]
  return [...new Set(encodings)].toSorted((a, b) => b.length - a.length)
}

/**
 * Returns the usual escaped forms. They are searched for literally, because unescaping can fail on a character before
 * the secret that looks like the start of an escape.
 */
function escapedForms(token: string): string[] {
  const addresses = [encodeURIComponent(token), encodeURI(token)]
  const json = JSON.stringify(token).slice(1, -1)
  const ascii = json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const lower = addresses.map((text) => text.replaceAll(/%../g, (escaped) => escaped.toLowerCase()))
  return [...addresses, ...lower, json, ascii]
}

/**
 * Returns the parts of a secret that survive in the base64 of longer data, for each of the three offsets within a
 * group.
 */
function insideBase64(secret: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64')
    // The first and the last character may contain bits of adjacent data.
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + secret.length) * 8) / 6))
  })
}

/** Escaped letters and digits, which encoders don't need to escape. */
const escapedLetters = /(?:%(?:25)*[3-7][\da-f]){3}|(?:&#x?[\da-f]+;){3}/i
const escape = /%[0-9a-f]{2}|\\["\\/u]|&(?:#|amp;|lt;|gt;|quot;|apos;)/i
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescapeUrl = (text: string): string =>
  text
    .replaceAll(/%(?:25)+(?=[0-9a-f]{2})/gi, '%')
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
const unescapeJson = (text: string): string =>
  text
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    .replaceAll(/\\+(["\\/])/g, '$1')
const unescapeHtml = (text: string): string =>
  text
    .replaceAll(/&#(x[0-9a-f]+|\d+);/gi, (reference, digits: string) => characterOf(digits) ?? reference)
    .replaceAll(/&(amp|lt|gt|quot|apos);/gi, (_, name: string) => named[name.toLowerCase()] ?? '')

/**
 * Unescapes all three kinds together, then each alone, because the secret itself may look like an escape of another
 * kind.
 */
const unescapers = [
  (text: string) => unescapeHtml(unescapeJson(unescapeUrl(text))),
  unescapeUrl,
  unescapeJson,
  unescapeHtml,
]

function unescapeFully(unescape: (text: string) => string, text: string): string {
  let result = text
  for (let layer = 0, before = ''; layer < maxLayers && result !== before; layer++) {
    before = result
    result = unescape(result)
  }
  return result
}

function characterOf(digits: string): string | undefined {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits)
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
}
