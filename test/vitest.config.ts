import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

const unit = ['test/unit/**/*.test.ts']
const browser = ['test/browser/**/*.test.ts']
const remote = ['test/remote/**/*.test.ts']
const frameworks = ['test/frameworks/!(docs).test.ts']
const floors = ['test/floors/**/*.test.ts']
/**
 * The part of the project `package` that `npm test` runs because it proves that the product works. `npm run test:all`
 * runs the rest too.
 */
const core = [
  'test/!(readme).test.ts',
  'test/bundlers/{esbuild,vite,webpack}.test.ts',
  'test/bundlers/{entries,environment-switches,forged-imports,lock,paid,token-files,unwritable,without-filters}.test.ts',
  'test/built/*.test.ts',
  'test/built/{engine,lock}/*.test.ts',
  'test/built/disk/!(open-files).test.ts',
  'test/built/files/!(memory|scaled-cuts).test.ts',
  'test/built/files/{convert,svg}/*.test.ts',
  'test/built/commands/{pull/pull,write-modules}.test.ts',
  'test/cli/{app-icons,cache,diff,exit-codes,help,ls,mirror,pull,pull-imported,replaced,sync,usage}.test.ts',
  'test/faults/{canary,http}.test.ts',
  'test/frameworks/docs.test.ts',
  'test/types/{components,declarations,fields,names,tokens}.test.ts',
]
const others = [...unit, ...browser, ...remote, ...frameworks, ...floors, 'test/frameworks/projects/**']

/** How many times longer a test may wait than on a quiet machine with two cores. Multiplies all time-outs. */
const patience = Number(process.env['CONTENT_SPACE_TEST_PATIENCE'] ?? (process.env['CI'] ? 6 : 3))
const wait = 20_000 * patience

/**
 * @param mode `core` and `rest` are the two parts of the project `package`; `long` repeats random tests and runs
 *   variants of scenarios in all bundlers; `faults` tries each change in `test/faults/sealed.test.ts` with each tool
 */
export default defineConfig(({ mode }) => {
  const long = mode === 'long'
  const common = {
    // If CI is set, a build is frozen by default, but tests choose for themselves whether they are frozen.
    env: {
      CI: '',
      CONTENT_SPACE_TEST_LONG: long ? '1' : '',
      CONTENT_SPACE_TEST_PATIENCE: String(patience),
      CONTENT_SPACE_TEST_WHOLE: long || mode === 'faults' ? '1' : '',
    },
    testTimeout: long ? 3_600_000 : wait,
    hookTimeout: wait,
    expect: { poll: { timeout: wait } },
    // In megabytes. Bundlers produce much garbage: with 16, collecting it would take a tenth of the time.
    execArgv: ['--max-semi-space-size=64'],
  }
  const built = {
    ...common,
    globalSetup: ['test/support/build.ts'],
    // Vite doesn't transform the built package, so it runs as installed.
    server: { deps: { external: [new RegExp(`^${root}dist/`)] } },
  }
  return {
    test: {
      // Tests wait for children and servers, so three workers keep two cores busy.
      maxWorkers: Math.ceil(1.5 * availableParallelism()),
      reporters: ['default', fileURLToPath(new URL('support/slowest.ts', import.meta.url))],
      projects: [
        // Imports `src`, so it starts without a build. Test files share the modules of a process, because loading them
        // for each file would account for a sixth of the time.
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
        // Runs the built package and its modules in `build`.
        {
          root,
          test: {
            ...built,
            name: 'package',
            include: mode === 'core' ? core : ['test/**/*.test.ts'],
            exclude: mode === 'rest' ? [...others, ...core] : others,
            isolate: false,
          },
        },
        {
          root,
          test: {
            ...built,
            name: 'frameworks',
            include: frameworks,
            globalSetup: [...built.globalSetup, 'test/frameworks/support/setup.ts'],
            // Installing a framework and building with it for the first time take a while.
            testTimeout: 10 * wait,
            hookTimeout: 10 * wait,
          },
        },
        // Installs the lowest supported versions.
        {
          root,
          test: {
            ...built,
            name: 'floors',
            include: floors,
            globalSetup: [...built.globalSetup, 'test/frameworks/support/setup.ts'],
            testTimeout: 10 * wait,
          },
        },
        // Starts Redis, nginx, and an S3-compatible server.
        { root, test: { ...built, name: 'remote', include: remote } },
        { root, test: { ...built, name: 'browser', include: browser } },
      ],
    },
  }
})
