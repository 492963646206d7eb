import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as buildWithEsbuild, type Plugin } from 'esbuild'
import { rollup } from 'rollup'
import { rspack } from '@rspack/core'
import { compile } from 'svelte/compiler'
import { createUnplugin } from 'unplugin'
import contentSpace from 'unplugin-content-space'
import { build as buildWithVite } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webpack } from 'webpack'
import { build, createProject, type Driver } from './driver.js'
import { packConfiguration, runCompiler } from './drivers/pack.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

/** Compiles a component for servers, as Svelte's plugins do. */
const compiled = (source: string, filename: string): string => compile(source, { filename, generate: 'server' }).js.code

const svelte = createUnplugin(() => ({
  name: 'svelte',
  transform: { filter: { id: /\.svelte$/ }, handler: compiled },
}))

const svelteOfEsbuild: Plugin = {
  name: 'svelte',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.svelte$/ }, async ({ path }) => ({
      contents: compiled(await readFile(path, 'utf8'), path),
      loader: 'js',
    }))
  },
}

const drivers: Driver[] = [
  {
    name: 'rollup',
    async build(project, options) {
      const plugins = [contentSpace.rollup(options), svelte.rollup()]
      const bundle = await rollup({ input: join(project, 'main.js'), plugins, onLog() {} })
      await bundle.write({ dir: join(project, 'dist') })
      await bundle.close()
      return { log: [] }
    },
  },
  {
    name: 'vite',
    async build(root, options) {
      const plugins = [contentSpace.vite(options), svelte.vite()]
      await buildWithVite({
        root,
        configFile: false,
        logLevel: 'error',
        plugins,
        build: { ssr: 'main.js', ssrEmitAssets: true },
      })
      return { log: [] }
    },
  },
  {
    name: 'esbuild',
    async build(absWorkingDir, options) {
      const plugins = [contentSpace.esbuild(options), svelteOfEsbuild]
      const entryPoints = ['main.js']
      const output = { bundle: true, outdir: 'dist', format: 'esm', platform: 'node', publicPath: '/static/' } as const
      await buildWithEsbuild({ absWorkingDir, entryPoints, plugins, ...output })
      return { log: [] }
    },
  },
  {
    name: 'webpack',
    async build(project, options, settings) {
      const plugins = [contentSpace.webpack(options), svelte.webpack()]
      return { log: await runCompiler(webpack({ ...packConfiguration(project, settings), plugins })) }
    },
  },
  {
    name: 'rspack',
    async build(project, options, settings) {
      const plugins = [contentSpace.rspack(options), svelte.rspack()]
      const { experiments: _module, ...configuration } = packConfiguration(project, settings)
      return { log: await runCompiler(rspack({ ...configuration, plugins })) }
    },
  },
]

let space: TestSpace
beforeAll(async () => {
  space = await openTestSpace({ large: true })
})
afterAll(() => space.close())

test.each(drivers)('$name builds components that the compiler of Svelte compiles', async (driver) => {
  const project = await createProject({
    'Page.svelte': `<script>
      import { Asset00003 } from 'content-space:kit/${kits.big}?as=svelte'
      import Photo from 'content-space:asset/${kits.brand}/hero-photo?w=20&format=webp;png&placeholder=color&as=svelte'
    </script>
    <Asset00003 title="A < B" width={80} class={['x', { y: true }]} /><Photo alt="" />`,
    'main.js': `import { render } from 'svelte/server'
      import Page from './Page.svelte'
      console.log(JSON.stringify(render(Page).body))`,
  })
  try {
    await mkdir(join(project.root, 'node_modules'))
    const svelteFolder = fileURLToPath(new URL('../../node_modules/svelte', import.meta.url))
    await symlink(svelteFolder, join(project.root, 'node_modules/svelte'), 'junction')
    const output = await build(driver, project, space.options())
    const html = String(await output.run()).replaceAll(/<!--.*?-->/g, '')
    const addresses = html.match(/[^" ]+(?=\.webp|\.png)\.\w+/g) ?? []
    expect(addresses).toHaveLength(3)
    for (const address of addresses) expect(output.behind(address).length).toBeGreaterThan(0)
    const withoutFiles = html
      .replaceAll(/[^" ]+(?=\.webp|\.png)\.(\w+)/g, '*.$1')
      .replace(/data:image\/png;base64,[\w+/=]+/, '*')
      .replaceAll(/ on(?:load|error)="this.__e=event"/g, '')
    expect(withoutFiles).toBe(
      '<svg width="80" viewBox="0 0 40 20" role="img" class="x y"><title>A &#60; B</title><path d="M0 0h40v20H0z"/></svg>' +
        '<picture><source type="image/webp" srcset="*.webp 1x"/><source type="image/png" srcset="*.png 1x"/> ' +
        '<img loading="lazy" decoding="async" width="20" height="13" data-content-picture="" src="*.png" ' +
        'style="background:url(&quot;*&quot;) 50%/cover no-repeat" alt=""/></picture>',
    )
  } finally {
    await project.remove()
  }
})
