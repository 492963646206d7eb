import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defineConfig, defineSource } from 'unplugin-content-space'

const require = createRequire(import.meta.url)
const manifest = require.resolve('lucide-static/package.json')
const json = async (path: string) => JSON.parse(await readFile(join(dirname(manifest), path), 'utf8'))

const lucide = defineSource({
  name: 'lucide',
  revision: async () => (await json('package.json')).version,
  async list() {
    const tags: Record<string, string[]> = await json('tags.json')
    const assets = Object.entries(tags).map(([id, keywords]) => ({ id, name: id, type: 'SVG', keywords }))
    return { name: 'Lucide', assets }
  },
  read: ({ id }) => readFile(join(dirname(manifest), `icons/${id}.svg`)),
})

export default defineConfig({ kits: { lucide: { source: lucide } } })
