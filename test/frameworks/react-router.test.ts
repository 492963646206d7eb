import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../support/kit-browser.js'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser } from './support/look.js'
import { expectPage } from './support/page.js'
import { projects } from './support/npm.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('react-router')
  content = await readContent(project.space)
})

afterAll(async () => {
  await closeBrowser()
  await project?.close()
})

test('types are checked before the first build', async () => {
  await project.run('content-space', 'sync')
  await project.run('react-router', 'typegen')
  await project.run('tsc', '-p', '.')
})

test('the dev server renders the page', async () => {
  const { url } = await project.serve(
    (port) => ['react-router', 'dev', '--host', '127.0.0.1', '--port', `${port}`],
    '/shop/',
  )
  await expectPage(url)
  const browser = new URL('/shop/__content-space/', url)
  expect((await send(browser.origin, browser.pathname)).status).toBe(200)
  const { body } = await send(browser.origin, `${browser.pathname}data/project.json`)
  expect(JSON.parse(body.toString())).toMatchObject({ mode: 'dev', kits: [{ name: 'Solvane Brand' }] })
})

test('a production build has one summary, and its server serves every file', async () => {
  const log = await project.run('react-router', 'build')
  expect(log.match(/content-space: .*/g)).toEqual([
    expect.stringMatching(/^content-space: 6 files and 1 inlined from Solvane Brand \d/),
  ])
  const used = ['coast-at-dawn', 'dunes-at-noon', 'solvane-logo']
  expect(await emittedAssets(join(project.root, 'build/client'), content)).toEqual(used)
  expect(await emittedAssets(join(project.root, 'build/server'), content)).toEqual([])
  const { url } = await project.serve(() => ['react-router-serve', 'build/server/index.js'], '/shop/')
  await expectPage(url)
  const { files, problems } = await crawl([url], content)
  expect(problems).toEqual([])
  expect(files).toHaveLength(6)
  expect(files.filter((file) => !file.startsWith('/shop/assets/'))).toEqual([])
})

test('a build reports ids in the data of rendered pages', async () => {
  const routes = 'app/routes.ts'
  await project.edit(routes, '[', "[route('about', 'routes/about.tsx'), ")
  await project.edit(routes, 'import {', 'import { route,')
  await project.edit('react-router.config.ts', "'/shop/'", "'/shop/', prerender: ['/about']")
  await writeFile(join(project.root, 'about.json'), '{\n  "logo": "content-space:asset/brand/solvane-mark"\n}\n')
  await writeFile(
    join(project.root, 'app/routes/about.tsx'),
    `import { readFileSync } from 'node:fs'
     export const loader = () => JSON.parse(readFileSync('about.json', 'utf8'))
     export default ({ loaderData }: { loaderData: { logo: string } }) => <p data-logo={loaderData.logo}>About</p>`,
  )
  const log = await project.run('react-router', 'build')
  expect(log.match(/\S+:\d+ content-space:.*/g)).toEqual(['about.json:2 content-space:asset/brand/solvane-mark'])
})

test('version 7 has one summary, and its server serves every file', async () => {
  const earlier = await openProject('react-router-7')
  for (const path of ['app', 'content-space.config.ts', 'react-router.config.ts', 'tsconfig.json', 'vite.config.ts'])
    await cp(join(projects, 'react-router', path), join(earlier.root, path), { recursive: true })
  const log = await earlier.run('react-router', 'build')
  expect(log.match(/content-space: .*/g)).toEqual([
    expect.stringMatching(/^content-space: 6 files and 1 inlined from Solvane Brand \d/),
  ])
  const { url } = await earlier.serve(() => ['react-router-serve', 'build/server/index.js'], '/shop/')
  const { files, problems } = await crawl([url], content)
  expect({ files: files.length, problems }).toEqual({ files: 6, problems: [] })
  await earlier.close()
})
