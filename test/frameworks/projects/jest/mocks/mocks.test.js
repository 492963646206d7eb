import { beforeEach, expect, jest, test } from '@jest/globals'
import { shown } from './shown'

jest.mock('content-space:kit/brand', () => ({ solvaneLogo: { src: 'kit' } }))
jest.mock('content-space:asset/brand/solvane-logo?url', () => 'url')
jest.mock('content-space:asset/brand/leaf?raw', () => ({ __esModule: true, default: 'raw' }))
jest.mock('content-space:section/brand/logos', () => ({ solvaneLogo: { src: 'section' } }))
jest.mock('content-space:asset/brand/compass?w=20&format=png', () => ({ src: 'asset' }))

beforeEach(() => jest.resetModules())

test('mocks replace modules of every form of id', () => {
  expect(shown()).toEqual(['kit', 'url', 'raw', 'section', 'asset'])
  expect(jest.requireActual('content-space:kit/brand').solvaneLogo.src).toBe('solvane-logo.svg')
})

test('mocks replace other spellings of an id', () => {
  jest.doMock('content-space:kit/solvane-brand', () => ({ solvaneLogo: { src: 'by slug' } }))
  jest.doMock('content-space:asset/brand/compass?format=png&w=20', () => ({ src: 'other order' }))
  expect(require('./shown').shown()).toEqual(['by slug', 'url', 'raw', 'section', 'other order'])
})

test('mocks are made and removed later', () => {
  jest.dontMock('content-space:kit/brand')
  expect(require('./shown').shown()[0]).toBe('solvane-logo.svg')
  jest.resetModules()
  jest.doMock('content-space:kit/brand', () => ({ solvaneLogo: { src: 'later' } }), { virtual: true })
  expect(require('./shown').shown()[0]).toBe('later')
})
