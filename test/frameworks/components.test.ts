import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { writeIcons } from './support/application.js'
import { addBadge, expectDrawings } from './support/drawings.js'
import { closeBrowser } from './support/look.js'
import { addStatements } from './support/statements.js'
import { openProject, type FrameworkProject } from './support/project.js'

/** A project whose page renders components. */
interface Components {
  /** A folder in `test/frameworks/projects`. */
  project: string
  /** A folder in `test/frameworks/components` whose files are added to the project. */
  files?: string
  /** The file with the components. */
  page: string
  /** Commands that generate types. */
  prepare: [string, ...string[]][]
  /** The command that checks types. */
  check: [string, ...string[]]
  /** Matches each error that the command prints. */
  errors: RegExp
  /** Edits of the page that cause type errors: a wrong property, missing alternative text, and an unknown drawing. */
  mistakes: [from: string, to: string][]
  /** Commands that build the project. */
  build: [string, ...string[]][]
  /** Commands that serve a build and a development server on a given free port. */
  preview(this: void, port: number): [string, ...string[]]
  dev(this: void, port: number): [string, ...string[]]
  /** Whether the page doesn't load scripts of the framework. */
  isStatic?: boolean
  /** Problems of the framework itself, which are ignored. */
  ignore?: RegExp[]
}

const at = (port: number): string[] => ['--host', '127.0.0.1', '--port', `${port}`]

/** A property of the wrong type, a picture without alternative text, and an unknown drawing. */
const mistakes: Components['mistakes'] = [
  ['title="The best"', 'title={5}'],
  ['alt="The coast"', 'id="coast"'],
  ['Badge, Leaf', 'Badge, Leaf, Lead'],
]

const react = {
  page: 'app/drawings.tsx',
  check: ['tsc', '-p', '.'],
  errors: /error TS\d+/g,
  mistakes,
} satisfies Partial<Components>

/** React in Next.js, whose page is a server component. */
const next = (bundler: string): Components => ({
  ...react,
  project: 'next',
  files: 'next',
  prepare: [['next', 'typegen']],
  build: [['next', 'build', bundler]],
  preview: (port) => ['next', 'start', '--hostname', '127.0.0.1', '--port', `${port}`],
  dev: (port) => ['next', 'dev', bundler, '--hostname', '127.0.0.1', '--port', `${port}`],
})

/** Vite with the project's own server. */
const serverRendered = {
  files: 'server-rendered',
  page: 'src/drawings.tsx',
  prepare: [['content-space', 'sync']],
  check: ['tsc', '-p', '.'],
  errors: /error TS\d+/g,
  mistakes,
  build: [
    ['vite', 'build', '--outDir', 'dist/client'],
    ['vite', 'build', '--outDir', 'dist/server', '--ssr', 'src/server.tsx'],
  ],
  preview: () => ['node', 'server.js'],
  dev: () => ['node', 'server.js', '--dev'],
} satisfies Omit<Components, 'project'>

const frameworks: Record<string, Components> = {
  'React in React Router': {
    ...react,
    project: 'react-router',
    files: 'react-router',
    prepare: [
      ['content-space', 'sync'],
      ['react-router', 'typegen'],
    ],
    build: [['react-router', 'build']],
    preview: () => ['react-router-serve', 'build/server/index.js'],
    dev: (port) => ['react-router', 'dev', ...at(port)],
  },
  'React in Next.js with Turbopack': next('--turbopack'),
  'React in Next.js with webpack': next('--webpack'),
  'Vue in Nuxt': {
    project: 'nuxt',
    files: 'nuxt',
    page: 'app/components/Drawings.vue',
    prepare: [['nuxt', 'prepare']],
    check: ['vue-tsc', '-b', '--noEmit'],
    errors: /error TS\d+/g,
    mistakes: [
      ['title="The best"', ':title="5"'],
      ['alt="The coast"', 'id="coast"'],
      ['Badge, Leaf', 'Badge, Leaf, Lead'],
    ],
    build: [['nuxt', 'build']],
    preview: () => ['node', '.output/server/index.mjs'],
    dev: (port) => ['nuxt', 'dev', ...at(port)],
  },
  'React 18 in Vite': { ...serverRendered, project: 'react-18' },
  'Preact in Vite': { ...serverRendered, project: 'preact' },
  'Solid in Vite': { ...serverRendered, project: 'solid' },
  'Svelte in SvelteKit': {
    project: 'sveltekit',
    files: 'sveltekit',
    page: 'src/lib/Drawings.svelte',
    prepare: [
      ['content-space', 'sync'],
      ['svelte-kit', 'sync'],
    ],
    check: ['svelte-check', '--fail-on-warnings'],
    errors: /^Error: (?!svelte-check)/gm,
    mistakes,
    build: [['vite', 'build']],
    preview: () => ['node', 'build'],
    dev: (port) => ['vite', ...at(port)],
  },
  Astro: {
    project: 'astro',
    files: 'astro',
    page: 'src/components/Drawings.astro',
    prepare: [],
    check: ['astro', 'check'],
    errors: /error.*ts\(\d+\)/g,
    mistakes,
    build: [['astro', 'build']],
    preview: (port) => ['astro', 'preview', ...at(port)],
    dev: (port) => ['astro', 'dev', ...at(port)],
    isStatic: true,
    // Astro reloads the first page when it has found the page's dependencies.
    ignore: [/net::ERR_ABORTED$/],
  },
}

const added = fileURLToPath(new URL('components', import.meta.url))

describe.each(Object.entries(frameworks))('components of %s', (_name, components) => {
  let project: FrameworkProject

  afterAll(async () => {
    await closeBrowser()
    await project?.close()
  })

  // The statements that agents receive are checked and built too.
  test('have exact types', async () => {
    project = await openProject(components.project)
    await addBadge(project.space)
    if (components.files !== undefined) await cp(join(added, components.files), project.root, { recursive: true })
    const statements = await addStatements(project, components.page)
    expect(statements.length).toBeGreaterThan(10)
    for (const command of components.prepare) await project.run(...command)
    // The layouts of these projects link to icons.
    const icons = { next: 'public', nuxt: 'public', sveltekit: 'static' }[components.project]
    if (icons) await writeIcons(project, icons)
    await project.run(...components.check)
    for (const [from, to] of components.mistakes) await project.edit(components.page, from, to)
    const output = await project.run(...components.check).catch(String)
    for (const [from, to] of components.mistakes) await project.edit(components.page, to, from)
    expect(output.match(components.errors), output).toHaveLength(components.mistakes.length)
    expect(output).toContain('Lead')
    expect(output).toContain('alt')
  })

  test('are the same from server and client in development', async () => {
    const site = await project.serve(components.dev, '/shop/')
    await fetch(site.url)
    await expectDrawings(site.url, components)
    await site.stop()
  })

  test('are the same from server and client in production', async () => {
    for (const command of components.build) await project.run(...command)
    const { url } = await project.serve(components.preview, '/shop/')
    await expectDrawings(url, components)
  })
})
