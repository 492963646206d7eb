import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../../../../../dist/browser/${name}`, import.meta.url))

test('the script of the kit browser stays small', () => {
  expect(gzipSync(read('app.js')).length).toBeLessThan(45_000)
})

test('the page loads only its own files, and the licenses of its libraries are beside them', () => {
  const page = read('index.html').toString()
  expect(Array.from(page.matchAll(/(?:src|href)="([^"]*)"/g), ([, address]) => address)).toEqual([
    'data:,',
    'app.css',
    'app.js',
  ])
  expect(`${page}${read('app.css').toString()}`).not.toMatch(/https?:/)
  for (const name of ['preact', '@leeoniya/ufuzzy', 'culori', 'leven', 'pretty-bytes'])
    expect(read('licenses.txt').toString()).toContain(name)
})
