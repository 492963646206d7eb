import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import type { Site } from './support/process.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content
let site: Site | undefined

beforeAll(async () => {
  project = await openProject('storybook')
  content = await readContent(project.space)
})

afterEach(() => site?.stop())

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('types are checked before the first build, also in .storybook', async () => {
  await project.run('content-space', 'sync')
  expect(await project.read('src/content-space.d.ts')).toContain('content-space:asset/brand/solvane-mark')
  await project.run('tsc', '-p', '.')
})

const folders = { vite: '.storybook', webpack: 'webpack' }

describe.each(Object.entries(folders))('with the builder %s', (builder, folder) => {
  test('the dev server fetches files when the browser requests them', async () => {
    project.setEnv({ CONTENT_SPACE_CACHE: join(project.root, `cache-${builder}`) })
    const command = ['storybook', 'dev', '--ci', '--disable-telemetry', '-c', folder, '-p'] as const
    site = await project.serve((port) => [...command, `${port}`], '/iframe.html')
    project.downloads.length = 0
    const sources = await picturesOf(site)
    expect(sources.every((src) => src.startsWith('/__content-space/'))).toBe(true)
    // The drawing in the module was downloaded when the module was loaded.
    expect(project.downloads.length).toBeGreaterThanOrEqual(3)
  })

  test('a production build contains the files in use', async () => {
    const output = `dist-${builder}`
    await project.run('storybook', 'build', '--quiet', '--disable-telemetry', '-c', folder, '-o', output)
    const media = await fastGlob(['**/*.{svg,jpg,webp}', '!favicon*.svg', '!sb-*/**'], {
      cwd: join(project.root, output),
    })
    expect(media).toHaveLength(6)
    site = await project.serve(
      (port) => ['vite', 'preview', '--host', '127.0.0.1', '--outDir', output, '--port', `${port}`],
      '/iframe.html',
    )
    await picturesOf(site)
    const { problems } = await crawl([site.url], content)
    expect(problems).toEqual([])
  })
})

/** @returns the URLs of the pictures in the story, after checking that they can be decoded */
async function picturesOf({ url }: Site): Promise<string[]> {
  const { pictures, problems, markup } = await look(new URL('?id=hero--default&viewMode=story', url).href)
  expect(problems).toEqual([])
  const shown = pictures.filter(({ alt }) => alt !== '')
  expect(shown.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Mark', expect.any(Number)],
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  expect(shown[0]?.width).toBeGreaterThan(0)
  expect(markup.client['leaf']).toContain('<svg')
  return shown.map(({ src }) => src)
}
