import { afterAll, beforeAll, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { writeSpace, type SpaceFolder } from '../support/space.js'
import { versionedKit } from '../support/versions.js'

const printed = ['log', 'info', 'debug', 'write']
const config = `console.log('log')
console.info('info')
console.debug('debug')
process.stdout.write('write\\n')
export default { tokens: [] }
`

let space: SpaceFolder
let work: Project

beforeAll(async () => {
  space = await writeSpace(await versionedKit())
  work = await project({ 'content-space.config.js': config }, { CONTENT_SPACE_URL: space.folder })
})
afterAll(async () => {
  await work.remove()
  await space.remove()
})

test.each([
  [['ls', '--json'], /^\[\{/],
  [['diff', 'brand', '--from', '1', '--to', '2', '--json'], /^\{"added":/],
  [['diff', 'brand', '--from', '1', '--to', '2', '--markdown'], /^\*\*Content\*\*: 1 added/],
  [['pull', 'brand', '--out', 'out', '--dry-run', '--json'], /^\{/],
  [['cache', 'ls', '--json'], /^\{/],
  [['init', '--bundler', 'vite', '--json'], /^\{/],
])('what the configuration prints is not in the result of %j', async (args, first) => {
  const { code, stdout, stderr } = await work.runProcess(...args)
  expect([code, stdout]).toEqual([0, expect.stringMatching(first)])
  if (args.includes('--json')) JSON.parse(stdout)
  expect(stderr.split('\n')).toEqual(expect.arrayContaining(printed))
})

test.each([
  'sync',
  'ls',
  'verify',
  'update',
  'diff',
  'audit',
  'usage',
  'catalog',
  'cache ls',
  'pull brand --out out',
  'tokens brand --out tokens.css',
  'mirror brand --out mirror',
  'init --bundler vite',
])('%s says once that another configuration file is not read', async (command) => {
  await work.write({ 'content-space.config.js': 'export default {}\n', 'content-space.config.mjs': '' })
  // A second `pull` doesn't have anything to do.
  for (const run of [command, `${command} --json`]) {
    const { stderr } = await work.run(...run.split(' '))
    const [, ...rest] = stderr.split('warning: content-space.config.js is the configuration, so')
    expect([run, ...rest]).toEqual([
      run,
      expect.stringContaining(' content-space.config.mjs in the same folder is not read.'),
    ])
  }
})
