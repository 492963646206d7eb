import { execFile } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createProject } from './driver.js'
import { kits, openTestSpace } from './space.js'

const specifiers = [
  `content-space:kit/${kits.brand}`,
  `content-space:kit/${kits.brand}?raw`,
  `content-space:kit/${kits.brand}?as=inline`,
  `content-space:kit/${kits.brand}?placeholder=color`,
  `content-space:kit/${kits.brand}?as=react`,
]

test('Vitest mocks every form of an id, and downloads only what is not a mock', async () => {
  const space = await openTestSpace()
  const mocks = specifiers.map((text) => `vi.mock('${text}', () => ({ acmeLogo: 'mock', AcmeLogo: 'mock' }))`)
  const project = await createProject({
    'vitest.config.js': `import contentSpace from 'unplugin-content-space/vite'
      export default { plugins: [contentSpace(${JSON.stringify({ ...space.options(), types: false })})] }`,
    'header.js': specifiers
      .map((text, at) => `export { ${text.endsWith('react') ? 'AcmeLogo' : 'acmeLogo'} as a${at} } from '${text}'`)
      .join('\n'),
    'real.js': `export { sharedMark } from 'content-space:section/${kits.brand}/logos?raw'`,
    'header.test.js': `import { expect, test, vi } from 'vitest'
      import * as header from './header.js'
      import { sharedMark } from './real.js'
      ${mocks.join('\n')}
      test('mocks', () => expect(Object.values(header)).toEqual(Array(${specifiers.length}).fill('mock')))
      test('text', () => expect(sharedMark).toContain('<svg'))`,
  })
  try {
    await mkdir(join(project.root, 'node_modules'))
    for (const name of ['vitest'])
      await symlink(resolve('node_modules', name), join(project.root, 'node_modules', name))
    await symlink(resolve('.'), join(project.root, 'node_modules/unplugin-content-space'))
    space.requests()
    const { stdout } = await promisify(execFile)(process.execPath, [resolve('node_modules/vitest/vitest.mjs'), 'run'], {
      cwd: project.root,
      env: { ...process.env, NO_COLOR: '1', VITEST: undefined },
    })
    expect(stdout).toContain('2 passed')
    expect(space.requests().filter((request) => request.includes('/download'))).toHaveLength(1)
  } finally {
    await project.remove()
    await space.close()
  }
})
