import assert from 'node:assert'

/**
 * Limits on sizes, counts and times of the package. Each limit is slightly above the current value. An entry also says
 * what the value consists of and, if the limit exceeds the budget, what the budget is. Raise a limit only with a
 * reason, and lower it with each step towards its budget. The component runtimes have their budgets in
 * `test/built/components/size.test.ts`, `picture` in `test/built/picture.test.ts`, and the kit browser's page in
 * `test/built/commands/browse/page/budget.test.ts`.
 */
const budgets = {
  packedBytes: [
    1_325_000,
    'The documentation is 70 kB of it. It varies by 6 kB with the names of chunks, which end in hashes: files are packed in the order of their names. Bundled libraries are two thirds, 150 kB of them for `mcp`. `audit --fix`, `audit --html` and `usage` add 12 kB, the lexer of chunks 6 kB, faults of dev servers and `mcp` 1 kB, other words for icons and names of colors 29 kB, what `audit --fix` proves 20 kB, drawings, fonts and pictures as people have them 15 kB, sources of kits 14 kB, `doctor` 6 kB, tsconfigs that only import what uses content 1 kB. The code is minified, but names outside functions are kept, and its documentation is in the declarations.',
  ],
  unpackedBytes: [
    4_275_000,
    'As above. The documentation is 200 kB of it. Large libraries that conversions and others use are chunks that both load. Checks, and errors that name facts and the next step, add 16 kB, names and files that versions of a kit share 7.5 kB, watch modes and libraries for servers 5.5 kB, sources of kits 45 kB, what is kept of files in folders 2 kB, `raw` of more modules 1 kB, tsconfigs of tests and warnings of Bun 4 kB, `sync --convert` and what starts conversions earlier 4 kB, the id that an error suggests in place of a kit, and the documentation in declarations, 1 kB, what Vite needs before it sees an id 6 kB, Farm 3 kB, webpack, Rspack, and tools that are built on them 12 kB.',
  ],
  packedFiles: [
    566,
    'Entries, 57 pages of the documentation, with twelve declarations for TypeScript 5.0 to 5.5, chunks that are loaded when they are needed, files of adapters that small entries load, runtimes, and the declarations that users can reach. `browse` and bundlers share one that watches content.',
  ],
  installedPackages: [
    40,
    'All but the parser, sharp, undici, jiti, fast-glob and unplugin is bundled. sharp and its binaries are 8 packages.',
  ],
  installedBytes: [34_400_000, 'sharp and its binaries have 20 MB. The package itself is included.'],
  readmeWords: [1500, 'The rest is in docs.'],
  ciMinutes: [
    32,
    'The budget is 20 minutes on two cores with nothing else to do. Real bundlers, browsers and processes take longer.',
  ],
  warmFiles: [14, 'One chunk of the importer, one of libraries, and some of the adapter, which the entry loads later.'],
  warmPackages: [1, 'esbuild. unplugin is bundled.'],
  warmBytes: [48 * 1024, 'Five files, their entries in the cache, the record of earlier builds, and the source.'],
  warmReads: [7, 'As above.'],
  warmRequests: [0, 'The lockfile and the cache have everything.'],
  coldRequests1000: [17, 'The kit and the pages of its listing, and five files with their addresses.'],
} satisfies Record<string, [limit: number, reason: string]>

type Budget = keyof typeof budgets

/** Prints a number and checks that it is within its budget. */
export function expectWithin(budget: Budget, value: number): void {
  const [limit, reason] = budgets[budget]
  console.log(`${budget}: ${value}, at most ${limit}`)
  assert.ok(value <= limit, `${budget} is ${value}, more than ${limit}. ${reason}`)
}
