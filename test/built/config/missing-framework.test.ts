import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import * as v from 'valibot'
import { installPackage } from '../../support/installed.js'
import { richSpace } from '../../support/space.js'

test("components of a framework that isn't installed cause one error, before the bundler's errors", async () => {
  const space = await richSpace()
  const root = await installPackage({ vue: undefined, vitepress: undefined })
  const vite = [
    "import contentSpace from 'unplugin-content-space/vite'",
    `const options = { space: ${JSON.stringify(space.folder)}, cacheDir: 'cache', lockfile: false, types: false }`,
    "export default { logLevel: 'error', plugins: [contentSpace(options)] }",
  ]
  await writeFile(join(root, 'package.json'), '{ "type": "module" }')
  await writeFile(join(root, 'vite.config.js'), vite.join('\n'))
  await writeFile(join(root, 'index.html'), '<script type="module" src="/main.js"></script>')
  await writeFile(join(root, 'main.js'), "import { AcmeLogo } from 'content-space:kit/acme-brand?as=vue'\nAcmeLogo()")
  const command = [join(root, 'node_modules/vite/bin/vite.js'), 'build']
  const failed = await promisify(execFile)(process.execPath, command, { cwd: root }).catch((error: unknown) => error)
  await space.remove()
  const { stderr } = v.parse(v.object({ stderr: v.string() }), failed)
  expect(stderr).toContain('as=vue needs the package vue.')
  expect(stderr).toContain('npm install vue')
  expect(stderr).toContain('main.js')
  expect(stderr).not.toContain('failed to resolve')
})
