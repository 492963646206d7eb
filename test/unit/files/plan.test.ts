import { describe, expect, test } from 'vitest'
import { planAsset, type SrcsetEntry } from '../../../src/files/plan.js'
import { readRecipe } from '../../../src/files/recipe.js'
import { parseQuery } from '../../../src/request/query.js'
import { assetRecord } from '../../support/declared.js'
import { planned } from '../../support/files.js'

const photo = { type: 'JPG', width: 3000, height: 2000 }
const logo = { type: 'SVG', name: 'Acme Logo.svg', width: 100.5, height: 50 }
const descriptors = (entries: SrcsetEntry[] | undefined) => entries?.map(({ descriptor }) => descriptor)

describe('planAsset', () => {
  test('passes a photo through unchanged', () => {
    const plan = planned({ ...photo, fileHash: 'abc' }, '')
    expect(plan).toEqual({
      src: {
        asset: expect.any(String),
        label: 'Hero Photo',
        name: 'hero-photo',
        ext: 'jpg',
        type: 'JPG',
        hash: 'abc',
        size: 1000,
      },
      format: 'jpg',
      width: 3000,
      height: 2000,
    })
  })

  test("doesn't plan anything for data, or a file for a description", () => {
    expect(planned({ type: 'color', size: 0 }, 'w=100')).toEqual({})
    expect(planned(photo, 'as=metadata')).toEqual({})
  })

  test('requires the check of an SVG file, unless it is trusted', () => {
    expect(readRecipe(planned(logo, '').src?.recipe ?? '')).toMatchObject({ kind: 'svg', policy: 'sanitize' })
    expect(planned(logo, '', 'trust').src?.recipe).toBeUndefined()
    expect(planned({ ...logo, type: 'Sketch' }, 'cut=svg').src).toMatchObject({
      ext: 'svg',
      cut: 'SVG',
      recipe: expect.any(String),
    })
  })

  test('writes the recipe that SVG files share once for each query', () => {
    let read = 0
    const query = new Proxy(parseQuery('svgo'), {
      get(target, key, receiver): unknown {
        if (key === 'currentcolor') read++
        return Reflect.get(target, key, receiver)
      },
    })
    const assets = Array.from({ length: 50 }, (_, at) => assetRecord(at, `Icon ${at}`))
    const recipes = new Set(assets.map((asset) => planAsset(asset, query, 'sanitize').src?.recipe))
    expect(recipes).toEqual(new Set([planned(logo, 'svgo').src?.recipe]))
    expect(read).toBe(1)
  })

  test('clamps widths to the original, without duplicates', () => {
    const plan = planned(photo, 'w=640;1280;4000;5000')
    expect(descriptors(plan.srcset)).toEqual(['640w', '1280w', '3000w'])
    expect(plan).toMatchObject({ width: 3000, height: 2000, format: 'jpg' })
    expect(plan.src).toEqual(plan.srcset?.at(-1)?.file)
  })

  test('enlarges on request, and SVG always', () => {
    expect(descriptors(planned(photo, 'w=640;6000&enlarge').srcset)).toEqual(['640w', '6000w'])
    expect(planned(logo, 'w=2010')).toMatchObject({ width: 2010, height: 1000, format: 'png' })
  })

  test('describes several heights by the resulting widths', () => {
    expect(descriptors(planned(photo, 'h=100;200').srcset)).toEqual(['150w', '300w'])
  })

  test("doesn't repeat a descriptor if several heights have the same width", () => {
    const { srcset, height } = planned({ ...photo, width: 100, height: 3000 }, 'h=100;101;200')
    expect(descriptors(srcset)).toEqual(['3w', '7w'])
    expect(height).toBe(200)
  })

  test('plans densities of one size without enlarging', () => {
    const plan = planned({ ...photo, width: 600, height: 400 }, 'w=400&dpr=1;2')
    expect(descriptors(plan.srcset)).toEqual(['1x', '1.5x'])
    expect(plan).toMatchObject({ width: 600, height: 400 })
  })

  test.each([
    ['h=100&dpr=1;2', ['1x', '2x'], [333, 200]],
    ['w=333&dpr=1;1.25;1.5', ['1x', '1.25x', '1.5x'], [500, 300]],
    ['w=100&h=33&fit=inside&dpr=1;2;3', ['1x', '2x', '3x'], [165, 99]],
    ['h=600&dpr=1;2;3', ['1x', '1.5x'], [1500, 900]],
    ['w=2000&dpr=0.5;1', ['0.667x', '1x'], [1500, 900]],
  ])('describes %s by the requested densities, and not by the rounded sides', (query, expected, [width, height]) => {
    const plan = planned({ ...photo, width: 1500, height: 900 }, query)
    expect(descriptors(plan.srcset)).toEqual(expected)
    expect(plan).toMatchObject({ width, height })
  })

  test('makes sources in the given order, and src from the last one', () => {
    const plan = planned(photo, 'w=640;1280&format=avif;webp;original')
    expect(plan.sources?.map(({ type }) => type)).toEqual(['image/avif', 'image/webp', 'image/jpeg'])
    expect(plan.src).toMatchObject({ ext: 'jpg' })
    expect(plan.sources?.at(-1)?.srcset).toEqual(plan.srcset)
  })

  test("keeps the service's file if original doesn't need a conversion", () => {
    const plan = planned(photo, 'format=webp;original')
    expect(plan.src?.recipe).toBeUndefined()
    expect(plan.srcset).toBeUndefined()
    expect(descriptors(plan.sources?.[0]?.srcset)).toEqual(['1x'])
  })

  test.each([
    ['cover', 300, 300],
    ['fill', 300, 300],
    ['contain', 300, 300],
    ['inside', 300, 200],
    ['outside', 450, 300],
  ])('fits both sides with fit=%s', (fit, width, height) => {
    expect(planned(photo, `w=300&h=300&fit=${fit}`)).toMatchObject({ width, height })
  })

  test('keeps the proportions of a crop that would enlarge', () => {
    expect(planned({ ...photo, width: 300, height: 500 }, 'w=400&h=400')).toMatchObject({ width: 300, height: 300 })
  })

  test('rotates before it measures', () => {
    expect(planned(photo, 'rotate=90&w=300')).toMatchObject({ width: 300, height: 450 })
  })

  test.each(['PDF', 'EPS', 'Sketch'])('makes pictures of the PNG cut of %s', (type) => {
    expect(planned({ ...photo, type }, 'w=300').src).toMatchObject({ type, cut: 'PNG', ext: 'png' })
    expect(planned({ ...photo, type }, 'format=webp').src).toMatchObject({ cut: 'PNG', ext: 'webp' })
  })

  test.each([
    ['cut=eps&w=300', undefined, 300],
    ['cut=pdf&format=png&w=300', undefined, 300],
    ['cut=png&w=300', 'PNG', 101],
  ])('makes pictures of an SVG by %s from the cut where sharp reads it, else from the drawing', (query, cut, width) => {
    const { src, ...plan } = planned(logo, query)
    expect(src?.ext).toBe('png')
    expect(src?.cut).toBe(cut)
    expect(plan.width).toBe(width)
  })

  test('names an asset that cannot be converted to a picture', () => {
    expect(() => planned({ type: 'TTF', name: 'Acme Sans' }, 'w=300')).toThrow(/Acme Sans \(TTF\) is not a picture/)
  })

  test('selects a cut, uses the original for its own type, and falls back only with the option', () => {
    expect(planned(logo, 'cut=PDF').src).toMatchObject({ cut: 'PDF', ext: 'pdf' })
    expect(planned(photo, 'cut=jpeg').src).not.toHaveProperty('cut')
    expect(() => planned(photo, 'cut=pdf')).toThrow(/It offers PNG\.\nWrite cut=pdf;original to fall back/)
    expect(() => planned(photo, 'cut=original')).toThrow(/It offers PNG\.\nRemove `cut` from the query/)
    expect(planned(photo, 'cut=pdf;original').src).toMatchObject({ ext: 'jpg' })
    expect(() => planned(photo, 'cut=pgn')).toThrow(/It offers PNG\.\nDid you mean PNG\?$/)
    expect(() => planned({ type: 'constructor' }, 'cut=png')).toThrow(/It has no cuts/)
    const silent = {
      ...photo,
      cuts: [
        { type: 'pdf', enabled: true, resizable: false },
        { type: 'PNG', enabled: false, resizable: true },
      ],
    }
    expect(() => planned(silent, 'cut=png')).toThrow(/It offers PDF/)
  })

  test('prefixes ids of inlined SVG, the same in every build and different for each asset', () => {
    const [first, second, other] = ['A', 'A', 'B'].map((uuid) => planned({ ...logo, uuid }, 'raw').value?.file.recipe)
    expect(first).toContain('prefix')
    expect(first).toBe(second)
    expect(first).not.toBe(other)
  })

  test.each([
    ['w=300;600', ['300w', '600w']],
    ['h=50;100;125', ['1x', '2x', '2.5x']],
    ['h=50&dpr=1;2', ['1x', '2x']],
    ['w=300&h=50&dpr=1;2', ['1x', '2x']],
  ])('omits unknown sizes, and describes %s by the requested sizes', (query, expected) => {
    for (const type of ['JPG', 'PDF']) {
      const plan = planned({ type }, query)
      expect(plan).not.toHaveProperty('width')
      expect(plan).not.toHaveProperty('height')
      expect(descriptors(plan.srcset)).toEqual(expected)
    }
  })

  test.each([
    ['format=jpg;original&w=50', ['image/jpeg']],
    ['format=original;webp;jpg&w=50;100', ['image/jpeg', 'image/webp']],
    ['format=png;original&w=50&cut=png', ['image/png']],
    ['format=jpg;original', ['image/jpeg', 'image/jpeg']],
  ])('lists no source of %s twice', (query, types) => {
    const { src, sources = [] } = planned(photo, query)
    expect(sources.map(({ type }) => type)).toEqual(types)
    expect(sources.flatMap(({ srcset }) => srcset.map(({ file }) => file))).toContainEqual(src)
  })

  test.each([
    ['CON', 'asset-a0000000'],
    ['../../etc/passwd', 'etc-passwd'],
    ['Übersicht 2.JPEG', 'ubersicht-2'],
    ['日本', 'asset-a0000000'],
  ])('makes a safe file name of %s', (name, base) => {
    expect(planned({ name }, '').src?.name).toBe(base)
  })
})
