import { execFile } from 'node:child_process'
import { cp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createProject, readTree } from './driver.js'
import { drawing } from './space.js'

const script = `
  import { build } from '@farmfe/core'
  import contentSpace from 'unplugin-content-space/farm'
  const { root, options } = JSON.parse(process.argv[1])
  const output = { path: 'dist', targetEnv: 'node', publicPath: '/app/', assetsFilename: 'media/[resourceName].[hash].[ext]' }
  const compilation = { input: { main: './main.js' }, output, persistentCache: true, presetEnv: false }
  await build({ root, compilation, plugins: [contentSpace({ types: false, ...options })] })
`

test('shows new content with a cache on disk, under the names that Farm is told', async () => {
  const project = await createProject({ 'main.js': `import { acmeLogo } from 'content-space:kit/kit'; console.log(acmeLogo.src)` })
  const { root } = project
  const asset = join(root, 'space/kit/Logos/acme-logo.svg')
  try {
    await cp(join(root, 'package.json'), asset)
    for (const text of ['first', 'second', 'second']) {
      await writeFile(asset, drawing(text))
      await rm(join(root, 'dist'), { recursive: true, force: true })
      const options = { space: join(root, 'space'), cacheDir: join(root, 'content') }
      await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script, JSON.stringify({ root, options })], { timeout: 40_000 })
      const files = [...(await readTree(join(root, 'dist')))].filter(([path]) => path.endsWith('.svg'))
      expect(files.map(([path, bytes]) => [path.replace(/[0-9a-f]{8}/, '#'), bytes.toString()])).toEqual([['media/acme-logo.#.svg', drawing(text)]])
      const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist', await entry(join(root, 'dist')))])
      expect(stdout.trim()).toBe(`/app/${files[0]?.[0]}`)
    }
  } finally {
    await project.remove()
  }
})

async function entry(dist: string): Promise<string> {
  return [...(await readTree(dist)).keys()].find((path) => /\.m?js$/.test(path)) ?? ''
}
