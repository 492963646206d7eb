import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

const unit = ['test/unit/**/*.test.ts']
const browser = ['test/browser/**/*.test.ts']
const remote = ['test/remote/**/*.test.ts']
const frameworks = ['test/frameworks/!(docs).test.ts']
const others = [...unit, ...browser, ...remote, ...frameworks, 'test/frameworks/projects/**']

export default defineConfig(({ mode }) => {
  const long = mode === 'long'
  const common = {
    // A build is frozen by default where CI is set: tests say themselves where they are.
    env: {
      CI: '',
      CONTENT_SPACE_TEST_LONG: long ? '1' : '',
      CONTENT_SPACE_TEST_WHOLE: long || mode === 'faults' ? '1' : '',
    },
    // In CI, one test of thousands that a busy machine disturbs does not stop the rest. The run names it.
    retry: process.env['CI'] ? 1 : 0,
    testTimeout: long ? 3_600_000 : 240_000,
    hookTimeout: 240_000,
    // Instead of a second: a busy machine is late.
    expect: { poll: { timeout: 15_000 } },
    // Of megabytes. Bundlers make much garbage: with 16, a tenth of the time goes into collecting it.
    execArgv: ['--max-semi-space-size=64'],
  }
  const built = {
    ...common,
    globalSetup: ['test/support/build.ts'],
    // The built package runs as it is installed: Vite does not transform it.
    server: { deps: { external: [new RegExp(`^${root}dist/`)] } },
  }
  return {
    test: {
      // Tests wait for children and servers: three workers keep two cores busy.
      maxWorkers: Math.ceil(1.5 * availableParallelism()),
      reporters: ['default', fileURLToPath(new URL('support/slowest.ts', import.meta.url))],
      projects: [
        // Imports `src`, so it starts without a build. Files share the modules of a process: loading them for each
        // file takes a sixth of the time.
        {
          root,
          test: {
            ...common,
            name: 'unit',
            include: unit,
            isolate: false,
            execArgv: [...common.execArgv, '--require', `${root}test/support/without-dist.cjs`],
          },
        },
        // Runs the built package, and its modules in `build`.
        { root, test: { ...built, name: 'package', include: ['test/**/*.test.ts'], exclude: others, isolate: false } },
        {
          root,
          test: {
            ...built,
            name: 'frameworks',
            include: frameworks,
            globalSetup: [...built.globalSetup, 'test/frameworks/support/setup.ts'],
            // Installing a framework, and its first build, take a while.
            testTimeout: 600_000,
            hookTimeout: 600_000,
          },
        },
        // Starts Redis, nginx and an S3-compatible server.
        { root, test: { ...built, name: 'remote', include: remote } },
        { root, test: { ...built, name: 'browser', include: browser } },
      ],
    },
  }
})
