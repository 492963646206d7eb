import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { emittedAssets, readContent, type Content } from './support/content.js'
import { crawl } from './support/crawl.js'
import { closeBrowser, look } from './support/look.js'
import { day, environment, npm } from './support/npm.js'
import { run } from './support/process.js'
import { openProject, type FrameworkProject } from './support/project.js'

let project: FrameworkProject
let content: Content

beforeAll(async () => {
  project = await openProject('electron-vite')
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

test('the main process and the preload script find their files, and the renderer has relative addresses', async () => {
  const log = await project.run('electron-vite', 'build')
  expect(log.match(/content-space: .*/g)).toEqual([
    expect.stringMatching(/^content-space: 7 files from Solvane Brand \d/),
  ])
  expect(await filesOf('out/main/index.js')).toEqual([expect.stringMatching(/^app-icon-[\w-]+\.png$/)])
  expect(await filesOf('out/preload/index.mjs')).toEqual([expect.stringMatching(/^solvane-mark-[\w-]+\.svg$/)])
  const used = ['coast-at-dawn', 'solvane-logo']
  expect(await emittedAssets(join(project.root, 'out/renderer'), content)).toEqual(used)
  const args = ['--outDir', 'out/renderer', '--base', '/anywhere/', '--host', '127.0.0.1']
  const { url } = await project.serve((port) => ['vite', 'preview', ...args, '--port', `${port}`], '/anywhere/')
  const { pictures, problems } = await look(url)
  expect(problems).toEqual([])
  expect(pictures.map(({ alt, width }) => [alt, width])).toEqual([
    ['Solvane Logo', 636],
    ['Coast At Dawn', 400],
  ])
  const crawled = await crawl([url], content)
  expect(crawled.problems).toEqual([])
  expect(crawled.files).toHaveLength(5)
})

test('in the template, init writes types that the type check and the build of the template see', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'content-space-template-')))
  const root = join(folder, 'app')
  const env = { ...environment(), PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`, NO_COLOR: '1' }
  const answers = ['app', '--template', 'react-ts', '--skip']
  const prepend = async (file: string, code: string): Promise<void> =>
    writeFile(join(root, file), code + (await readFile(join(root, file), 'utf8')))
  try {
    await run('npm', ['exec', '--yes', ...day, '--', '@quick-start/create-electron@1.0.30', ...answers], {
      cwd: folder,
      env,
    })
    await npm(root, 'install', ...day, '--save-dev', inject('tarball'))
    await run('content-space', ['init', '--demo', '--yes'], { cwd: root, env })
    const code = `import { harbourLogo } from 'content-space:kit/demo'\ndocument.title = harbourLogo.src\n`
    await prepend('src/renderer/src/main.tsx', code)
    expect(await run('npm', ['run', 'build'], { cwd: root, env })).toMatch(/harbour-logo-[\w-]+\.svg/)
    // The main process has a tsconfig of its own.
    await prepend('src/main/index.ts', "import { harbourLogo } from 'content-space:kit/demo'\nvoid harbourLogo\n")
    const types = 'src/renderer/src/content-space.d.ts'
    await expect(run('npm', ['run', 'typecheck'], { cwd: root, env })).rejects.toThrow(
      `tsconfig.node.json does not include ${types}`,
    )
    const config = await readFile(join(root, 'tsconfig.node.json'), 'utf8')
    await writeFile(join(root, 'tsconfig.node.json'), config.replace('"src/preload/**/*"', `$&, "${types}"`))
    await run('npm', ['run', 'typecheck'], { cwd: root, env })
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

/** Returns the names of the files that a script refers to, and checks that they exist and show the asset. */
async function filesOf(script: string): Promise<string[]> {
  const expressions = (await project.read(script)).matchAll(/new URL\("([^"]+)", import\.meta\.url\)\.href/g)
  const folder = pathToFileURL(join(project.root, script))
  return Promise.all(
    Array.from(expressions, async ([, path = '']) => {
      const file = new URL(path, folder)
      expect(await content.problemOf(path, await readFile(file))).toBeUndefined()
      return basename(path)
    }),
  )
}
