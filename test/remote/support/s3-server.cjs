// Starts s3rver: node s3-server.cjs <port> <folder> <conditions>
//
// s3rver implements the interface of S3 except for conditional writes. With <conditions>, this script adds them in
// front of it, as S3 documents them: If-None-Match: * answers 412 if the object exists, and If-Match if it has another
// ETag. Requests for one object run one after the other, so that creating is atomic.
const S3rver = require('s3rver')

const [port, directory, conditions] = process.argv.slice(2)
const server = new S3rver({
  port: Number(port),
  address: '127.0.0.1',
  silent: true,
  directory,
  configureBuckets: [{ name: 'bucket' }],
})

const last = new Map()

async function inTurn(key, work) {
  const before = last.get(key) ?? Promise.resolve()
  const own = before.then(work, work)
  last.set(key, own)
  await own.finally(() => last.get(key) === own && last.delete(key))
}

async function etagOf(key) {
  const object = (await server.store.existsObject('bucket', key)) && (await server.store.getObject('bucket', key))
  object?.content?.destroy?.()
  return object ? object.metadata.etag : undefined
}

if (conditions === 'true') {
  server.middleware.unshift(async (ctx, next) => {
    const key = decodeURIComponent(ctx.path).replace(/^\/bucket\//, '')
    const ifNone = ctx.get('if-none-match')
    const ifMatch = ctx.get('if-match')
    if (ctx.method !== 'PUT' || (ifNone === '' && ifMatch === '')) return next()
    await inTurn(key, async () => {
      const etag = await etagOf(key)
      const isMet = ifNone === '*' ? etag === undefined : etag === ifMatch
      if (isMet) return next()
      ctx.status = 412
      ctx.type = 'application/xml'
      ctx.body = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>PreconditionFailed</Code></Error>'
    })
  })
}

void server.run()
