import { describe, expect, test } from 'vitest'
import { readAddress } from '../../../../src/space/http/credentials.js'
import { readResult } from '../../../../src/space/http/envelope.js'
import { jsonLimits, mapTexts, parseJson } from '../../../../src/space/http/json.js'
import { sortKeys } from '../../../../src/space/wire/sort-keys.js'

const token = 'CANARY+9/ü=:tok & "x"'
const { credentials } = readAddress('https://content.example', 7, token)
const basic = Buffer.from(`7:${token}`).toString('base64')
const tokenBytes = Buffer.from(token)
const escaped = (text: string, escape: (unit: number) => string) =>
  Array.from({ length: text.length }, (_, at) => escape(text.charCodeAt(at))).join('')
const nested = (levels: number, open: string, close: string) =>
  `{"success":true,"result":${open.repeat(levels)}1${close.repeat(levels)}}`

const spellings: Record<string, string> = {
  'as it is': token,
  'in an address': encodeURIComponent(token),
  'in an address, lower case': encodeURIComponent(token).replaceAll(/%../g, (part) => part.toLowerCase()),
  'in an address, twice': encodeURIComponent(encodeURIComponent(token)),
  'in an address, every byte': Array.from(tokenBytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  'in a form': encodeURIComponent(token).replaceAll('%20', '+'),
  'in JSON': JSON.stringify(token).slice(1, -1),
  'in JSON, every character': escaped(token, (unit) => `\\u${unit.toString(16).padStart(4, '0')}`),
  'in HTML': token.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'in HTML, every character': escaped(token, (unit) => `&#${unit};`),
  'in HTML, every character in hexadecimal': escaped(token, (unit) => `&#x${unit.toString(16)};`),
  'in the header': `Basic ${basic}`,
  'in the header, in an address': encodeURIComponent(basic),
  'in base64': tokenBytes.toString('base64'),
  'in base64 without padding': tokenBytes.toString('base64').replace(/=+$/, ''),
  'in base64url': tokenBytes.toString('base64url'),
  'in base64 of more': Buffer.from(`{"t":"${token}"}`).toString('base64'),
  'in base64 of more, one byte on': Buffer.from(`{"to":"${token}"}`).toString('base64'),
  'in base64 of more, two bytes on': Buffer.from(`{"tok":"${token}"}`).toString('base64'),
  'in hexadecimal': tokenBytes.toString('hex'),
  'in hexadecimal, upper case': tokenBytes.toString('hex').toUpperCase(),
}

describe('the token in content', () => {
  test.each(Object.entries(spellings))('is removed %s', (_, spelling) => {
    for (const text of [spelling, `before ${spelling} behind`]) {
      const clean = credentials.content.clean(text)
      expect(clean).toContain('[secret]')
      expect(clean).not.toContain(spelling)
      expect(credentials.content.mayContain(JSON.stringify({ [text]: 1 }))).toBe(true)
    }
  })

  test('leaves other text unchanged', () => {
    const texts = [
      '',
      'CANARY',
      '100 % of it, 50%25 off',
      'a & b &amp; c',
      'a\\b "c"',
      '\u{1F600}',
      '&#1114112;',
      '%ff%fe',
    ]
    for (const text of [...texts, 'https://content.example/a%20b?c=%C3%BC&d'])
      expect(credentials.content.clean(text)).toBe(text)
  })

  test('is searched for if it has at least eight characters: shorter ones occur in other words', () => {
    const short = readAddress('https://content.example', 7, 'brand').credentials
    expect(short.content.clean('the brand, and NzpicmFuZA==')).toBe('the brand, and [secret]')
    expect(short.redact('the brand')).toBe('the [secret]')
  })

  test('is removed from texts and keys at any depth, without any other change', () => {
    const sent = JSON.parse(
      `{"a":[1,null,true,{"__proto__":{"${encodeURIComponent(token)}":"x"},"b":["t"]}],"c":{"d":1.5}}`,
    )
    const clean = mapTexts(sent, credentials.content.clean)
    expect(JSON.stringify(clean)).toBe('{"a":[1,null,true,{"__proto__":{"[secret]":"x"},"b":["t"]}],"c":{"d":1.5}}')
    expect(mapTexts({ a: ['b'] }, credentials.content.clean)).toEqual({ a: ['b'] })
  })
})

describe('messages', () => {
  test("don't contain the token in another case, such as in a host name", () => {
    expect(credentials.redactMessage(`http://${'CANARY'.toLowerCase()}`)).toContain('canary')
    const { redactMessage } = readAddress('https://content.example', 7, 'SecretToken').credentials
    expect(redactMessage('https://secrettoken.example')).toBe('https://[secret].example')
  })
})

describe('JSON of a service', () => {
  const context = { facts: {}, credentials: { spaceId: '7', redact: (text: string) => text } }

  test.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('is rejected with an error when nested too deeply: %s', (_, open, close) => {
    for (const levels of [101, 5000, 1_000_000]) {
      const answer = { status: 200, headers: {}, bytes: Buffer.from(nested(levels, open, close)) }
      expect(() => readResult(answer, context)).toThrow(/more than 100 levels/)
    }
    expect(() =>
      readResult({ status: 502, headers: {}, bytes: Buffer.from(nested(5000, open, close)) }, context),
    ).toThrow(/HTTP status 502/)
    expect(parseJson(Buffer.from(nested(90, open, close)))).toBeDefined()
  })

  test('is rejected with an error when it has too many values', () => {
    const bytes = Buffer.from(`{"success":true,"result":{"a":[${'0,'.repeat(jsonLimits.values)}0]}}`)
    expect(() => readResult({ status: 200, headers: {}, bytes }, context)).toThrow(/more than 4000000 values/)
  })

  test('ignores brackets in texts when levels are counted', () => {
    const text = `${'[{'.repeat(300)}\\"${'[{'.repeat(300)}\\\\`
    expect(parseJson(Buffer.from(`{"a":"${text}","b":[]}`))).toEqual({ a: JSON.parse(`"${text}"`), b: [] })
  })
})

describe('records', () => {
  test('are rejected when nested too deeply, in any source', () => {
    let deep: unknown = 1
    for (let level = 0; level < 5000; level++) deep = level % 2 === 0 ? [deep] : { deep }
    expect(() => sortKeys(deep)).toThrow(expect.objectContaining({ code: 'invalidResponse' }))
  })

  test('have sorted keys, for any names', () => {
    const sorted = sortKeys(JSON.parse('{"b":1,"__proto__":{"d":[],"c":null},"a":{"480":"x","292":"y"}}'))
    expect(JSON.stringify(sorted)).toBe('{"__proto__":{"c":null,"d":[]},"a":{"292":"y","480":"x"},"b":1}')
  })
})
