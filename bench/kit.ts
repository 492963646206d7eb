import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import contentSpace from 'unplugin-content-space/vite'
import { largeSpace, serveSpace } from '../test/support/space.js'
import { inFolder, median, viteBuild } from './measure.js'

const main = `
  import { asset00001, asset00250, asset00500, asset00750, asset00999 } from 'content-space:kit/large'
  console.log(asset00001, asset00250, asset00500, asset00750, asset00999)`

/** Five of the thousand assets of a kit, imported by name in a production build with Vite, over HTTP on loopback. */
export function kit(): Promise<object> {
  return inFolder(async (root) => {
    const space = await largeSpace()
    const service = await serveSpace(space.folder)
    const cacheDir = join(root, 'cache')
    const options = { ...service.options, cacheDir, types: false } as const

    await writeFile(join(root, 'main.js'), 'console.log(1)')
    const without = await median(5, () => viteBuild(root))
    await writeFile(join(root, 'main.js'), main)
    const warm = await median(5, () => viteBuild(root, contentSpace(options)))
    const cold = await median(5, async () => {
      await rm(cacheDir, { recursive: true })
      await viteBuild(root, contentSpace(options))
    })
    await service.close()
    await space.remove()
    return { 'without the plugin': { ms: without }, cold: { ms: cold }, warm: { ms: warm } }
  })
}
