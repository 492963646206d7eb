/** A space id, and a token that contains characters that encodings change. */
export const secret = { spaceId: 7, token: 'CANARY+9/ü=:tok' }

const { spaceId, token } = secret
const basic = Buffer.from(`${spaceId}:${token}`)
const percent = (text: string): string => text.replaceAll(/%../g, (escape) => escape.toLowerCase())
const base64 = (bytes: Buffer): string[] => [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')]
/** Escapes all characters except ASCII, as some JSON writers do. */
const ascii = JSON.stringify(token)
  .slice(1, -1)
  .replaceAll(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** All encodings of the token. */
export const spellings: readonly string[] = [
  token,
  encodeURIComponent(token),
  percent(encodeURIComponent(token)),
  encodeURI(token),
  ...base64(basic),
  ...base64(Buffer.from(token)),
  basic.toString('hex'),
  Buffer.from(token).toString('hex'),
  Buffer.from(token).toString('hex').toUpperCase(),
  JSON.stringify(token).slice(1, -1),
  ascii,
]

const needles = [...new Set(spellings)].map((spelling) => Buffer.from(spelling))

/** Checks whether bytes contain the token in any encoding. */
export function holdsSecret(bytes: Buffer | string): boolean {
  const all = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  return needles.some((needle) => all.includes(needle))
}
