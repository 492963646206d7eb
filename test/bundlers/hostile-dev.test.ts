import contentSpace from 'unplugin-content-space/vite'
import { createServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject } from './driver.js'
import { openHostileSpace, type HostileSpace } from './hostile.js'

let space: HostileSpace
beforeAll(async () => void (space = await openHostileSpace()))
afterAll(() => space.close())

interface Kit {
  sections: { name: string; items: [{ content: string }, { asset: { name: string; notes: string } }] }[]
}

test('the dev server of Vite does not replace placeholders in texts of content', async () => {
  const id = 'content-space:kit/hostile?as=metadata&metadata=full'
  const project = await createProject({ 'main.js': `export { default } from '${id}'` })
  const server = await createServer({
    root: project.root,
    configFile: false,
    logLevel: 'silent',
    appType: 'custom',
    server: { middlewareMode: true, ws: false },
    plugins: [contentSpace({ ...space.options, types: false, lockfile: false })],
  })
  try {
    const rendered = await server.ssrLoadModule('/main.js')
    const { environments } = server
    const resolved = await environments.client.pluginContainer.resolveId(id, `${project.root}/main.js`)
    const served = await environments.client.transformRequest(resolved?.id ?? '')
    const code = Buffer.from(served?.code ?? '').toString('base64')
    const browser: unknown = await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)
    for (const made of [rendered, browser]) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { sections } = (made as { default: Kit }).default
      const shown = sections.slice(0, space.texts.length).map(({ name, items: [heading, { asset }] }) => {
        return [name, heading.content, asset.name, asset.notes]
      })
      expect(shown).toEqual(space.texts.map((text) => [text, text, text, text]))
    }
  } finally {
    await server.close()
    await project.remove()
  }
})
