import { describe, expect, test } from 'vitest'
import { bundlerNames, type Bundler } from '../../../../src/commands/init/bundlers.js'
import { changedLines, editConfig } from '../../../../src/commands/init/edit-config.js'
import { pluginEdit } from '../../../../src/commands/init/templates.js'

function edit(bundler: Bundler, file: string, code: string): string | undefined {
  const isCommonJs = { bundlerConfig: file.endsWith('.cjs'), config: false, source: false }
  return editConfig(code, file, pluginEdit(bundler, { isCommonJs, vitePlugin: undefined }))
}

describe('adds the plugin', () => {
  test.each<[string, Bundler, string, string, string]>([
    [
      'after the last one of a call',
      'vite',
      'vite.config.ts',
      `import { defineConfig } from 'vite'\nimport react from '@vitejs/plugin-react'\n\n// https://vite.dev\nexport default defineConfig({\n  plugins: [react()],\n})\n`,
      `import { defineConfig } from 'vite'\nimport react from '@vitejs/plugin-react'\nimport contentSpace from 'unplugin-content-space/vite'\n\n// https://vite.dev\nexport default defineConfig({\n  plugins: [react(), contentSpace()],\n})\n`,
    ],
    [
      'on a line of its own, in the style of the file',
      'sveltekit',
      'vite.config.ts',
      `import { sveltekit } from "@sveltejs/kit/vite";\n\nexport default () => {\n  return {\n    plugins: [\n      sveltekit(),\n    ],\n  };\n};\n`,
      `import { sveltekit } from "@sveltejs/kit/vite";\nimport contentSpace from "unplugin-content-space/vite";\n\nexport default () => {\n  return {\n    plugins: [\n      sveltekit(),\n      contentSpace(),\n    ],\n  };\n};\n`,
    ],
    [
      'to an empty configuration',
      'astro',
      'astro.config.mjs',
      `// @ts-check\nimport { defineConfig } from 'astro/config'\n\nexport default defineConfig({})\n`,
      `// @ts-check\nimport { defineConfig } from 'astro/config'\nimport contentSpace from 'unplugin-content-space/astro'\n\nexport default defineConfig({ integrations: [contentSpace()] })\n`,
    ],
    [
      'by name',
      'nuxt',
      'nuxt.config.ts',
      `export default defineNuxtConfig({\n  compatibilityDate: '2026-01-01',\n  devtools: { enabled: true }\n})\n`,
      `export default defineNuxtConfig({\n  compatibilityDate: '2026-01-01',\n  devtools: { enabled: true },\n  modules: ['unplugin-content-space/nuxt']\n})\n`,
    ],
    [
      'to a list in another object',
      'vitepress',
      'docs/.vitepress/config.mts',
      `import { defineConfig } from 'vitepress'\nexport default defineConfig({\n  vite: {\n    server: {},\n  },\n})\n`,
      `import { defineConfig } from 'vitepress'\nimport contentSpace from 'unplugin-content-space/vite'\nexport default defineConfig({\n  vite: {\n    server: {},\n    plugins: [contentSpace()],\n  },\n})\n`,
    ],
    [
      'around the configuration',
      'next',
      'next.config.ts',
      `import type { NextConfig } from "next";\n\nconst nextConfig: NextConfig = {\n  /* config options here */\n};\n\nexport default nextConfig;\n`,
      `import type { NextConfig } from "next";\nimport { withContentSpace } from "unplugin-content-space/next";\n\nconst nextConfig: NextConfig = {\n  /* config options here */\n};\n\nexport default withContentSpace(nextConfig);\n`,
    ],
    [
      'to a variable in CommonJS',
      'webpack',
      'webpack.config.cjs',
      `const path = require('path')\n\nconst config = {\n  entry: './a.js',\n  plugins: [],\n}\n\nmodule.exports = config\n`,
      `const path = require('path')\nconst contentSpace = require('unplugin-content-space/webpack')\n\nconst config = {\n  entry: './a.js',\n  plugins: [contentSpace()],\n}\n\nmodule.exports = config\n`,
    ],
    [
      'without imports before',
      'docusaurus',
      'docusaurus.config.ts',
      `const config = {\n  title: 'My Site',\n} satisfies Config\nexport default config\n`,
      `const config = {\n  title: 'My Site',\n  plugins: ['unplugin-content-space/docusaurus'],\n} satisfies Config\nexport default config\n`,
    ],
    [
      'to an object without properties',
      'rsbuild',
      'rsbuild.config.ts',
      `export default {\n  // none yet\n}\n`,
      `import { pluginContentSpace } from 'unplugin-content-space/rsbuild'\n\nexport default {\n  plugins: [pluginContentSpace()],\n  // none yet\n}\n`,
    ],
  ])('%s', (_, bundler, file, before, after) => {
    expect(edit(bundler, file, before)).toBe(after)
    expect(edit(bundler, file, after)).toBeUndefined()
  })

  test.each(bundlerNames)('to the configuration of %s', (bundler) => {
    const text = edit(bundler, 'a.config.mjs', 'export default {}\n')
    expect(text).toContain('unplugin-content-space/')
  })
})

test.each([
  'export default {',
  'export default makeConfig',
  'export default { plugins: plugins }',
  'export default [{ plugins: [] }]',
  'const a = 1',
])('leaves %s', (code) => {
  expect(edit('vite', 'vite.config.ts', code)).toBeUndefined()
})

test('lists the lines that differ', () => {
  expect(changedLines('a\nexport default {\n  b\n}\n', 'a\nimport\nexport default {\n  b, c\n}\n')).toEqual([
    '+ import',
    '-   b',
    '+   b, c',
  ])
})
