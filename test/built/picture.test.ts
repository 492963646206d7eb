import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { transform } from 'esbuild'
import { expect, test } from 'vitest'

test('`picture` is smaller than 1 kB', async () => {
  const { code } = await transform(readFileSync('dist/entries/picture.js', 'utf8'), { minify: true, format: 'esm' })
  expect(code.length).toBeLessThan(1024)
  expect(gzipSync(code).length).toBeLessThan(700)
})
