import assert from 'node:assert'

/**
 * What the package may cost: a limit a little above what it is, and what it consists of, with the budget where it is
 * not met yet. Raise a limit only with a reason, and lower it with each step towards its budget. The runtimes of components
 * have theirs in `test/unit/components/size.test.ts`, `picture` in `test/unit/picture.test.ts`, and the page of the kit
 * browser in `test/unit/browser/budget.test.ts`.
 */
const budgets = {
  packedBytes: [
    1_342_000,
    'It varies by 6 kB with the names of chunks, which end in hashes: files are packed in the order of their names. Bundled libraries are two thirds, 150 kB of them for `mcp`. `audit --fix`, `audit --html` and `usage` add 12 kB, the lexer of chunks 6 kB, faults of dev servers and `mcp` 1 kB. The code is not minified, so that users can read it; its documentation is in the declarations.',
  ],
  unpackedBytes: [
    5_139_000,
    'As above. Large libraries that conversions and others use are chunks that both load. What is kept of files in folders adds 2 kB, warnings of what pairs nothing 1 kB, checks of the options of four methods 1 kB, names and facts in errors and refusals 5 kB, `raw` of more modules 1 kB, galleries without a count 1 kB, what an audit leaves alone 3 kB, a busy cache and configurations that are read again 2 kB, suggestions of namesakes, broken links and pauses 2 kB, data of links 500 B, watch modes of Farm and libraries for servers 4 kB, pages and records that services refuse or repeat 500 B, names that versions share 4 kB, refused pages, unreadable responses and long waits 1.5 kB, invalid kits, wrong cuts and long lines 3 kB, pages of proxies in place of files 500 B.',
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
    53_301,
    'The budget is 46,000 lines. Since it was set, audits and `usage` added about 2,160 lines, items of all types and custom fields 1,230, application icons 950, the catalog, search and `mcp` 820, dark grounds 730, what bundlers do for pages, chunks and watch mode 570, checks and errors with a next step 520, pictures in declarations and larger cuts 290, folders and files on full disks 200, names, slugs and hashes that versions share 110, suggestions of namesakes and names in init 35, broken links 16, the time without a host 5, the first page, mirrors, verify after sync and git without secrets 6, data of links and next steps of a remote cache 18, Nuxt 3 1, content in watch modes of Farm 43, libraries for servers 3, checks and errors with a next step 6, equal names in the order of chunks, refused pages and repeated records 19, names that versions of a kit share from the first build on 91, loads of versions that imports share, and what they read ahead 24, loads of versions that imports share, and what they read ahead 37, names, slugs and hashes that versions share 4, each cause of failed checks in dev servers 4, refused pages, unreadable responses and long waits 47, long lines, invalid kits and wrong cuts 46, hosts that a server cannot listen on 3, pages of proxies in place of files 13, one warning for invalid kits 3, content that changes beside a wrong source in Farm, ids that esbuild does not bundle and readable errors 80, the end of mcp and of its requests 11, summaries of rebuilds 20. The kit browser is not counted.',
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
