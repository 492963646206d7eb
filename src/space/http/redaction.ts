/** Characters under which a part of an encoding is too likely to stand in a text by chance. */
const leastPart = 8
/** How often one text may be escaped over another. */
const mostLayers = 5

/** Takes a secret out of texts. */
export interface Redaction {
  /** The text without the secret. A text in which an escaped secret was found comes back unescaped. */
  clean(this: void, text: string): string
  /**
   * Whether the secret may be in a text, or in JSON. It costs next to nothing where it is not, and says yes too
   * often.
   */
  mayContain(this: void, text: string): boolean
}

/**
 * Finds a secret however it is spelled: as it is, in base64, in hexadecimal, and each of these escaped as addresses,
 * JSON or HTML do, also several times over.
 * @param token
 * @param basic `<space id>:<token>` in base64
 * @param least characters; shorter spellings stay
 * @param flags `gi` finds them in upper and lower case alike
 */
export function createRedaction(token: string, basic: string, least: number, flags: 'g' | 'gi'): Redaction {
  const spellings = spellingsOf(token, basic).filter(({ length }) => length >= least)
  if (spellings.length === 0) return { clean: (text) => text, mayContain: () => false }
  const pattern = new RegExp(
    spellings.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)).join('|'),
    flags,
  )
  const cores = [...new Set(spellings.map(coreOf))]
  return {
    mayContain: (text) =>
      cores.some((core) => text.includes(core)) || text.includes(String.raw`\u`) || escapedLetters.test(text),
    clean(text) {
      const clean = text.replace(pattern, '[secret]')
      if (!escape.test(clean)) return clean
      for (const unescape of unescapers) {
        const plain = repeated(unescape, clean)
        const found = plain.replace(pattern, '[secret]')
        if (found !== plain) return found
      }
      return clean
    },
  }
}

/** What encoders leave alone: the longest run of letters and digits. */
function coreOf(spelling: string): string {
  const [longest = ''] = (spelling.match(/[a-z\d]+/gi) ?? []).toSorted((a, b) => b.length - a.length)
  return longest
}

/** Longest first, so that no spelling leaves the rest of a longer one behind. */
function spellingsOf(token: string, basic: string): string[] {
  const bytes = Buffer.from(token)
  const base64 = [
    basic,
    basic.replace(/=+$/, ''),
    bytes.toString('base64'),
    ...insideBase64(bytes).filter(({ length }) => length >= leastPart),
  ]
  const spellings = [
    token,
    token.replaceAll(' ', '+'),
    ...escapedSpellings(token),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
  ]
  return [...new Set(spellings)].toSorted((a, b) => b.length - a.length)
}

/** The usual ones as they are: a sign in front of one may look like the beginning of its escape. */
function escapedSpellings(token: string): string[] {
  const addresses = [encodeURIComponent(token), encodeURI(token)]
  const json = JSON.stringify(token).slice(1, -1)
  const ascii = json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const lower = addresses.map((text) => text.replaceAll(/%../g, (escaped) => escaped.toLowerCase()))
  return [...addresses, ...lower, json, ascii]
}

/** What base64 of any bytes around a secret has of it, at each of the three places where it may begin. */
function insideBase64(secret: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64')
    // The first and the last character may also hold bits of what stands beside the secret.
    return text.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + secret.length) * 8) / 6))
  })
}

/** Letters and digits that are escaped, though no encoder has to. */
const escapedLetters = /(?:%(?:25)*[3-7][\da-f]){3}|(?:&#x?[\da-f]+;){3}/i
const escape = /%[0-9a-f]{2}|\\["\\/u]|&(?:#|amp;|lt;|gt;|quot;|apos;)/i
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const ofAddresses = (text: string): string =>
  text
    .replaceAll(/%(?:25)+(?=[0-9a-f]{2})/gi, '%')
    .replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
const ofJson = (text: string): string =>
  text
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, unit: string) => String.fromCharCode(Number.parseInt(unit, 16)))
    .replaceAll(/\\+(["\\/])/g, '$1')
const ofHtml = (text: string): string =>
  text
    .replaceAll(/&#(x[0-9a-f]+|\d+);/gi, (reference, digits: string) => characterOf(digits) ?? reference)
    .replaceAll(/&(amp|lt|gt|quot|apos);/gi, (_, name: string) => named[name.toLowerCase()] ?? '')

/** All together, and each alone: what looks like an escape of another kind may be a part of the secret. */
const unescapers = [(text: string) => ofHtml(ofJson(ofAddresses(text))), ofAddresses, ofJson, ofHtml]

function repeated(unescape: (text: string) => string, text: string): string {
  let plain = text
  for (let layer = 0, before = ''; layer < mostLayers && plain !== before; layer++) {
    before = plain
    plain = unescape(plain)
  }
  return plain
}

function characterOf(digits: string): string | undefined {
  const code = /^x/i.test(digits) ? Number.parseInt(digits.slice(1), 16) : Number(digits)
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
}
