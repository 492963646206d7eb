import { createServer, request as send, type IncomingMessage } from 'node:http'
import { serveSpace, svg, writeSpace, type Files } from './space.js'

/** A service that records the URLs, headers, and bodies of all requests as one text. */
export interface RecordedSpace {
  url: string
  spaceId: number
  token: string
  /** Returns everything that has been sent to the service so far. */
  received: () => string
  downloads: () => number
  write(files: Files): Promise<void>
  close(): Promise<void>
}

/** Serves a folder with its own credentials, behind a server that records what it receives. */
async function recordedSpace(files: Files, spaceId: number, token: string): Promise<RecordedSpace> {
  const space = await writeSpace(files)
  const served = await serveSpace(space.folder, { spaceId, token })
  let text = ''
  let downloads = 0
  const server = createServer((request: IncomingMessage, response) => {
    text += `${request.url} ${JSON.stringify(request.rawHeaders)}\n`
    if (request.url?.includes('/download')) downloads++
    const passed = send(new URL(request.url ?? '', served.url), { headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    request.on('data', (chunk: Buffer) => (text += chunk.toString())).pipe(passed)
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const bound = server.address()
  return {
    url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`,
    spaceId,
    token,
    received: () => text,
    downloads: () => downloads,
    write: (more) => space.write(more),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
      await served.close()
      await space.remove()
    },
  }
}

export const uuids = {
  brand: '3BD9A8C0-1111-4222-8333-444455556666',
  press: '5C0FFEE0-1111-4222-8333-444455556666',
}

const secretsOf = ({ url, token, spaceId }: RecordedSpace, uuid: string): string[] => [
  new URL(url).host,
  token,
  Buffer.from(`${spaceId}:${token}`).toString('base64'),
  uuid,
  uuid.toLowerCase(),
]

const published = (uuid: string, name: string) => ({ uuid, name, use_version: 1, versions: [{ version: 1 }] })

/** Opens two services. Both have a kit with the same name and the same assets, but different content. */
export async function twoServices() {
  const [main, press] = await Promise.all([
    recordedSpace(
      {
        'brand/kit.json': published(uuids.brand, 'Brand'),
        'brand/versions/1/Logos/logo.svg': svg('logo of the main space'),
        'brand/versions/1/Logos/mark.svg': svg('mark of the main space'),
      },
      7,
      'canary-of-the-main-space',
    ),
    recordedSpace(
      {
        'brand/kit.json': published(uuids.press, 'Brand'),
        'brand/versions/1/Logos/logo.svg': svg('logo of the press'),
        'brand/versions/1/Logos/portrait.svg': svg('portrait of the press'),
      },
      8,
      'canary-of-the-press-space',
    ),
  ])
  return {
    main,
    press,
    options: {
      space: main.url,
      spaceId: main.spaceId,
      token: main.token,
      kits: {
        brand: uuids.brand,
        press: { kit: uuids.press, source: { space: press.url, spaceId: press.spaceId, token: press.token } },
      },
    },
    /** Returns the other service's details that were sent to a service: its URL, its credentials, or a uuid. */
    leaks(): string[] {
      return [
        ...secretsOf(press, uuids.press).filter((secret) => main.received().includes(secret)),
        ...secretsOf(main, uuids.brand).filter((secret) => press.received().includes(secret)),
      ]
    },
    close: () => Promise.all([main.close(), press.close()]),
  }
}
