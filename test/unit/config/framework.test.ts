import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { frameworkFinder } from '../../../src/config/framework.js'

let root: string

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-framework-of-'))
  await mkdir(join(root, 'packages/app'), { recursive: true })
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = (manifest: unknown, folder = '.') =>
  writeFile(join(root, folder, 'package.json'), typeof manifest === 'string' ? manifest : JSON.stringify(manifest))
const find = (given?: 'react') => frameworkFinder(join(root, 'packages/app'), given)()

describe('the framework of a project', () => {
  test.each([
    [{ dependencies: { 'solid-js': '1' } }, 'solid'],
    [{ devDependencies: { svelte: '5', vite: '8' } }, 'svelte'],
    [{ peerDependencies: { vue: '3' }, devDependencies: { vue: '3' } }, 'vue'],
    [{ dependencies: { nuxt: '4' } }, 'vue'],
  ])('is the one that %j names', async (manifest, framework) => {
    await write(manifest)
    expect(find()).toBe(framework)
  })

  test('is the one of the nearest package.json', async () => {
    await write({ dependencies: { react: '19' } })
    await write({ dependencies: { preact: '11' } }, 'packages/app')
    expect(find()).toBe('preact')
  })

  test('is the option components, if it is set', async () => {
    await write({ dependencies: { vue: '3' } })
    expect(find('react')).toBe('react')
  })

  test('is an error if there are several, which are listed', async () => {
    await write({ dependencies: { astro: '7', react: '19' } })
    expect(() => find()).toThrow(
      expect.objectContaining({
        code: 'invalidOption',
        message: expect.stringMatching(/depends on 2 frameworks:\n {2}react\n {2}astro\n.*set option components/s),
      }),
    )
  })

  test.each([{}, { dependencies: null }, '[]', '{', { dependencies: { vite: '8' } }])(
    'is an error if it is not in %j',
    async (manifest) => {
      await write(manifest)
      expect(() => find()).toThrow(/No framework is named in .*package\.json\.\n.*as=react/s)
    },
  )
})
