import { access, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const repository = new URL('..', import.meta.url)
const text = await readFile(new URL('SECURITY.md', repository), 'utf8')
const named = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path)

test('SECURITY.md refers only to tests that exist', async () => {
  expect(named.length).toBeGreaterThan(20)
  await Promise.all(named.map((path) => access(fileURLToPath(new URL(path, repository)))))
})
