// Starts s3rver: node s3-server.cjs <port> <folder> <conditions> <status of writes>
//
// s3rver implements the interface of S3 except for conditional writes. With <conditions>, this script adds them in
// front of it, as S3 documents them: If-None-Match: * answers 412 if the object exists, and If-Match if it has another
// ETag. Requests for one object run one after the other, so that writes are atomic, which those of s3rver are not.
// With a <status of writes>, every write is refused with it.
const S3rver = require('s3rver')

const [port, directory, conditions, writes] = process.argv.slice(2)
const server = new S3rver({
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  directory,
  configureBuckets: [{ name: 'bucket' }],
})

const last = new Map()

async function etagOf(key) {
  const object = (await server.store.existsObject('bucket', key)) && (await server.store.getObject('bucket', key))
  object?.content?.destroy?.()
  return object ? object.metadata.etag : undefined
}

async function isRefused(key, ifNoneMatch, ifMatch) {
  if (conditions !== 'true' || (ifNoneMatch === '' && ifMatch === '')) return false
  const etag = await etagOf(key)
  return ifNoneMatch === '*' ? etag !== undefined : etag !== ifMatch
}

server.middleware.unshift(async (ctx, next) => {
  const key = decodeURIComponent(ctx.path).replace(/^\/bucket\/?/, '')
  // A listing is no request for one object.
  if (key === '') {
    await next()
    return
  }
  const before = last.get(key)
  last.set(key, Promise.all([before, new Promise((resolve) => ctx.res.once('close', resolve))]))
  await before
  if (ctx.method === 'PUT' && writes !== '') {
    ctx.status = Number(writes)
    ctx.type = 'application/xml'
    ctx.body = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>Refused</Code></Error>'
  } else if (ctx.method === 'PUT' && (await isRefused(key, ctx.get('if-none-match'), ctx.get('if-match')))) {
    ctx.status = 412
    ctx.type = 'application/xml'
    ctx.body = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>PreconditionFailed</Code></Error>'
  } else await next()
})

void server.run()
