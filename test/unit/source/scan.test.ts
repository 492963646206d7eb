import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { resolveOptions } from '../../../src/config/resolve.js'
import { noDerived } from '../../../src/disk/derived.js'
import { findFiles, findMatching } from '../../../src/source/find-files.js'
import { openSources, scanSources } from '../../../src/source/scan.js'
import { sourceGlobs } from '../../../src/source/source-files.js'
import { scanSource } from '../../../src/source/uses.js'

/** Scans a project with the default globs. */
async function scanDefault(folder: string): Promise<string[]> {
  const { scan } = await resolveOptions({ space: 'space' }, { root: folder, mode: 'production', env: {} })
  return (await scanSources(folder, scan)).map(({ file }) => file)
}

describe('one file', () => {
  test.each([
    'import(`content-space:asset/x/${a}`)',
    "import('content-space:asset/x/' + a + '?raw')",
    "require('content-space:asset/x/'.concat(a, '?raw'))",
  ])('has an id that is built at run time: %s', (code) =>
    expect(scanSource(code, 'a.js')).toMatchObject([{ specifier: 'content-space:asset/x/${…}', line: 1 }]),
  )

  test.each([
    ['a.ts', `import { a, b as c } from 'content-space:kit/x'`, ['a', 'b']],
    ['a.ts', `import d from 'content-space:kit/x'`, ['default']],
    ['a.ts', `import * as kit from 'content-space:kit/x'\nuse(kit.a)`, ['a']],
    ['a.ts', `import * as kit from 'content-space:kit/x'\nuse(kit)`, undefined],
    ['a.ts', `import 'content-space:kit/x'`, []],
    ['a.ts', `export { a } from 'content-space:kit/x'`, ['a']],
    ['a.ts', `export * from 'content-space:kit/x'`, undefined],
    ['a.ts', `export type * from 'content-space:kit/x'`, []],
    ['a.ts', `type A = typeof import('content-space:kit/x')`, []],
    ['a.ts', `import kit = require('content-space:kit/x')`, undefined],
    ['a.cts', `const kit = require('content-space:kit/x')`, undefined],
    ['a.js', `const { a } = await import('content-space:kit/x')`, ['a']],
    ['a.js', 'import(`content-space:kit/x`)', undefined],
    ['a.jsx', `import { a } from 'content-space:kit/x'\nexport default () => <img src={a.src} />`, ['a']],
    ['a.tsx', `import { a } from 'content-space:kit/x'\nconst f = <T,>(t: T) => <i>{a.src}</i>`, ['a']],
    ['a.ts', `const broken = = 1; import { a } from 'content-space:kit/x'`, undefined],
    [
      'a.vue',
      `<template/>\n<script setup lang="ts">\nimport { a } from 'content-space:kit/x'\nlet n: number\n</script>`,
      ['a'],
    ],
    [
      'a.vue',
      `<script lang="tsx">\nimport { a } from 'content-space:kit/x'\nconst n = <i>{a as A}</i>\n</script>`,
      ['a'],
    ],
    ['a.svelte', `<script>\n  import { a } from 'content-space:kit/x'\n</script>\n<img src={a.src}>`, ['a']],
    ['a.astro', `---\nimport { a } from 'content-space:kit/x'\nconst n: number = 1\n---\n<img src={a.src}>`, ['a']],
    ['a.astro', `<p/>\n<script>\nimport { a } from 'content-space:kit/x'\n</script>`, ['a']],
    [
      'a.md',
      `# Title\n\n<script setup>\nimport { a } from 'content-space:kit/x'\n</script>\n\n<img :src="a.src">`,
      ['a'],
    ],
    ['a.md', `# Title\n\nimport { a } from 'content-space:kit/x'\n\n<img src={a.src} />`, ['a']],
    ['a.md', `<script setup lang="ts">\nconst f = () => import('content-space:kit/x')\n</script>`, undefined],
    ['a.mdx', `# Title\n\nimport {\n  a,\n} from 'content-space:kit/x'\n\nText: <img src={a.src}/>`, ['a']],
  ])('%s: %s', (file, code, names) => {
    const line = code.split('\n').findIndex((text) => /import|export|content-space/.test(text)) + 1
    const expected = { specifier: 'content-space:kit/x', file, line, ...(names === undefined ? {} : { names }) }
    expect(scanSource(code, file)).toEqual([expected])
  })

  test.each([
    [`import type { a, b as c } from 'content-space:kit/x'`, [], ['a', 'b']],
    [`import { a, type b } from 'content-space:kit/x'`, ['a'], ['b']],
    [`export { a, type b } from 'content-space:kit/x'`, ['a'], ['b']],
    [`export type { a } from 'content-space:kit/x'`, [], ['a']],
    [`type A = typeof import('content-space:kit/x').a.src`, [], ['a']],
  ])('types: %s', (code, names, types) =>
    expect(scanSource(code, 'a.ts')).toEqual([
      { specifier: 'content-space:kit/x', file: 'a.ts', line: 1, names, types },
    ]),
  )

  test.each([
    ['a.ts', `// import 'content-space:kit/x'\nconst text = 'content-space:kit/y'`],
    ['a.vue', `<template>content-space:kit/x</template>`],
    ['a.mdx', "```js\nimport { a } from 'content-space:kit/x'\n```"],
    [
      'a.md',
      "1. Write:\n\n   ```vue\n   <script setup>\n   import 'content-space:kit/x'\n   </script>\n   ```\n\nDone.",
    ],
    ['a.md', `Write content-space:kit/x.`],
    ['a.ts', `import x from 'other'`],
  ])('%s uses nothing: %s', (file, code) => {
    expect(scanSource(code, file)).toEqual([])
  })

  test('reports the lines of several blocks', () => {
    const code = `<script>\nimport 'content-space:kits'\n</script>\n<p/>\n<script setup>\n\nimport 'content-space:kit/x'\n</script>`
    expect(scanSource(code, 'a.vue').map(({ line }) => line)).toEqual([2, 7])
  })
})

describe('a project', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'scan-'))
    const files = [
      'src/b.ts',
      'src/a.vue',
      'node_modules/x/a.ts',
      'dist/a.ts',
      '.git/a.ts',
      'app/out/a.ts',
      'src/content-space.d.ts',
      'deep/er/c.mjs',
    ]
    for (const file of files) {
      await mkdir(dirname(join(root, file)), { recursive: true })
      const code = `import 'content-space:kits'`
      await writeFile(join(root, file), file.endsWith('.vue') ? `<script>${code}</script>` : code)
    }
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  test('is read without dependencies and generated files', async () => {
    expect((await scanSources(root, ['**/*.{mjs,ts,vue}'])).map(({ file }) => file)).toEqual([
      'deep/er/c.mjs',
      'src/a.vue',
      'src/b.ts',
    ])
  })

  test.each([
    [['{root}/src/**/*'], ['../src/a.vue', '../src/b.ts']],
    [['../**/*.{ts,mjs}', '!../deep/**'], ['../src/b.ts']],
    [['../**/*.ts', '!**/b.*', '../src/a.vue'], ['../src/a.vue']],
    [
      ['../app/out/*.ts', '{root}/deep/er/c.mjs'],
      ['../deep/er/c.mjs', 'out/a.ts'],
    ],
  ])('is read outside of its root by %j', async (globs, files) => {
    const patterns = globs.map((text) => text.replace('{root}', root))
    expect((await scanSources(join(root, 'app'), patterns)).map(({ file }) => file)).toEqual(files)
  })

  test('is read with Markdown and the folders of Storybook, VitePress and VuePress, without their output', async () => {
    const site = join(root, 'app')
    const files = ['.storybook/preview.ts', '.vitepress/theme/index.ts', 'docs/.vuepress/client.js', 'docs/page.md']
    const output = [
      '.vitepress/cache/a.js',
      '.vitepress/dist/a.js',
      '.vitepress/.temp/a.js',
      '.nuxt/a.ts',
      '.output/a.mjs',
    ]
    for (const file of [...files, ...output]) {
      await mkdir(dirname(join(site, file)), { recursive: true })
      await writeFile(join(site, file), `import 'content-space:kits'`)
    }
    expect(await scanDefault(site)).toEqual(files)
  })

  test('is found without a library as the library finds it', async () => {
    const site = join(root, 'parity')
    const folders = [
      '',
      'a/',
      'a/dist/',
      '.storybook/',
      '.storybook/.vitepress/',
      '.vitepress/cache/',
      'a/.vuepress/b/',
    ]
    const others = [
      '.git/',
      'out.ts/',
      'node_modules/x/',
      'cache/',
      '.vitepress/x/cache/',
      '.vitepress/build/',
      '.x.js/',
    ]
    for (const folder of [...folders, ...others]) {
      await mkdir(join(site, folder), { recursive: true })
      for (const name of ['a.ts', 'b.d.ts', 'c.d.mts', 'd.d.ts.js', '.e.js', 'f.JS', 'g.json', 'h', 'i.html', ' j.css'])
        await writeFile(join(site, folder, name), '')
    }
    await symlink('a.ts', join(site, 'link.ts'))
    await symlink('a', join(site, 'linked'))
    const found = [...(await findFiles(site, sourceGlobs)).keys()].toSorted()
    expect(found).toEqual([...(await findMatching(site, sourceGlobs)).keys()].toSorted())
    expect(found).toContain('a/.vuepress/b/ j.css')
  })

  test('reports a file that cannot be read', async () => {
    await expect(scanSources(root, ['/proc/self/mem'])).rejects.toMatchObject({ code: 'fileSystem' })
  })

  test('is read within the globs', async () => {
    expect((await scanSources(root, ['src/**/*.ts'])).map(({ file }) => file)).toEqual(['src/b.ts'])
  })
})

const use = (name: string) => `import x from 'content-space:asset/x/${name}'`

test('a repeated search reads the reported files and the files with uses', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'content-space-scan-'))
  const paths = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((name) => join(folder, name))
  const [a = '', b = '', c = '', d = ''] = paths
  try {
    await Promise.all([writeFile(a, use('a')), writeFile(b, ''), writeFile(c, '')])
    const sources = openSources(folder, sourceGlobs, noDerived)
    const found = async (changed?: string[]) =>
      (await sources(changed && new Set(changed))).map(({ file, specifier }) => [file, specifier.slice(-1)])
    expect(await found([])).toEqual([['a.ts', 'a']])
    await Promise.all([writeFile(a, use('A')), writeFile(b, use('b')), writeFile(c, use('c'))])
    expect(await found([b])).toEqual([
      ['a.ts', 'A'],
      ['b.ts', 'b'],
    ])
    await Promise.all([rm(a), writeFile(b, '')])
    expect(await found([])).toEqual([])
    // An unknown file may be new or may not be part of the source.
    await writeFile(d, use('d'))
    expect(await found([join(folder, 'node_modules/x/index.js')])).toEqual([
      ['c.ts', 'c'],
      ['d.ts', 'd'],
    ])
    await Promise.all([writeFile(a, use('a')), writeFile(d, use('D'))])
    expect(await found([join(folder, 'node_modules/x/index.js')])).toEqual([
      ['c.ts', 'c'],
      ['d.ts', 'D'],
    ])
    expect((await found()).length).toBe(3)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test("a file without ids is read again if its disk's clock is behind", async () => {
  const root = await mkdtemp(join(tmpdir(), 'content-space-scan-'))
  const path = join(root, 'a.js')
  try {
    await writeFile(path, '')
    vi.setSystemTime(Date.now() + 60_000)
    expect(await scanDefault(root)).toEqual([])
    // Waits for the file system's clock to advance.
    await wait(20)
    await writeFile(path, "import 'content-space:kit/x'")
    expect(await scanDefault(root)).toEqual(['a.js'])
  } finally {
    vi.useRealTimers()
    await rm(root, { recursive: true, force: true })
  }
})

test('a file without ids is read again if it was replaced by an older one or has changed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'content-space-scan-'))
  const used = "import 'content-space:kit/x'"
  try {
    await writeFile(join(root, 'a.js'), ' '.repeat(used.length))
    await writeFile(join(root, 'b.js'), ' '.repeat(used.length))
    await writeFile(join(root, 'older.txt'), used)
    // Longer than the period in which a file may change without being noticed.
    await wait(2100)
    expect(await scanDefault(root)).toEqual([])
    expect(await scanDefault(root)).toEqual([])
    await rename(join(root, 'older.txt'), join(root, 'a.js'))
    expect(await scanDefault(root)).toEqual(['a.js'])
    await writeFile(join(root, 'b.js'), used)
    expect(await scanDefault(root)).toEqual(['a.js', 'b.js'])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})

const used = (kit: string): string => `import 'content-space:kit/${kit}'`

test('a file that had ids is read again when it was replaced by an older one, or has changed', async () => {
  const root = await mkdtemp(join(tmpdir(), 'content-space-scan-'))
  const specifiers = async () => (await scanSources(root, ['*.js'])).map(({ specifier }) => specifier.slice(-1))
  try {
    await writeFile(join(root, 'a.js'), used('a'))
    await writeFile(join(root, 'b.js'), used('b'))
    await writeFile(join(root, 'older.txt'), used('o'))
    // Longer than the period in which a file may change without being noticed.
    await wait(2100)
    expect(await specifiers()).toEqual(['a', 'b'])
    expect(await specifiers()).toEqual(['a', 'b'])
    await rename(join(root, 'older.txt'), join(root, 'a.js'))
    expect(await specifiers()).toEqual(['o', 'b'])
    await writeFile(join(root, 'b.js'), used('c'))
    expect(await specifiers()).toEqual(['o', 'c'])
    await writeFile(join(root, 'b.js'), '')
    expect(await specifiers()).toEqual(['o'])
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
