import { match } from 'node:assert/strict'
import { test } from 'node:test'
import { shown } from './shown.ts'

test('content is data, addresses of files and text', () => {
  match(shown().join(), /^Solvane Logo,file:.*\.svg,<svg[^]*,file:.*\.svg,file:.*\.png$/)
})
