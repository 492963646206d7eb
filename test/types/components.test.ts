import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declarationsText } from '../../src/modules/declarations.js'
import { assetRecord, meaning, namedKit } from '../support/declared.js'
import { uuid } from '../support/lock.js'
import { check, project } from './tsc.js'

const named = namedKit(
  [assetRecord(1, 'arrow-left'), assetRecord(2, 'Hero', { type: 'JPG' }), assetRecord(3, 'Guide', { type: 'PDF' })],
  { assets: { [uuid(1)]: { name: 'oldArrow', slug: 'old-arrow' } } },
)

const frameworks = {
  react: { packages: ['react', '@types/react', 'csstype'], h: `import { createElement as h } from 'react'` },
  preact: { packages: ['preact'], h: `import { h } from 'preact'` },
} as const

const source = (framework: 'react' | 'preact') => ({
  declarations: declarationsText([
    meaning(`content-space:kit/brand?as=${framework}`, named, {}, { as: framework }),
    meaning(`content-space:section/brand/logos?as=${framework}`, named, { section: 'logos' }, { as: framework }),
    meaning(`content-space:asset/brand/hero?as=component&w=9`, named, { asset: uuid(2) }, { as: framework, w: [9] }),
  ]),
  right: `
    ${frameworks[framework].h}
    import kit, { ArrowLeft, Hero, OldArrow } from 'content-space:kit/brand?as=${framework}'
    import { ArrowLeft as ofSection } from 'content-space:section/brand/logos?as=${framework}'
    import hero from 'content-space:asset/brand/hero?as=component&w=9'
    import any from 'content-space:asset/brand/other?w=9&as=${framework}'
    import anyKit from 'content-space:kit/other?as=${framework}'
    import anySection from 'content-space:section/other/logos?as=${framework}'
    import type { ImageComponent, ImageProps, SvgComponent, SvgProps } from 'unplugin-content-space/${framework}'

    const drawings: SvgComponent[] = [ArrowLeft, OldArrow, ofSection, kit.sections[0].items[1].asset]
    const pictures: ImageComponent[] = [Hero, hero]
    const props: SvgProps = { title: 'Back', width: 9, 'aria-label': 'Back', onClick: (event) => event.preventDefault() }
    const more: ImageProps = { alt: '', priority: true, sizes: '9px', onLoad: (event) => event.preventDefault() }
    export const all = [h(ArrowLeft, props), h(Hero, more), h(any, { alt: '' }), h(any, { title: '' }), drawings, pictures,
      anyKit.sections[0]?.items, anySection.items]
  `,
  wrong: [
    `import { ArrowRight } from 'content-space:kit/brand?as=${framework}'`,
    `import { Guide } from 'content-space:kit/brand?as=${framework}'`,
    `import { arrowLeft } from 'content-space:kit/brand?as=${framework}'`,
    `Hero({})`,
    `Hero({ alt: '', src: '/a.jpg' })`,
    `ArrowLeft({ title: 5 })`,
    `ArrowLeft({ widht: 5 })`,
    `ArrowLeft({ children: 'x' })`,
    `Hero({ alt: '', priority: 'high' })`,
  ],
})

const names = Object.keys(frameworks).filter((name) => name === 'react' || name === 'preact')

describe.each(names)('components of %s', (framework) => {
  let folder: string

  beforeAll(async () => {
    const { declarations, right, wrong } = source(framework)
    folder = await project({
      'content-space.d.ts': declarations,
      'right.ts': right,
      'wrong.ts': [`import { ArrowLeft, Hero } from 'content-space:kit/brand?as=${framework}'`, ...wrong].join('\n'),
    })
    const modules = join(folder, 'node_modules')
    await symlink(fileURLToPath(new URL('../../node_modules/@types', import.meta.url)), join(modules, '@types'))
    for (const name of frameworks[framework].packages.filter((one) => !one.startsWith('@')))
      await symlink(fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)), join(modules, name))
  })
  afterAll(() => rm(folder, { recursive: true }))

  test.each([
    ['TypeScript 5.9', 'bundler'],
    ['TypeScript 7', 'bundler'],
    ['TypeScript 7', 'nodenext'],
  ] as const)('are exact, and wrong uses are errors, in %s with %s', async (compiler, resolution) => {
    const errors = await check(folder, compiler, resolution)
    const lines = errors.filter((error) => error.startsWith('wrong.ts')).map((error) => error.split(' ')[0])
    expect(errors.filter((error) => !error.startsWith('wrong.ts'))).toEqual([])
    expect([...new Set(lines)]).toEqual(
      source(framework)
        .wrong.map((_, at) => `wrong.ts:${at + 2}`)
        .toSorted(),
    )
  })
})
