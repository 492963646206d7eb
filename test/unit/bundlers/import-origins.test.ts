import { expect, test } from 'vitest'
import { createImportOrigins } from '../../../src/bundlers/session/import-origins.js'
import type { FileDescriptor } from '../../../src/files/plan.js'

const photo: FileDescriptor = { asset: 'A', label: 'Photo', name: 'photo', ext: 'jpg', type: 'JPG' }

test("a file's origin is the import that it was made for, or else another import of its asset", () => {
  const origins = createImportOrigins()
  const specifierOf = (file: FileDescriptor, as?: 'raw') => origins.ofFile(file, as)?.specifier
  const value = { file: photo, as: 'raw' } as const
  const made = {
    cut: { ...photo, cut: 'PNG' },
    recipe: { ...photo, recipe: '{"width":8}' },
    set: { ...photo, set: '' },
  }
  origins.addFile(photo, 'main.js', 'plain')
  for (const [specifier, file] of Object.entries(made)) origins.addFile(file, 'main.js', specifier)
  origins.add('id', 'main.js', 'raw')
  const references = origins.recordFiles('id', {
    layout: 'flat',
    address: () => ({ code: '' }),
    value: async () => ({ code: '' }),
  })
  void references.value(value)
  for (const [specifier, file] of Object.entries(made)) expect(specifierOf(file)).toBe(specifier)
  expect(specifierOf(photo, 'raw')).toBe('raw')
  expect(specifierOf({ ...made.cut, hash: 'another revision' })).toBe('cut')
  expect(specifierOf({ ...made.set, recipe: '{"width":192}' })).toBe('set')
  expect(specifierOf({ ...photo, cut: 'PDF' })).toBe('plain')
  expect(specifierOf({ ...photo, asset: 'B' })).toBeUndefined()
})
