import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { svg } from '../support/space.js'

// Simulates the differences of Windows and macOS on this system.

/** macOS may return file names in which an accent is a separate character. */
const decomposed = 'Café Icon'.normalize('NFD')

const files = {
  'content-space.config.json': '{ "space": "space" }\n',
  'src/main.ts':
    "import { acmeLogo, caféIcon } from 'content-space:kit/brand'\n\nexport default [acmeLogo, caféIcon]\n",
  'space/brand/01 Logos/acme-logo.svg': svg('logo'),
  [`space/brand/01 Logos/${decomposed}.svg`]: svg('icon'),
}

let work: Project

beforeEach(async () => {
  work = await project(files)
  return () => work.remove()
})

test('a file with a decomposed name has the name that the source imports', async () => {
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect((await work.run('ls', 'brand')).stdout).toContain('caféIcon'.normalize('NFC'))
})

test("line endings that git has changed don't count as differences, and remain", async () => {
  await work.run('sync')
  const names = ['content-space.lock.json', 'src/content-space.d.ts', 'src/main.ts']
  const texts = await Promise.all(names.map((name) => readFile(join(work.root, name), 'utf8')))
  const changed = texts.map((text) => text.replaceAll('\n', '\r\n'))
  await work.write(Object.fromEntries(names.map((name, at) => [name, changed[at] ?? ''])))

  expect(await work.run('verify')).toMatchObject({ code: 0 })
  expect(await work.run('sync', '--frozen')).toMatchObject({ code: 0 })
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect(await Promise.all(names.map((name) => readFile(join(work.root, name), 'utf8')))).toEqual(changed)
})

test('an error in a source with CRLF has the line and the column of the import', async () => {
  await work.write({
    'src/main.ts': "// first\r\n\r\nimport logo from 'content-space:asset/brand/none'\r\nexport { logo }\r\n",
  })
  const { code, stdout, stderr } = await work.run('sync')
  expect(code).toBe(1)
  expect(stdout + stderr).toMatch(/src\/main\.ts:3(?::|\s)/)
})
