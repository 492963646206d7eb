import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
const common = { testTimeout: 60_000, hookTimeout: 60_000, globalSetup: ['test/support/build.ts'] }

export default defineConfig({
  test: {
    projects: [
      { root, test: { ...common, name: 'node', include: ['test/**/*.test.ts'], exclude: ['test/browser/**'] } },
      { root, test: { ...common, name: 'browser', include: ['test/browser/**/*.test.ts'], fileParallelism: false } },
    ],
  },
})
