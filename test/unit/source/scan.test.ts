import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scanSource, scanSources } from '../../../src/source/scan.js'

describe('one file', () => {
  test.each([
    ['a.ts', `import { a, b as c } from 'content-space:kit/x'`, ['a', 'b']],
    ['a.ts', `import d from 'content-space:kit/x'`, ['default']],
    ['a.ts', `import * as kit from 'content-space:kit/x'\nuse(kit.a)`, ['a']],
    ['a.ts', `import * as kit from 'content-space:kit/x'\nuse(kit)`, undefined],
    ['a.ts', `import type { a } from 'content-space:kit/x'`, []],
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
    ['a.mdx', `# Title\n\nimport {\n  a,\n} from 'content-space:kit/x'\n\nText: <img src={a.src}/>`, ['a']],
  ])('%s: %s', (file, code, names) => {
    const line = code.split('\n').findIndex((text) => /import|export|content-space/.test(text)) + 1
    const expected = { specifier: 'content-space:kit/x', file, line, ...(names === undefined ? {} : { names }) }
    expect(scanSource(code, file)).toEqual([expected])
  })

  test.each([
    ['a.ts', `// import 'content-space:kit/x'\nconst text = 'content-space:kit/y'`],
    ['a.ts', `import(\`content-space:kit/\${name}\`)`],
    ['a.vue', `<template>content-space:kit/x</template>`],
    ['a.mdx', "```js\nimport { a } from 'content-space:kit/x'\n```"],
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

  test('is read within the globs', async () => {
    expect((await scanSources(root, ['src/**/*.ts'])).map(({ file }) => file)).toEqual(['src/b.ts'])
  })
})
