import { expect, test } from 'vitest'
import { maxTexts, withBoundedTexts } from '../../../src/space/bounded-texts.js'
import { assetItem, assetRecord, headingItem, id, memoryKit, memorySpace } from '../../support/memory-space.js'

const long = '漢'.repeat(100_000)

test('texts in a listing are cut at their limit, with one warning', async () => {
  const raw = { notes: long, keywords: [long], meta: { deep: [{ name: long, text: `${'x'.repeat(9998)}😀😀` }] } }
  const record = assetRecord(id(1), long, { notes: long, keywords: [long], raw })
  const kit = memoryKit(id(9), long, [
    { uuid: id(2), name: long, items: [headingItem(id(3), long), assetItem(id(1), record)] },
  ])
  const warnings: string[] = []
  const space = withBoundedTexts(
    memorySpace(() => [kit]),
    (message) => void warnings.push(message),
  )
  const listed = [await space.kits(), await space.section(id(2), 1), await space.outline(id(9), 1)]
  const found: [key: string, text: string][] = []
  JSON.stringify(listed, (key, value: unknown) => {
    if (typeof value === 'string') found.push([key, value])
    return value
  })
  expect(found.filter(([, text]) => text.endsWith('…')).length).toBeGreaterThan(5)
  for (const [key, text] of found)
    expect(text.length).toBeLessThanOrEqual(key === 'name' ? maxTexts.name : maxTexts.text)
  expect(found.filter(([, text]) => /[\ud800-\udbff](?![\udc00-\udfff])/.test(text))).toEqual([])
  expect(warnings).toEqual([
    'Some texts of memory are too long: only the first 1000 characters of a name and 10000 of any other text are used.',
  ])
})
