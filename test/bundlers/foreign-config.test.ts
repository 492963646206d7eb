import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { existsSync } from 'node:fs'
import { lchown } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { prepareBuild } from '../../src/frameworks/next/build.js'
import { createImporter } from '../../src/index.js'
import { project as createTree, type Project } from '../support/cli.js'
import { build } from './driver.js'
import { drivers } from './drivers/all.js'

/** A configuration that leaves a file where it has run. The option `tokens` is read before anything else in a build. */
const config = `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('ran', import.meta.url), '')
export default { space: './space', tokens: [{ kit: 'brand', file: 'tokens.css' }] }
`
const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const other = 4321
const cwd = process.cwd()

let tree: Project
const hasRun = (): boolean => existsSync(join(tree.root, 'ran'))

/** Only root may give files to other users, and Windows doesn't have file owners in this sense. */
describe.runIf(process.geteuid?.() === 0)('a configuration of another user above the project', () => {
  beforeEach(async () => {
    tree = await createTree({
      'package.json': '{ "workspaces": ["*"] }',
      'content-space.config.mjs': config,
      'space/brand/Logos/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'site/package.json': '{ "type": "module" }',
      'site/main.js': "import { logo } from 'content-space:kit/brand'\nconsole.log(JSON.stringify(logo))\n",
    })
    await lchown(join(tree.root, 'content-space.config.mjs'), other, other)
    // Rollup and Rolldown use the working directory.
    process.chdir(join(tree.root, 'site'))
  })
  afterEach(async () => {
    process.chdir(cwd)
    await tree.remove()
  })
  test.each(drivers)('does not run in a build with $name', async (driver) => {
    await expect(build(driver, { root: join(tree.root, 'site') }, {})).rejects.toThrow(`belongs to user ${other}`)
    expect(hasRun()).toBe(false)
  })

  test('does not run in Next.js and in programs', async () => {
    const root = join(tree.root, 'site')
    await expect(prepareBuild(root, {}, false)).rejects.toThrow(`belongs to user ${other}`)
    await expect(createImporter({}, { root })).rejects.toThrow(`belongs to user ${other}`)
    expect(hasRun()).toBe(false)
  })

  test.each([
    ['init', '--yes', '--space', '../space'],
    ['sync'],
    ['pull', 'brand', '--out', 'pulled'],
    ['tokens', 'brand', '--out', 'tokens.css'],
    ['app-icons', 'brand/logo', '--out', 'icons'],
    ['update'],
    ['diff'],
    ['verify'],
    ['ls'],
    ['catalog'],
    ['audit'],
    ['usage'],
    ['mirror', 'brand', '--out', 'mirrored'],
    ['cache', 'prune'],
    ['browse'],
  ])('does not run in content-space %s', async (...args) => {
    expect(await tree.runIn('site', ...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`belongs to user ${other}`),
    })
    expect(hasRun()).toBe(false)
  })

  test('does not run in content-space mcp', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const env = { PATH: process.env['PATH'] ?? '', CONTENT_SPACE_CACHE: join(tree.root, '.cache') }
    const command = { command: process.execPath, args: [bin, 'mcp'], cwd: join(tree.root, 'site'), env }
    await client.connect(new StdioClientTransport(command))
    const answer = await client.callTool({ name: 'list_kits', arguments: {} })
    await client.close()
    expect(JSON.stringify(answer)).toContain(`belongs to user ${other}`)
    expect(hasRun()).toBe(false)
  })
})
