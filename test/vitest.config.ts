import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
// A build is frozen by default where CI is set: tests say themselves where they are.
const common = { env: { CI: '' }, testTimeout: 60_000, hookTimeout: 60_000, globalSetup: ['test/support/build.ts'] }

export default defineConfig({
  test: {
    // Tests wait for children and servers more than they compute: one worker a core keeps the cores busy.
    maxWorkers: '100%',
    projects: [
      { root, test: { ...common, name: 'node', include: ['test/**/*.test.ts'], exclude: ['test/browser/**'] } },
      { root, test: { ...common, name: 'browser', include: ['test/browser/**/*.test.ts'], fileParallelism: false } },
    ],
  },
})
