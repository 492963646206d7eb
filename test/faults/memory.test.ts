import type { ServerResponse } from 'node:http'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  assetItem,
  assetUuid,
  contentService,
  headingItem,
  kitUuid,
  sectionUuid,
  upload,
  type Asked,
  type ServiceContent,
} from '../support/content-service.js'
import { envelope } from '../support/fault-server.js'
import { emptyLock, openBench, type Bench } from './bench.js'
import { pullMeasured } from './measured-cli.js'

/**
 * Limits: the megabytes by which the memory peak may exceed that of a pull of one small file, the seconds until an
 * answer or an error, and the seconds from an interrupt to the end. The latter take 10 and 2 seconds; the rest is for a
 * busy machine.
 */
const allowed = { growth: 64, seconds: 60, interrupted: 10 }

let bench: Bench
let small = 0
beforeAll(async () => {
  const first = openBench()
  const { url } = await first.serve(contentService({ uploads: [upload(1, 'Data', 'ZIP', Buffer.from('PK'))] }))
  const measured = await pullMeasured(url)
  expect(measured).toMatchObject({ code: 0 })
  small = measured.megabytes
  await first.close()
})
beforeEach(() => {
  bench = openBench()
})
afterEach(async () => {
  await bench.close()
})

/** Sends this many bytes as fast as the client reads them. */
function flood(response: ServerResponse, bytes: number): void {
  const piece = Buffer.alloc(65_536, 'x')
  let left = bytes
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      const part = piece.subarray(0, Math.min(left, piece.length))
      left -= part.length
      if (!response.write(part)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

const flooding =
  (bytes: number, length?: number) =>
  ({ path, response }: Asked): boolean => {
    if (!path.startsWith('assets/')) return false
    response.writeHead(200, length === undefined ? {} : { 'content-length': length })
    flood(response, bytes)
    return true
  }

const listed = (size: number, count = 1): Partial<ServiceContent> => ({
  uploads: Array.from({ length: count }, (_, at) =>
    upload(at, `Data ${at}`, 'ZIP', Buffer.from('PK'), { size, file_hash: null }),
  ),
})

/** New items on every page. */
function endlessPages({ path, at, response }: Asked): boolean {
  if (!path.startsWith('sections/')) return false
  const items = Array.from({ length: 200 }, (_, item) => headingItem(at * 200 + item))
  envelope(response, {
    section: { uuid: sectionUuid, kit_uuid: kitUuid, name: 'Logos', version: 1, counts: {}, items },
  })
  return true
}

const drawing = (body: string): Partial<ServiceContent> => ({
  uploads: [
    upload(
      1,
      'Drawing',
      'SVG',
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${body}</svg>`),
    ),
  ],
})
const nodes = 100_000
const nested = drawing('<g>'.repeat(nodes) + '</g>'.repeat(nodes))
const flat = drawing('<path d="M0 0h9v9z"/>'.repeat(nodes))
/** The same with a script, so that it is sanitized. */
const active = drawing(`${'<path d="M0 0h9v9z"/>'.repeat(nodes)}<script>hit()</script>`)

/** Returns this many nested lists as text, because `JSON.stringify` fails for a value of this depth. */
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
const deepMeta =
  (levels: number) =>
  ({ path, response }: Asked): boolean => {
    if (!path.startsWith('sections/')) return false
    const { record } = upload(1, 'Data', 'ZIP', Buffer.from('PK'), { meta: { deep: 'HERE' } })
    const section = {
      uuid: sectionUuid,
      kit_uuid: kitUuid,
      name: 'Logos',
      version: 1,
      counts: { items: 1 },
      items: [assetItem(0, record)],
    }
    response.end(
      JSON.stringify({ success: true, server_clock: 1, result: { section } }).replace('"HERE"', deep(levels)),
    )
    return true
  }

interface Case {
  name: string
  content: Partial<ServiceContent>
  instead?: (asked: Asked) => boolean
  args?: string[]
  /** The expected exit codes. */
  codes: number[]
  /** The milliseconds between the first request and the interrupt. */
  interruptAfter: number
}

const cases: Case[] = [
  {
    name: 'a file of 300 MB',
    content: listed(300e6),
    instead: flooding(300e6, 300e6),
    codes: [0],
    interruptAfter: 400,
  },
  {
    name: 'three files of 1.2 GB where 90 bytes are listed',
    content: listed(90, 3),
    instead: flooding(1.2e9),
    codes: [1],
    interruptAfter: 300,
  },
  {
    name: 'three files that say they have 1.2 GB where 90 bytes are listed',
    content: listed(90, 3),
    instead: flooding(1.2e9, 1.2e9),
    codes: [1],
    interruptAfter: 300,
  },
  {
    name: 'a file without end where 90 bytes are listed',
    content: listed(90),
    instead: flooding(Infinity),
    codes: [1],
    interruptAfter: 300,
  },
  { name: 'pages without end', content: {}, instead: endlessPages, codes: [1], interruptAfter: 500 },
  { name: 'a drawing of 100,000 nested nodes', content: nested, codes: [0, 1], interruptAfter: 400 },
  { name: 'a drawing of 100,000 nodes side by side', content: flat, codes: [0, 1], interruptAfter: 400 },
  { name: 'a drawing of 100,000 nodes and a script', content: active, codes: [0, 1], interruptAfter: 400 },
  {
    name: 'a drawing of 100,000 nested nodes, inlined',
    content: nested,
    args: ['--query', 'raw'],
    codes: [0, 1],
    interruptAfter: 400,
  },
  { name: 'JSON of 5,000 levels', content: {}, instead: deepMeta(5000), codes: [0, 1], interruptAfter: 50 },
  { name: 'JSON of a million levels', content: {}, instead: deepMeta(1_000_000), codes: [0, 1], interruptAfter: 50 },
]

describe.each(cases.map((one) => [one.name, one] as const))(
  '%s',
  (_, { content, instead, args = [], codes, interruptAfter }) => {
    test('uses bounded memory, and ends with a result or a clear error in time', async () => {
      const { url } = await bench.serve(contentService(content, instead))
      const { code, stderr, seconds, megabytes, left, lock } = await pullMeasured(url, args)
      expect(codes, `${String(code)} ${stderr.slice(0, 1000)}`).toContain(code)
      expect(stderr).not.toMatch(/^ {4}at |RangeError|heap/m)
      expect(seconds).toBeLessThanOrEqual(allowed.seconds)
      expect(megabytes - small, `megabytes above ${small}`).toBeLessThanOrEqual(allowed.growth)
      if (code !== 0) expect([left, lock]).toEqual([[], emptyLock])
      else expect(left).toContain('content/index.js')
    })

    test('exits with 130 soon after Ctrl-C, and leaves no incomplete output', async () => {
      let asked: (() => void) | undefined
      const first = new Promise<void>((resolve) => (asked = resolve))
      const service = contentService(content, instead)
      const { url } = await bench.serve((response, request, at) => {
        if (request.url?.includes('/sections/') || request.url?.includes('/assets/')) asked?.()
        service(response, request, at)
      })
      const interrupt = first.then(() => new Promise((resolve) => setTimeout(resolve, interruptAfter)))
      const { code, seconds, megabytes, left, lock } = await pullMeasured(url, args, interrupt)
      // On a fast machine, the pull may end before or during the interrupt. While Node exits, signal handlers no longer
      // run, and SIGINT ends the process. The peak is written when the process starts to exit by itself.
      if (code === null) return expect(megabytes).toBeGreaterThan(0)
      if (code === 130) expect(seconds).toBeLessThanOrEqual(allowed.interrupted)
      else expect(codes).toContain(code)
      if (code !== 0) expect([left, lock]).toEqual([[], emptyLock])
    })
  },
)

test('an endless cut uses bounded memory until the interrupt', async () => {
  let asked: (() => void) | undefined
  const first = new Promise<void>((resolve) => (asked = resolve))
  const { url } = await bench.serve(
    contentService({}, (request) => {
      if (request.path === `assets/${assetUuid(1)}/download`) asked?.()
      return flooding(Infinity)(request)
    }),
  )
  const interrupt = first.then(() => new Promise((resolve) => setTimeout(resolve, 1500)))
  const { code, seconds, megabytes, left } = await pullMeasured(url, ['--cut', 'png'], interrupt)
  expect([1, 130]).toContain(code)
  expect(seconds).toBeLessThanOrEqual(allowed.interrupted)
  expect(megabytes - small).toBeLessThanOrEqual(allowed.growth)
  expect(left).toEqual([])
})
