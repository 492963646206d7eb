import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectApplication, writeIcons } from './support/application.js'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser } from './support/look.js'
import { expectPage } from './support/page.js'
import { projects } from './support/npm.js'
import { openProject, type FrameworkProject } from './support/project.js'

/** A page that is rendered during the build and contains an id that isn't in any of its scripts. */
const about: Record<string, string> = {
  'src/routes/about/+page.server.ts': `import { readFileSync } from 'node:fs'
export const prerender = true
export const load = () => JSON.parse(readFileSync('about.json', 'utf8'))
`,
  'src/routes/about/+page.svelte': '<script>let { data } = $props()</script><p data-logo={data.logo}>About</p>\n',
  'about.json': '{\n  "logo": "content-space:asset/brand/solvane-mark"\n}\n',
}
const named = 'about.json:2 content-space:asset/brand/solvane-mark'

async function addAbout({ root }: FrameworkProject): Promise<void> {
  await mkdir(join(root, 'src/routes/about'))
  for (const [file, text] of Object.entries(about)) await writeFile(join(root, file), text)
}

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('sveltekit')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('types are checked before the first build', async () => {
  await project.run('content-space', 'sync')
  await project.run('svelte-kit', 'sync')
  await project.run('svelte-check', '--fail-on-warnings')
  await writeIcons(project, 'static')
})

test('the dev server renders the page, and does not warn about the plugin', async () => {
  const { url, output } = await project.serve((port) => ['vite', '--host', '127.0.0.1', '--port', `${port}`], '/shop')
  await expectPage(url)
  expect(output()).not.toContain('transformIndexHtml')
})

test('a production build has one summary, and its server serves every file', async () => {
  await addAbout(project)
  const log = await project.run('vite', 'build')
  expect(log).not.toContain('transformIndexHtml')
  expect(log.match(/content-space: .*|\S+ content-space:.*/g)).toEqual([
    expect.stringMatching(/^content-space: 6 files and 1 inlined from Solvane Brand \d/),
    expect.stringMatching(/^content-space: ids remain plain text/),
    named,
  ])
  const used = ['coast-at-dawn', 'dunes-at-noon', 'solvane-logo']
  expect(await emittedAssets(join(project.root, 'build/client'), content)).toEqual(used)
  const { url } = await project.serve(() => ['node', 'build'], '/shop')
  await expectPage(url)
  const { files, problems } = await crawl([url], content)
  expect(problems).toEqual([])
  await expectApplication(`${url}/`)
  expect(files).toHaveLength(6)
  expect(files.filter((file) => !file.startsWith('/shop/_app/immutable/assets/'))).toEqual([])
})

test('version 2 checks types before the first build, has one summary, and serves every file', async () => {
  const earlier = await openProject('sveltekit-2')
  await cp(join(projects, 'sveltekit/src'), join(earlier.root, 'src'), { recursive: true })
  await earlier.run('content-space', 'sync')
  await earlier.run('svelte-kit', 'sync')
  await earlier.run('svelte-check')
  await writeIcons(earlier, 'static')
  await addAbout(earlier)
  const log = await earlier.run('vite', 'build')
  expect(log.match(/content-space: .*|\S+:\d+ content-space:.*/g)).toEqual([
    expect.stringMatching(/^content-space: ids remain plain text/),
    named,
    expect.stringMatching(/^content-space: 6 files and 1 inlined from Solvane Brand \d/),
  ])
  const { url } = await earlier.serve(() => ['node', 'build'], '/shop')
  await expectPage(url)
  const { files, problems } = await crawl([url], content)
  expect({ files: files.length, problems }).toEqual({ files: 6, problems: [] })
  await earlier.close()
})
