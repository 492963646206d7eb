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
