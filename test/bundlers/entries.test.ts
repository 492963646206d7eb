import { createRequire } from 'node:module'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import { rollup } from 'rollup'
import contentSpace from 'unplugin-content-space'
import ofRspack from 'unplugin-content-space/rspack'
import ofWebpack from 'unplugin-content-space/webpack'
import { expect, test } from 'vitest'
import webpack from 'webpack'
import { createProject } from './driver.js'
import { kits, openTestSpace } from './space.js'

const require = createRequire(import.meta.url)

test.each(['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild', 'farm', 'bun', 'docusaurus'])(
  '%s exports the plugin to import and to require',
  async (name) => {
    const imported: { default: unknown } = await import(`unplugin-content-space/${name}`)
    expect(imported.default).toBeTypeOf('function')
    expect(require(`unplugin-content-space/${name}`)).toBeTypeOf('function')
  },
)

test('the root exports the plugin of every bundler', async () => {
  const space = await openTestSpace()
  const project = await createProject({ 'main.js': `export { acmeLogo } from 'content-space:kit/${kits.brand}'` })
  try {
    const options = { ...space.options(), types: false as const, lockfile: false as const }
    const bundle = await rollup({
      input: join(project.root, 'main.js'),
      plugins: [contentSpace.rollup(options)],
      onLog() {},
    })
    const { output } = await bundle.generate({})
    await bundle.close()
    expect(output.map(({ type }) => type)).toEqual(['chunk', 'asset'])
  } finally {
    await project.remove()
    await space.close()
  }
  expect(() => contentSpace.unloader({})).toThrow('There is no plugin for unloader')
})

test('a compiler of webpack or Rspack rejects the plugin of the other, and names its own', () => {
  expect(() => webpack(Object({ plugins: [ofRspack()] }))).toThrow(
    /content-space\/rspack was added to a compiler of webpack[^]*Import unplugin-content-space\/webpack/,
  )
  expect(() => rspack(Object({ plugins: [ofWebpack()] }))).toThrow(
    /content-space\/webpack was added to a compiler of Rspack[^]*Import unplugin-content-space\/rspack/,
  )
})
