import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { statsOf } from '../../../src/disk/stats.js'
import { tempFolder } from '../../support/files.js'

test('there is nothing at a missing path or below a file', async () => {
  const file = join(await tempFolder(), 'file')
  expect(statsOf(file)).toBeUndefined()
  await writeFile(file, 'text')
  expect(statsOf(file)?.size).toBe(4)
  expect(statsOf(join(file, 'below'))).toBeUndefined()
})
