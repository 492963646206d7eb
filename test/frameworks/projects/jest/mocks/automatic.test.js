import { expect, jest, test } from '@jest/globals'
import { shown } from './shown'

jest.mock('content-space:kit/brand')

test('a mock without a factory has the data', () => {
  expect(shown()[0]).toBe('solvane-logo.svg')
})
