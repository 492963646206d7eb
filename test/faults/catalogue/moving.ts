import { finish } from '../../../src/engine/build.js'
import { expect } from 'vitest'
import {
  contentService,
  kitUuid,
  sectionUuid,
  upload,
  type Asked,
  type ServiceContent,
} from '../../support/content-service.js'
import { envelope, refusal, type FaultServer } from '../../support/fault-server.js'
import type { Bench } from '../bench.js'
import type { Row } from '../row.js'

const second = '5EC70000-1111-4222-8333-000000000002'
const date = (day: number): string => `2024-01-0${day} 00:00:00.000000+0000`
const outlineSection = (uuid: string, name: string): object => ({
  uuid,
  name,
  version: 1,
  display_order: 0,
  headers: [],
})
const count = ({ requests }: FaultServer, part: string): number =>
  requests.filter(({ url }) => url.includes(part)).length

/** Returns the kit as read by a new importer. */
async function kitOf(bench: Bench, server: FaultServer, id = 'brand', root?: string) {
  const importer = await bench.importer(server.url, {}, root)
  const kit = await importer.kit(id)
  await finish(importer.engine)
  return {
    kit,
    root: importer.root,
    names: kit.sections.flatMap(({ items }) =>
      items.flatMap((item) => (item.type === 'asset' ? [item.asset.name] : [])),
    ),
  }
}

/** Reads the version from only one parameter. Without it, serves the draft. */
const reading =
  (key: 'v' | 'version' | 'revision') =>
  ({ path, query, response, request }: Asked): boolean => {
    if (!/outline$|^sections/.test(path)) return false
    const version = Number(query.get(key) ?? 0)
    contentService({ version, uploads: [upload(1, `Logo of ${version}`)] })(response, request, 0)
    return true
  }

export const moving: Row[] = [
  {
    row: 39,
    fault: 'section gone after outline',
    must: 're-read outline, restart <=2; then fail',
    async run(bench) {
      const sections = [outlineSection(sectionUuid, 'Logos'), outlineSection(second, 'Gone')]
      let outlines = 0
      const goes =
        (last: number) =>
        ({ path, response }: Asked): boolean => {
          if (path.startsWith(`sections/${second}`)) return (refusal(response, 2100, 404), true)
          if (!path.endsWith('/outline') || ++outlines > last) return false
          const version = { kit_uuid: kitUuid, version: 1, version_identifier: '1.0', counts: {}, sections }
          return (envelope(response, { kit_version: version }), true)
        }
      const once = await bench.serve(contentService({}, goes(1)))
      expect((await kitOf(bench, once)).kit.sections.map(({ name }) => name)).toEqual(['Logos'])
      expect(count(once, '/outline')).toBe(2)
      outlines = 0
      const always = await bench.serve(contentService({}, goes(Infinity)))
      const error = await bench.failure(kitOf(bench, always))
      expect(error).toMatchObject({ code: 'invalidResponse', facts: { kit: kitUuid } })
      const read = count(always, `/sections/${second}`)
      expect(read).toBeLessThanOrEqual(3)
      await bench.refused(always.url)
      return `once: the outline is read again and the kit is complete; always: fails after ${read} requests for the section, exit 1`
    },
  },
  {
    row: 40,
    fault: 'version or date_updated moves mid-fetch',
    must: 'restart snapshot; never mix',
    async run(bench) {
      // The draft is edited after its outline has been read.
      let edited = 1
      const content = (): Partial<ServiceContent> => ({
        version: 0,
        uploads: [upload(1, `Logo ${edited}`)],
        kit: { date_updated: date(edited) },
        outline: { date_updated: date(edited), notes: `edition ${edited}`, counts: { items: 1 } },
        section: { date_updated: date(edited) },
      })
      const draft = await bench.serve(
        contentService(content, ({ path, at, response }) => {
          if (path.endsWith('/outline') && at === 0) response.on('finish', () => (edited = 2))
          return false
        }),
      )
      const { kit, names } = await kitOf(bench, draft)
      expect([kit.notes, ...names]).toEqual(['edition 2', 'Logo 2'])
      // A section is edited between two of its pages.
      let moment = 1
      const paged = (): Partial<ServiceContent> => ({
        uploads: Array.from({ length: 6 }, (_, at) => upload(at, `Logo ${at} of ${moment}`)),
        pages: { base: 1, size: 2 },
        section: { date_updated: date(moment) },
      })
      const section = await bench.serve(
        contentService(paged, ({ path, at }) => {
          if (path.startsWith('sections/')) moment = at < 3 ? 1 : 2
          return false
        }),
      )
      expect((await kitOf(bench, section)).names).toEqual(Array.from({ length: 6 }, (_, at) => `Logo ${at} of 2`))
      // A section that keeps changing fails.
      let ticks = 0
      const restless = await bench.serve(
        contentService(() => ({
          ...paged(),
          section: { date_updated: `2024-01-01 00:00:${String(ticks++ % 60).padStart(2, '0')}.000000+0000` },
        })),
      )
      expect(await bench.failure(kitOf(bench, restless))).toMatchObject({
        code: 'invalidResponse',
        facts: { section: sectionUuid },
      })
      // A section of another version is an error, because versions must not be mixed.
      const other = await bench.serve(contentService({ section: { version: 2 } }))
      expect(await bench.failure(kitOf(bench, other))).toMatchObject({ code: 'invalidResponse' })
      await bench.refused(other.url)
      return 'an edited draft and an edited section: only the second edition is returned; one that changes all the time, or changes its version: invalidResponse'
    },
  },
  {
    row: 41,
    fault: 'version 0 / use_version 0',
    must: 'not "missing"; mark mutable',
    async run(bench) {
      const seen: number[] = []
      for (const version of [0, 1]) {
        const server = await bench.serve(contentService({ version, kit: { use_version: version } }))
        const { kit, root } = await kitOf(bench, server)
        expect(kit).toMatchObject({ version })
        const before = server.requests.length
        await kitOf(bench, server, 'brand', root)
        seen.push(server.requests.slice(before).filter(({ url }) => /outline|sections/.test(url)).length)
      }
      expect(seen).toEqual([expect.any(Number), 0])
      expect(seen[0]).toBeGreaterThan(0)
      const absent = await bench.serve(contentService({ version: 0, kit: { use_version: null } }))
      expect((await kitOf(bench, absent)).kit).toMatchObject({ version: 0 })
      return `the kit is version 0, also where use_version is null; a second run lists version 0 again, in ${seen[0]} requests, and version 1 never`
    },
  },
  {
    row: 42,
    fault: 'server honours only `v` or only `version`',
    must: 'check returned `version`; wrong => fail',
    async run(bench) {
      for (const key of ['v', 'version'] as const) {
        const server = await bench.serve(contentService({ version: 2 }, reading(key)))
        expect((await kitOf(bench, server)).names).toEqual(['Logo of 2'])
      }
      const neither = await bench.serve(contentService({ version: 2 }, reading('revision')))
      const { space } = await bench.open(neither.url)
      for (const work of [space.outline(kitUuid, 2), space.section(sectionUuid, 2)]) {
        const error = await bench.failure(work)
        expect(error).toMatchObject({ code: 'invalidResponse', facts: { version: 2 } })
        expect(error.message).toMatch(/version 0.*version 2/)
      }
      await bench.refused(neither.url)
      return 'only `v` or only `version`: version 2 is returned; neither: invalidResponse, "sent version 0 instead of version 2", exit 1'
    },
  },
]
