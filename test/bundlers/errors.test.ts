import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { build, createProject, readTree } from './driver.js'
import { drivers } from './drivers/all.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { rolldownDriver } from './drivers/rolldown.js'
import { webpackDriver } from './drivers/webpack.js'
import { serveSpace, svg, writeSpace } from '../support/space.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => {
  space = await openTestSpace()
  await space.edit('02 Photos/broken.png', 'no picture')
})
afterAll(() => space.close())

/** Builds ten files with the same import, and returns what the bundler reports. */
async function report(driver: (typeof drivers)[number], statement: string, options: Options = {}): Promise<string> {
  const names = Array.from({ length: 10 }, (_, at) => `part-${at}.js`)
  const parts = names.map((name) => [name, `// A comment.\n${statement}\nexport default x\n`])
  const main = names.map((name, at) => `import p${at} from './${name}'; console.log(p${at})`).join('\n')
  const project = await createProject({ ...Object.fromEntries(parts), 'main.js': main })
  try {
    await build(driver, project, { ...space.options(), ...options })
  } catch (error) {
    // Rollup puts the code around the import in a property, which its command line prints.
    const { message, frame = '' }: { message: string; frame?: string } = Object(error)
    const file = join(project.root, 'part-').replaceAll('\\', '/')
    return `${message}\n${frame}`.replaceAll('\\', '/').replaceAll('/n', '\n').replaceAll(file, '/project/part-')
  } finally {
    await project.remove()
  }
  throw new Error('The build must fail.')
}

const kit = `content-space:kit/${kits.brand}`
const count = (text: string, part: string): number => text.split(part).length - 1

for (const driver of drivers) {
  // Farm reports the message and the stack of an error, and both begin with the message.
  const once = driver.name === 'farm' ? 2 : 1
  describe(driver.name, () => {
    test('reports a wrong kit once, with the code around the import', async () => {
      const text = await report(driver, "import { acmeLogo as x } from 'content-space:kit/brant'")
      expect(count(text, 'There is no kit brant')).toBe(once)
      expect(text).toMatch(/imported by: \/project\/part-\d\.js:2:50/)
      expect(text).toMatch(/> 2 \| import \{ acmeLogo as x \} from 'content-space:kit\/brant'/)
      expect(text).toMatch(/\| {50}\^{5}(?!\^)/)
    })

    test('reports a wrong name once', async () => {
      const text = await report(driver, `import { acmeLoga as x } from 'content-space:kit/${kits.brand}'`)
      expect(count(text, 'does not export acmeLoga')).toBe(once)
      expect(text).toContain('> 2 | import { acmeLoga as x }')
      expect(text).toMatch(/\| {10}\^{8}(?!\^)/)
    })

    test.each([
      [`asset/${kits.brand}/hero-photo?as=raw`, 'is not UTF-8 text'],
      [`asset/${kits.style}/test-light?as=preact`, 'cannot be a component'],
      [`kit/${kits.brand}?as=raw`, 'is not UTF-8 text'],
      [`asset/${kits.brand}/broken?w=8`, 'Broken'],
    ])('reports a form that a file does not have, with the code around the import of %s', async (id, message) => {
      const text = await report(
        driver,
        `import ${id.startsWith('kit') ? '{ heroPhoto as x }' : 'x'} from 'content-space:${id}'`,
      )
      expect(text).toContain(message)
      expect(text).toMatch(/imported by: \/project\/part-\d\.js:2:\d+/)
      expect(text).toContain(`from 'content-space:${id}'`)
      expect(text).toMatch(/\| +\^+/)
    })

    test.each([
      ['an id that stays text', ''],
      ['an import and an id that stays text', `import '${kit}'; `],
    ])(
      'reports a broken lockfile once with %s, without lines of the stack, without emitting anything',
      async (_, before) => {
        const project = await createProject({
          'content-space.lock.json': '{ "lockfileVersion": 2,',
          'main.js': `${before}document.body.innerHTML = '<img src="content-space:asset/${kits.brand}/acme-logo">'`,
        })
        const error = await build(driver, project, space.options()).then(String, String)
        const output = await readTree(join(project.root, 'dist')).catch(() => new Map())
        await project.remove()
        expect(count(error, 'content-space.lock.json is not valid JSON')).toBe(once)
        expect(error).not.toMatch(/^ +at .*(?:\bdist\/|parseLock)/m)
        expect([...output.keys()]).toEqual([])
      },
    )

    test('reports a wrong name at the statement that has it', async () => {
      const id = `'content-space:kit/${kits.brand}'`
      const text = await report(driver, `import { acmeLogo as y } from ${id}\nimport { acmeLoga as x } from ${id}\ny`)
      expect(text).toContain('> 3 | import { acmeLoga as x }')
      expect(text).toMatch(/\| {10}\^{8}(?!\^)/)
    })

    test.each(['', '?w=20&format=png', '?w=20&as=inline'])(
      'reports a file at its own import, not at an earlier one of the same asset with %s',
      async (query) => {
        const id = `content-space:asset/${kits.brand}/hero-photo`
        const text = await report(
          driver,
          `import y from '${id}${query}'\nimport z from '${id}?as=raw'\nconst x = [y, z]`,
        )
        expect(text).toContain('is not UTF-8 text')
        expect(text).toContain(`> 3 | import z from '${id}?as=raw'`)
      },
    )

    test('reports a wrong token once, without the token', async () => {
      const text = await report(driver, `import x from 'content-space:asset/${kits.brand}/acme-logo'`, {
        token: 'wrong-token',
      })
      expect(text.match(/imported by: /g)).toHaveLength(once)
      expect(text).not.toContain('wrong-token')
    })
  })
}

test.each([webpackDriver, esbuildDriver, rolldownDriver])(
  '$name tells that a build waits for the rate limit',
  async (driver) => {
    const limit = { with: 'rateLimited', on: 'download', every: 1, times: 1 } as const
    const content = await writeSpace({ 'brand/Logos/acme-logo.svg': svg('acme') })
    const service = await serveSpace(content.folder, { faults: [limit] })
    const main = `import x from 'content-space:asset/brand/acme-logo?url'\nconsole.log(x)\n`
    const project = await createProject({ 'main.js': main })
    try {
      const { log } = await build(driver, project, { ...service.options, cacheDir: join(project.root, '.cache') })
      expect(count(log, 'waiting 1 s for the rate limit')).toBe(1)
    } finally {
      await Promise.all([service.close(), project.remove(), content.remove()])
    }
  },
)
