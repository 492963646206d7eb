import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import fastGlob from 'fast-glob'
import { readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('docusaurus')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('types are checked before the first build', async () => {
  await project.run('content-space', 'sync')
  await project.run('tsc', '-p', '.')
})

describe.each([
  ['webpack', 'docusaurus.config.js'],
  ['Rspack', 'rspack.config.js'],
])('with %s', (_, config) => {
  const docusaurus = (command: string, port: number): [string, ...string[]] => [
    'docusaurus',
    command,
    '--config',
    config,
    '--no-open',
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
  ]

  test('the dev server fetches files when the browser requests them', async () => {
    const { url, stop } = await project.serve((port) => docusaurus('start', port), '/shop/')
    const { pictures } = await expectPage(url)
    expect(pictures.every(({ src }) => src.startsWith('/shop/__content-space/'))).toBe(true)
    await stop()
  })

  test('a production build contains the files in use, and pages are the same after hydration', async () => {
    const shared = await project.read('docusaurus.config.js')
    const data = `() => ({
      name: 'data',
      injectHtmlTags: () => ({ headTags: ['<meta content="content-space:asset/brand/solvane-mark">'] }),
    })`
    await project.edit('docusaurus.config.js', "/docusaurus'", `$&, ${data}`)
    const output = await project.run('docusaurus', 'build', '--no-minify', '--config', config)
    // The dev server with the other configuration would reject the id.
    await writeFile(join(project.root, 'docusaurus.config.js'), shared)
    expect(output.match(/\S+:\d+ content-space:.*/g)).toEqual([
      'docusaurus.config.js:8 content-space:asset/brand/solvane-mark',
    ])
    // Both compilers share one summary.
    expect(output.match(/ from Solvane Brand \d/g), output).toHaveLength(1)
    const media = await fastGlob('**/*.{svg,jpg,webp}', { cwd: join(project.root, 'build') })
    expect(media).toHaveLength(5)
    expect(media.filter((path) => !/^assets\/images\/[\w-]+-[\da-f]+\.\w+$/.test(path))).toEqual([])
    const { url, stop } = await project.serve((port) => docusaurus('serve', port), '/shop/')
    const { pictures, markup } = await expectPage(url)
    expect(pictures.map(({ src }) => src.replace(/^\/shop\//, '')).filter((src) => !media.includes(src))).toEqual([])
    expect(Object.keys(markup.server)).toEqual(['logo', 'coast', 'leaf'])
    expect(markup.client).toEqual(markup.server)
    const { problems } = await crawl([url], content)
    expect(problems).toEqual([])
    await stop()
  })
})

async function expectPage(url: string): Promise<Awaited<ReturnType<typeof look>>> {
  const page = await look(url)
  expect(page.problems).toEqual([])
  expect(page.pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  expect(page.markup.client['leaf']).toContain('<svg')
  return page
}
