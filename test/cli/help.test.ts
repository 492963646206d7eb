import { basename } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { groups } from '../../src/cli/commands.js'
import { timeFor } from '../support/long.js'
import { project, type Project } from '../support/cli.js'
import { commitAll } from '../support/git.js'
import { brand, richSpace, type SpaceFolder } from '../support/space.js'

const commands = Object.values(groups).flatMap((group) => Object.keys(group))
/** Examples that run until they are interrupted, or that need a service, a kit with colors, or a project's files. */
const notRunHere =
  /--since|--remote|usage merge|^content-space (?:(?:serve|browse|tokens|init) |mcp|doctor)|https?:|--type svg|--section logos|iconify/
let space: SpaceFolder
let work: Project

beforeAll(async () => {
  space = await richSpace()
  work = await project({
    'content-space.config.json': JSON.stringify({ space: space.folder, kits: { brand: brand.uuid } }),
    'src/main.js': "import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo.src)\n",
    'package.json': '{}',
  })
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  return async () => {
    await work.remove()
    await space.remove()
  }
})

/** Splits a command line as a shell does, with support for single quotes. */
const wordsOf = (line: string): string[] => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))

const examplesOf = async (command: string): Promise<string[]> => {
  const { stdout } = await work.run(command, '--help')
  return stdout
    .split('\n')
    .flatMap((line) => /^ {2}npx (?:unplugin-)?(content-space \S.*?)(?: {4}.*)?$/.exec(line)?.[1] ?? [])
}

describe.each(commands)('the help of %s', (command) => {
  test('has examples that work, and in a pipe, lines of at most 80 columns without escapes', async () => {
    const examples = await examplesOf(command)
    expect(examples.some((example) => example.startsWith(`content-space ${command}`))).toBe(true)
    for (const example of examples.filter((line) => !notRunHere.test(line))) {
      const [, ...args] = wordsOf(example)
      // Commands that change the source require it to be committed.
      commitAll(work.root)
      const { code, stderr } = await work.run(...args)
      expect({ example, code, stderr: code === 0 ? '' : stderr }).toEqual({ example, code: 0, stderr: '' })
    }
    const { stdout } = await work.run(command, '--help')
    // eslint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/\u001B/)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})

test.each([
  ['cache', ['ls', '--space', 'x'], 'error: --space cannot be used with cache, which does not read a space.\n'],
  ['serve', ['.', '--cache-dir', 'x'], 'error: --cache-dir cannot be used with serve: it does not use a cache.\n'],
  ['init', ['--frozen'], 'error: --frozen cannot be used with init: it writes a new configuration.\n'],
])('%s %j is wrong usage that explains why', async (command, args, message) => {
  expect(await work.run(command, ...args)).toEqual({ code: 2, stdout: '', stderr: message })
  const { stdout } = await work.run(command, '--help')
  if (command !== 'cache') expect(stdout).not.toContain(` ${args.find((arg) => arg.startsWith('--'))} `)
})

test.each([['ls'], ['diff'], ['mirror', 'brand', '--out', 'mirror'], ['browse', '--out', 'site'], ['cache', 'ls']])(
  '%s accepts --frozen, which is true of it anyway, and does not list it',
  async (command, ...args) => {
    expect(await work.run(command, ...args, '--frozen')).toMatchObject({ code: 0 })
    expect((await work.run(command, '--help')).stdout).not.toContain('--frozen')
  },
  timeFor(2),
)

test('help of a command without its own options has one list of options', async () => {
  for (const command of ['verify', 'mcp'])
    expect((await work.run(command, '--help')).stdout.match(/^(?:Common o|O)ptions:$/gm)).toEqual(['Options:'])
  const { stdout } = await work.run('ls', '--help')
  expect(stdout.match(/^(?:Common o|O)ptions:$/gm)).toEqual(['Options:', 'Common options:'])
})

test('help of a command that does not exist is an error with the nearest one', async () => {
  expect((await work.run('help', 'pull')).stdout).toContain('content-space pull')
  const { code, stdout, stderr } = await work.run('help', 'pul')
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/unknown command 'pul'[^]*pull/)])
})

test('an error begins with its code, and the next step is on a separate line', async () => {
  const { code, stderr } = await work.run('ls', 'brnad')
  expect(code).toBe(1)
  // Names the alias from the configuration, because that is what a user types.
  const hint = `hint: Did you mean brand (Acme Brand, ${brand.uuid})?`
  expect(stderr).toBe(`error[kitNotFound]: There is no kit brnad in the folder ${basename(space.folder)}.\n${hint}\n`)
})

test.each(['1', 'true'])(
  'CONTENT_SPACE_OFFLINE=%s opens no connection, and another value is an error',
  async (value) => {
    const service = { CONTENT_SPACE_URL: 'http://127.0.0.1:1', CONTENT_SPACE_ID: '7', CONTENT_SPACE_TOKEN: 't' }
    const alone = await project({ 'package.json': '{}' }, { ...service, CONTENT_SPACE_OFFLINE: value })
    expect((await alone.run('ls')).stderr).toMatch(/^error\[offline\]: /)
    await alone.remove()
    const wrong = await project({ 'package.json': '{}' }, { ...service, CONTENT_SPACE_OFFLINE: 'perhaps' })
    expect((await wrong.run('ls')).stderr).toContain('CONTENT_SPACE_OFFLINE must be 1 or 0.\n')
    await wrong.remove()
  },
)

test('CONTENT_SPACE_FROZEN=1 rejects what would change the lockfile', async () => {
  const frozen = await project(
    { 'main.js': "import 'content-space:kit/acme-brand'\n", 'package.json': '{}' },
    { CONTENT_SPACE_URL: space.folder, CONTENT_SPACE_FROZEN: '1' },
  )
  expect(await frozen.run('sync')).toMatchObject({ code: 1, stderr: expect.stringContaining('error[frozen]') })
  await frozen.remove()
})

test('help begins with examples, and lists the commands in groups', async () => {
  const { stdout } = await work.run('--help')
  expect(stdout.match(/^[A-Z].*:$/gm)).toEqual([
    'Examples:',
    'Options:',
    'Every day:',
    'Content:',
    'CI and care:',
    'More:',
  ])
  const [, daily = ''] = /^Every day:\n([^]*?)\n\n/m.exec(stdout) ?? []
  expect(daily.match(/^ {2}[\w-]+/gm)?.map((name) => name.trim())).toEqual([
    'init',
    'sync',
    'ls',
    'browse',
    'diff',
    'update',
  ])
  const sync = await work.run('sync', '--help')
  expect(sync.stdout).toMatch(/^Usage: .*\n\n.*\n\nExamples:\n {2}npx content-space sync\n/)
})
