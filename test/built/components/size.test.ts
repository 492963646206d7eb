import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { build, type Plugin } from 'esbuild'
import { compile } from 'svelte/compiler'
import { expect, test } from 'vitest'
import { frameworkPackages, frameworks as all } from '../../../src/request/frameworks.js'

const runtimes = fileURLToPath(new URL('../../../dist/components/runtime', import.meta.url))
const external = Object.values(frameworkPackages).flatMap((names) => names.flatMap((name) => [name, `${name}/*`]))

const svelte: Plugin = {
  name: 'svelte',
  setup(esbuild) {
    esbuild.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { js } = compile(await readFile(path, 'utf8'), { filename: path, generate: 'client' })
      return { contents: js.code, loader: 'js' }
    })
  },
}

/** Astro's components don't run in the browser. */
const frameworks = all.filter((framework) => framework !== 'astro')

/** What applications import: drawings, pictures, and pictures with several formats. */
const imports = frameworks.flatMap((framework) => ['svg', 'image', 'picture'].map((name) => ({ framework, name })))

test.each(imports)('the runtime of $framework for $name is smaller than 1 kB', async ({ framework, name }) => {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from './${framework}.js'`, resolveDir: runtimes },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    external,
    plugins: [svelte],
  })
  const [file] = outputFiles
  expect(file?.text).toContain('export')
  expect(brotliCompressSync(file?.contents ?? '').length).toBeLessThan(1000)
})

test('the package exports the types of each framework', async () => {
  const { exports }: { exports: object } = JSON.parse(await readFile('package.json', 'utf8'))
  expect(Object.keys(exports)).toEqual(expect.arrayContaining(all.flatMap((name) => [`./${name}`, `./client/${name}`])))
})
