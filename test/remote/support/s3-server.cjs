// Starts s3rver: node s3-server.cjs <port> <folder> <conditions> <status of writes> <requests a second>
//
// s3rver implements S3's interface except for conditional writes. With <conditions>, this script adds them as
// documented for S3: If-None-Match: * answers 412 if the object exists, and If-Match if it has another ETag. Requests
// for the same object run one after another, because s3rver's own writes aren't atomic. If <conditions> is a status,
// conditional writes are rejected with it. With a <status of writes>, every write is rejected with it. With a number of
// <requests a second>, requests are answered one after another at that rate at most.
const { rm } = require('node:fs/promises')
const S3rver = require('s3rver')

const [port, directory, conditions, writes, rate] = process.argv.slice(2)
const server = new S3rver({
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  directory,
  configureBuckets: [{ name: 'bucket' }],
})

// s3rver's method also removes folders that have become empty. Another request may be about to write into one, which
// would crash the process.
server.store.deleteObject = (bucket, key) =>
  Promise.all(
    ['object', 'object.md5', 'metadata.json'].map((resource) =>
      rm(server.store.getResourcePath(bucket, key, resource), { force: true }),
    ),
  )

const codes = { 400: 'InvalidRequest', 412: 'PreconditionFailed', 501: 'NotImplemented' }
const last = new Map()

async function etagOf(key) {
  const object = (await server.store.existsObject('bucket', key)) && (await server.store.getObject('bucket', key))
  object?.content?.destroy?.()
  return object ? object.metadata.etag : undefined
}

/** Returns the status with which to reject a write. */
async function refusalOf(key, ifNoneMatch, ifMatch) {
  if (writes !== '') return Number(writes)
  if (conditions === 'false' || (ifNoneMatch === '' && ifMatch === '')) return undefined
  if (conditions !== 'true') return Number(conditions)
  const etag = await etagOf(key)
  return (ifNoneMatch === '*' ? etag !== undefined : etag !== ifMatch) ? 412 : undefined
}

let turn = 0

server.middleware.unshift(async (ctx, next) => {
  if (rate !== '') {
    turn = Math.max(turn, performance.now()) + 1000 / Number(rate)
    await new Promise((resolve) => setTimeout(resolve, turn - performance.now()))
  }
  const key = decodeURIComponent(ctx.path).replace(/^\/bucket\/?/, '')
  // A listing isn't a request for a single object.
  if (key === '') {
    await next()
    return
  }
  const before = last.get(key)
  last.set(key, Promise.all([before, new Promise((resolve) => ctx.res.once('close', resolve))]))
  await before
  const status = ctx.method === 'PUT' ? await refusalOf(key, ctx.get('if-none-match'), ctx.get('if-match')) : undefined
  if (status === undefined) {
    await next()
    return
  }
  ctx.status = status
  ctx.type = 'application/xml'
  ctx.body = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${codes[status] ?? 'Refused'}</Code></Error>`
})

void server.run()
