import { runInThisContext } from 'node:vm'
import { isIdentifierName } from '@babel/helper-validator-identifier'
import { describe, expect, test } from 'vitest'
import { kitCollection, nameKit } from '../../../src/kit/named-kit.js'
import { declarationsText } from '../../../src/modules/declarations.js'
import { identifier, literal } from '../../../src/modules/literal.js'
import { stringType } from '../../../src/modules/object-type.js'
import { exactType } from '../../../src/modules/types.js'
import { indexTexts } from '../../../src/commands/pull/render-index.js'
import { parseQuery } from '../../../src/request/query.js'
import { assetRecord, meaning, namedKit } from '../../support/declared.js'
import { everything, hostileTexts, steered } from '../../support/hostile-texts.js'
import { uuid } from '../../support/lock.js'

/** The lock reader rejects these names, so these tests check the second line of defense. */
const forged = nameKit(namedKit([assetRecord(1, 'Logo')]).kit, {
  assets: { [uuid(1)]: { name: 'logo', slug: 'logo', aliases: [{ name: 'x } from "a"; export { y', slug: 'x' }] } },
})

describe('a name that is not an identifier', () => {
  test('never becomes code of an index, of modules or of declarations', () => {
    const placed = [{ asset: assetRecord(1, 'Logo'), plan: {}, stem: 'logos/logo', files: new Map() }]
    for (const module of ['url', 'cjs'] as const) {
      const made = { named: forged, collection: kitCollection(forged), query: parseQuery(''), module }
      expect(() => indexTexts({ ...made, placed, runtime: new Map(), darkMode: 'media' })).toThrow(TypeError)
    }
    expect(() => declarationsText([meaning('content-space:kit/a', forged)])).toThrow(TypeError)
  })

  test.each(['', 'a b', 'a-b', '1a', 'a}', ...hostileTexts.filter((text) => !isIdentifierName(text))])('%j', (text) => {
    expect(() => identifier(text)).toThrow(TypeError)
  })
})

describe('texts in code and types', () => {
  test("don't contain hidden characters, and keep their value", () => {
    for (const text of hostileTexts) {
      const code = literal({ text, [text]: text })
      expect(steered(code)).toEqual([])
      expect(runInThisContext(`(${code})`)).toEqual(
        Object.fromEntries([
          ['text', text],
          [text, text],
        ]),
      )
      expect(runInThisContext(stringType(text))).toBe(text)
      expect(steered(stringType(text))).toEqual([])
    }
  })

  test('keep keys of objects as keys', () => {
    expect(exactType({ 'a: hit()': 1 })).toBe("{ 'a: hit()': 1 }")
  })

  test("don't contain control characters in the declarations of a hostile kit", () => {
    const named = namedKit(
      hostileTexts.map((name, at) => assetRecord(at + 1, name, { notes: everything, type: everything })),
    )
    expect(steered(declarationsText([meaning('content-space:kit/a', named)]))).toEqual([])
  })
})
