import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rspack } from '@rspack/core'
import contentSpaceDocusaurus from 'unplugin-content-space/docusaurus'
import { expect, test, vi } from 'vitest'
import { webpack } from 'webpack'
import { createProject } from '../../bundlers/driver.js'
import { runCompiler } from '../../bundlers/drivers/pack.js'
import { drawing } from '../../bundlers/space.js'

test.each(['webpack', 'rspack'])('%s prints lines of the plugin, while Docusaurus mutes its loggers', async (name) => {
  const project = await createProject({
    'main.js': "import { left } from 'content-space:kit/icons'; console.log(left.src)",
  })
  const printed = vi.spyOn(console, 'info').mockImplementation(() => {})
  try {
    const folder = join(project.root, 'space/icons/Arrows')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'left.svg'), drawing('left'))
    const docusaurus = contentSpaceDocusaurus(undefined, { space: join(project.root, 'space') })
    const { plugins } = docusaurus.configureWebpack({}, false, { currentBundler: { name } })
    const configuration = {
      context: project.root,
      entry: './main.js',
      mode: 'development',
      output: { path: join(project.root, 'dist'), publicPath: '/' },
      infrastructureLogging: { level: 'warn' },
    } as const
    const compiler =
      name === 'webpack'
        ? webpack({ ...configuration, plugins: plugins.map(Object) })
        : rspack({ ...configuration, plugins: plugins.map(Object) })
    await runCompiler(compiler)
    const lines = printed.mock.calls.map(([line]: unknown[]) => line)
    expect(lines).toContainEqual(expect.stringMatching(/^content-space: .* from icons /))
  } finally {
    printed.mockRestore()
    await project.remove()
  }
})
