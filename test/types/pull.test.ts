import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pullOnce, upstream } from '../support/pull.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'
import { check, project } from './tsc.js'

const right = (folder: string): string => `
import kit, { acmeLogo, badge, größe, red } from './${folder}/index.js'
import logo from './${folder}/logos/acme-logo.js'
const exact: ['Acme Logo', 'SVG', 'svg', 120, 40] = [acmeLogo.name, acmeLogo.type, acmeLogo.format, acmeLogo.width, logo.height]
const ordered: 'Small marks' = kit.sections[0].items[1].content
const shown: typeof acmeLogo = kit.sections[1].items[0].asset
const texts: string[] = [badge.src, größe.src, kit.name]
const meta: unknown = red.meta
export const all = [exact, ordered, shown, texts, meta]
`

const full = `
import { acmeLogo } from './full/index.js'
const sizes: (number | undefined)[] = [acmeLogo.size, acmeLogo.cuts.length]
export const record: unknown = [sizes, acmeLogo.raw, acmeLogo.fileHash]
`

const wrong = [
  `import { nothing } from './url/index.js'`,
  `import { red } from './url/index.js'; red.src`,
  `import kit from './url/index.js'; kit.sections[2]`,
  `import logo from './url/logos/acme-logo.js'; logo.width satisfies 121`,
]

let space: SpaceFolder
let folder: string

beforeAll(async () => {
  space = await writeSpace({ ...upstream, 'brand/versions/1/01 Logos/größe.svg': svg('size') })
  folder = await project({
    'url.ts': right('url'),
    'import.ts': right('import'),
    'full.ts': full,
    'wrong.ts': wrong.join('\n'),
  })
  for (const module of ['url', 'import'] as const)
    await pullOnce(folder, { space: space.folder }, { out: module, module })
  await pullOnce(folder, { space: space.folder }, { out: 'full', query: 'metadata=full' })
  // The folder must work without the package.
  await rm(join(folder, 'node_modules'), { recursive: true })
})
afterAll(async () => {
  await space.remove()
  await rm(folder, { recursive: true, force: true })
})

describe.each(['TypeScript 5.9', 'TypeScript 7'] as const)('%s', (compiler) => {
  test.each(['bundler', 'node16', 'nodenext'])(
    'accepts correct uses of a pulled kit and rejects each wrong line with %s resolution',
    async (resolution) => {
      const errors = await check(folder, compiler, resolution)
      expect(errors.map((error) => error.split(' ')[0])).toEqual(wrong.map((_, index) => `wrong.ts:${index + 1}`))
    },
  )
})
