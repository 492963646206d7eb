import assert from 'node:assert'

/**
 * What the package may cost: a limit a little above what it is, and what it consists of, with the budget where it is
 * not met yet. Raise a limit only with a reason, and lower it with each step towards its budget. The runtimes of components
 * have theirs in `test/unit/components/size.test.ts`, `picture` in `test/unit/picture.test.ts`, and the page of the kit
 * browser in `test/unit/browser/budget.test.ts`.
 */
const budgets = {
  packedBytes: [
    1_341_000,
    'It varies by 6 kB with the names of chunks, which end in hashes: files are packed in the order of their names. Bundled libraries are two thirds, 150 kB of them for `mcp`. `audit --fix`, `audit --html` and `usage` add 12 kB, the lexer of chunks 6 kB. The code is not minified, so that users can read it; its documentation is in the declarations.',
  ],
  unpackedBytes: [
    5_150_000,
    'As above. Large libraries that conversions and others use are chunks that both load. What is kept of files in folders adds 2 kB, warnings of what pairs nothing 1 kB, checks of the options of four methods 1 kB, names and facts in errors and refusals 5 kB, `raw` of more modules 1 kB, galleries without a count 1 kB, what an audit leaves alone 3 kB, a busy cache and configurations that are read again 2 kB.',
  ],
  packedFiles: [
    460,
    'Entries, chunks that are loaded when they are needed, runtimes, and the declarations that users can reach. `browse` and bundlers share one that watches content.',
  ],
  installedPackages: [
    40,
    'All but the parser, sharp, undici, jiti, fast-glob and unplugin is bundled. sharp and its binaries are 8 packages.',
  ],
  installedBytes: [35_300_000, 'sharp and its binaries have 20 MB. The package itself is included.'],
  sourceLines: [
    52_582,
    'The budget is 46,000 lines. Items of all types and custom fields add 1,190, the catalog, search and `mcp` 790, larger cuts 110, fields in Astro 40, the audit 1,220, what `init` and Astro do about other files 40, what `init` says where no plugin fits 16, pictures in declarations 180, application icons 940, dark colors in files of tokens 110, `audit --fix` 390, pairs for dark grounds 330, and 280 in style sheets and pages, `usage` 330, the page of `audit --html` 190, copies in the kit browser 30, folders that are read again only when they have changed 40, the agent of undici 20, marks that a lexer finds and what a rebuild need not do again 160, readable names in webpack 8, imports that esbuild narrows when it resolves them 120, filters of Farm 15, digests and tables that make `ls` faster 7, hooks of webpack and Rspack that are called for ids only 117, chunks that only export from others 27, folders that `browse` watches 32, leases that are renewed before other requests 14, what is kept of files in folders 50, films in folders 28, application icons in Nuxt 10, names that Node cannot open and ends of comments in tokens 13, the folder of a kit in the place of a space 5, new names in the errors of an update 15, checks of the options of four methods 50, refusals of drawings of several colors 16, one list of what files of tokens lack offline 32, modules of Jest that are loaded by their query 2, hints and warnings of pages 7, former names that nothing else gets 14, `raw` of sections, outlines and kits 9, folders with option offline 4, drawings with decimal sizes 5, what was uploaded again in errors 9, keys for pictures of data 4, a file in the place of a space 1, copies that code may name only at run time 31, texts in style sheets that are no colors 19, marks of folders and files of this package 15, bundlers by their configuration 10, chunks of Rslib 20, addresses with a fragment 12, configurations of JavaScript that are read again 16, an HTTP cache that is busy 15, clients of remote caches that are imported later 5, partners for dark grounds without a file 6, the server for agents in init 13, warnings of catalog and diff 3, files of servers in Nuxt 20, one renewal for all leases on S3 46, ids that plugins add to pages 17, arrays in the place of objects 9, options of calls of the importer, what push and pull leave out without a key, and empty headings of the catalog 13, the next step after errors of certificates 12, the listings from before an update 15, a slug for a blank name 1, a frozen run without a lockfile and a locked version that is gone 16, what sanitizes without svgo 20, libraries that the package has once 35, warnings between builds of webpack and Rspack 8, descriptors and data of versions -39, lines in Docusaurus 7. The kit browser is not counted.',
  ],
  readmeWords: [1500, 'The rest is in docs.'],
  ciMinutes: [
    40,
    'The budget is 20 minutes on two cores with nothing else to do. Real bundlers, browsers and processes take longer.',
  ],
  entryFiles: [9, 'The entry of a bundler loads its adapter. The importer is loaded by the first id.'],
  warmFiles: [18, 'One chunk of the importer, one of libraries, and some that only certain adapters share.'],
  warmPackages: [1, 'esbuild. unplugin is bundled.'],
  warmBytes: [48 * 1024, 'Five files, their entries in the cache, the record of earlier builds, and the source.'],
  warmReads: [7, 'As above.'],
  warmRequests: [0, 'The lockfile and the cache have everything.'],
  coldRequests1000: [17, 'The kit and the pages of its listing, and five files with their addresses.'],
} satisfies Record<string, [limit: number, reason: string]>

type Budget = keyof typeof budgets

/** Prints a number, and checks that it is within its budget. */
export function expectWithin(budget: Budget, value: number): void {
  const [limit, reason] = budgets[budget]
  console.log(`${budget}: ${value}, at most ${limit}`)
  assert.ok(value <= limit, `${budget} is ${value}, more than ${limit}. ${reason}`)
}
